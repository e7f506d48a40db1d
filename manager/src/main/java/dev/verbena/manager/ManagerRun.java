package dev.verbena.manager;

import dev.verbena.cli.ibsim.IbsimPort;
import dev.verbena.subnet.ManagerSettings;
import dev.verbena.subnet.RouteRunner;
import dev.verbena.subnet.Standby;
import dev.verbena.subnet.SubnetManager;
import dev.verbena.subnet.SweepReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One of several managers: it waits while another leads, and leads while a majority of managers
/// hears it.
///
/// ```text
///   waits ── elected ──▶ begins a term ── its M_Key is in the log ──▶ manages
///     ▲                        │                                        │
///     └──── no majority, or a command that got not into the log ◀───────┘
/// ```
final class ManagerRun implements AutoCloseable {
    /// How often it looks whether it leads, at least.
    private static final long LOOK_MS = 20;

    private static final long NS_PER_MS = 1_000_000;

    /// After a term that ended early, before it begins another one.
    private static final long PAUSE_NS = 100 * NS_PER_MS;

    /// Takes what happens.
    interface Listener {
        void waits(String why);

        void leads(long term);

        void reports(long term, SweepReport report);

        /// In each turn, at least every second.
        ///
        /// @param manager while it leads
        /// @param heldBack datagrams that were not sent because the lease had ended
        default void turns(Optional<SubnetManager> manager, long heldBack) {}
    }

    private final Replica replica;
    private final IbsimPort port;
    private final ManagerSettings settings;
    private final RouteRunner runner;
    private final Listener listener;
    private final Standby standby;
    private final SecureRandom random = new SecureRandom();
    private @Nullable Leader leader;
    private long leaseEndNs;
    private long notBeforeNs = System.nanoTime();
    private long heldBack;
    private volatile boolean isEnding;

    /// @param port at which it is attached; closed with it
    ManagerRun(
            Replica replica,
            IbsimPort port,
            ManagerSettings settings,
            RouteRunner runner,
            Listener listener)
            throws IOException {
        this.replica = replica;
        this.port = port;
        this.settings = settings;
        this.runner = runner;
        this.listener = listener;
        standby = new Standby(settings, port.guid());
    }

    /// Runs until [#end].
    void run() throws IOException {
        listener.waits("it begins");
        try {
            while (!isEnding) {
                turn();
            }
        } catch (UncheckedIOException failed) {
            throw failed.getCause();
        }
    }

    private void turn() throws IOException {
        leaseEndNs = replica.leaseEndNs();
        boolean isLeading = mayAct();
        Leader current = leader;
        if (current != null && (!isLeading || current.hasFailed())) {
            stop(isLeading ? "a command got not into the log" : "no majority of managers hears it");
            current = null;
        }
        if (current == null && isLeading && System.nanoTime() - notBeforeNs >= 0) {
            current = new Leader(replica, settings, runner, this::key, port::wakeUp);
            leader = current;
            listener.leads(current.term());
        }
        SubnetManager manager = current == null ? null : current.follow();
        boolean isBusy = manager == null ? waitTurn() : manage(manager);
        if (current != null) {
            long term = current.term();
            current.report(report -> listener.reports(term, report));
        }
        listener.turns(Optional.ofNullable(manager), heldBack);
        if (!isBusy) {
            await(manager);
        }
    }

    private void stop(String why) {
        leader = null;
        notBeforeNs = System.nanoTime() + PAUSE_NS;
        replica.release();
        listener.waits(why);
    }

    /// Whether the lease has not ended by now. Also a process that was stopped for a time finds
    /// that out here.
    private boolean mayAct() {
        return leaseEndNs - System.nanoTime() > 0;
    }

    private long key() {
        long key = random.nextLong();
        return key == 0 ? 1 : key;
    }

    private boolean waitTurn() throws IOException {
        boolean hasReceived = port.receive((lid, _, mad) -> standby.handle(lid, mad));
        boolean hasSent = false;
        while (standby.transmit(port::sendUnchecked)) {
            hasSent = true;
        }
        return hasReceived || hasSent;
    }

    private boolean manage(SubnetManager manager) throws IOException {
        boolean hasSent = false;
        while (mayAct() && manager.transmit(System.nanoTime(), this::sendAsLeader)) {
            hasSent = true;
        }
        boolean hasReceived =
                port.receive((lid, pair, mad) -> manager.handle(System.nanoTime(), lid, pair, mad));
        if (manager.timeoutNs() - System.nanoTime() <= 0) {
            manager.handleTimeout(System.nanoTime());
            return true;
        }
        return hasSent || hasReceived;
    }

    /// Routes may have been computed since the lease was looked at.
    private void sendAsLeader(int lid, int pair, MemorySegment mad) {
        if (mayAct()) {
            port.sendUnchecked(lid, pair, mad);
        } else {
            heldBack++;
        }
    }

    private void await(@Nullable SubnetManager manager) throws IOException {
        long untilMs = LOOK_MS;
        if (manager != null) {
            long leftNs = manager.timeoutNs() - System.nanoTime();
            untilMs = Math.clamp(leftNs / NS_PER_MS, 1, LOOK_MS);
        }
        port.await(untilMs);
    }

    /// Datagrams that were not sent because the lease had ended.
    long heldBack() {
        return heldBack;
    }

    /// Ends [#run], from any thread.
    void end() {
        isEnding = true;
        port.wakeUp();
    }

    @Override
    public void close() throws IOException {
        try {
            port.close();
        } finally {
            replica.close();
        }
    }
}
