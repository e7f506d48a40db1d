package dev.verbena.cli.ibsim;

import dev.verbena.subnet.ManagerRole;
import dev.verbena.subnet.SubnetManager;
import dev.verbena.subnet.SweepReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// A subnet manager at a port.
public final class SmClient implements AutoCloseable {
    private static final long NS_PER_MS = 1_000_000;

    private final ManagementLink port;
    private final SubnetManager manager;
    private volatile boolean isEnding;
    private final List<Runnable> watches = new ArrayList<>();

    /// Attaches to a server.
    ///
    /// @param node at which; empty: at the first
    public SmClient(InetSocketAddress server, String node, SubnetManager manager)
            throws IOException {
        this(new IbsimPort(server, node, true), manager);
    }

    /// @param port by which it reaches the subnet; closed with the client
    public SmClient(ManagementLink port, SubnetManager manager) {
        this.port = port;
        this.manager = manager;
    }

    /// Does something in each turn, at least every second.
    public void everyTurn(Runnable watch) {
        watches.add(watch);
    }

    /// Manages until [#end].
    ///
    /// @param isOnce until the subnet is up the first time, or another manager proves to be master
    /// @param reports gets what was found and done
    public void run(boolean isOnce, Consumer<SweepReport> reports) throws IOException {
        manager.start(System.nanoTime());
        try {
            drive(isOnce, reports);
        } catch (UncheckedIOException failed) {
            throw failed.getCause();
        }
    }

    private void drive(boolean isOnce, Consumer<SweepReport> reports) throws IOException {
        boolean isDone = false;
        while (!isEnding && !isDone) {
            watches.forEach(Runnable::run);
            boolean hasSent = flush();
            boolean hasReceived =
                    port.receive(
                            (lid, pair, mad) -> manager.handle(System.nanoTime(), lid, pair, mad));
            Optional<SweepReport> report = manager.pollReport();
            report.ifPresent(reports);
            // A standby would wait for as long as the master lives.
            isDone = isOnce && (report.isPresent() || manager.role() == ManagerRole.STANDBY);
            long nowNs = System.nanoTime();
            if (manager.timeoutNs() <= nowNs) {
                manager.handleTimeout(nowNs);
            } else if (!hasSent && !hasReceived && !isDone) {
                port.await(Math.clamp((manager.timeoutNs() - nowNs) / NS_PER_MS, 1, 1_000));
            }
        }
    }

    private boolean flush() {
        boolean hasSent = false;
        while (manager.transmit(System.nanoTime(), port::sendUnchecked)) {
            hasSent = true;
        }
        return hasSent;
    }

    /// Has the next turn begin at once, from any thread.
    public void wakeUp() {
        port.wakeUp();
    }

    /// Ends [#run], from any thread.
    public void end() {
        isEnding = true;
        port.wakeUp();
    }

    @Override
    public void close() throws IOException {
        port.close();
    }
}
