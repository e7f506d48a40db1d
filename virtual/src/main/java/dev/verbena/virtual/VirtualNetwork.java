package dev.verbena.virtual;

import dev.verbena.transport.TransportDevice;
import dev.verbena.transport.TransportOptions;
import dev.verbena.transport.carrier.OneThread;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.NoDeviceException;
import dev.verbena.wire.capture.CaptureWriter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A network inside one thread whose packets are whole RoCE v2 frames, in virtual time, with faults
/// by seed.
///
/// ```
/// try (var network = new VirtualNetwork(VirtualSettings.DEFAULT.withSeed(42).withLoss(0.02))) {
///     Device left = network.open("left");
///     Device right = network.open("right");
///     …
/// }
/// ```
///
/// The time stands still while there is something to do at this instant, and jumps to the next
/// event when a program waits (`CompletionQueue.await`) or [#advance] is called. A poll that finds
/// nothing takes 100 ns while something is under way. All devices of a network, and all that is
/// made from them, belong to one thread at a time.
public final class VirtualNetwork implements AutoCloseable {
    /// Devices that may be open at a time.
    public static final int DEVICES_MAX = 1024;

    /// Packets that may be under way; beyond that devices wait before they send more.
    public static final int PACKETS_MAX = 1 << 16;

    private static final long POLL_NS = 100;
    private static final List<Port> NOBODY = List.of();

    private final VirtualSettings settings;
    private final SplittableRandom random;
    private final Wire wire;
    private final List<Port> ports = new ArrayList<>();
    private final Map<Gid, Port> byGid = new HashMap<>();
    private final Map<Gid, List<Port>> groups = new HashMap<>();
    private final ArrayDeque<Port> busy = new ArrayDeque<>();
    private Runnable whenEmpty = () -> {};
    private long nowNs;
    private int made;
    private boolean turning;
    private final OneThread guard = new OneThread("virtual network");

    /// A network without devices, at time 0.
    public VirtualNetwork(VirtualSettings settings) {
        this.settings = settings;
        random = new SplittableRandom(settings.seed());
        wire = new Wire(settings);
    }

    public VirtualSettings settings() {
        return settings;
    }

    /// Writes every frame as it is sent, before anything happens to it, with the virtual time. The
    /// network closes the writer when it is closed.
    public VirtualNetwork capture(CaptureWriter writer) {
        if (wire.isCaptured()) {
            throw new InvalidRequestException(
                    "virtual network", "it has a capture already", "write one file per network");
        }
        wire.captureTo(writer);
        return this;
    }

    /// A new device with ordinary settings.
    public TransportDevice open(String name) {
        return open(name, options -> {});
    }

    /// A new device; `changes` may set everything but its name and addresses, and that it transmits
    /// bytes alone.
    public TransportDevice open(String name, Consumer<TransportOptions> changes) {
        if (ports.size() == DEVICES_MAX) {
            throw new LimitExceededException(
                    "virtual network",
                    "it holds " + DEVICES_MAX + " devices already",
                    "close some, or open another network");
        }
        for (Port port : ports) {
            if (port.device().name().equals(name)) {
                throw new NoDeviceException(
                        "virtual " + name, "it is open already", "use another name, or close it");
            }
        }
        // Two streams for each device, in the order of opening: the draws of one device do not
        // change another.
        SplittableRandom keys = random.split();
        Fates fates = new Fates(settings, random.split());
        Port port = new Port(this, wire, fates, ++made);
        TransportOptions options =
                new TransportOptions(keys, port).madeUpAddresses(true).guard(guard);
        changes.accept(options);
        options.name(name).gids(List.of(port.gid())).carriesPhantoms(false);
        port.device(TransportDevice.create(options));
        ports.add(port);
        byGid.put(port.gid(), port);
        return port.device();
    }

    /// The devices that are open.
    public List<TransportDevice> devices() {
        return ports.stream().map(Port::device).toList();
    }

    /// Nanoseconds since the network was made.
    public long nowNs() {
        return nowNs;
    }

    public VirtualCounts counts() {
        return wire.counts();
    }

    /// Does all that is due at this instant, once; returns whether there was anything.
    public boolean turn() {
        if (turning) {
            // A listener polls; the turn that called it continues.
            return false;
        }
        guard.enter();
        turning = true;
        try {
            boolean any = false;
            while (wire.nextNs() <= nowNs) {
                deliver(wire.arrive());
                any = true;
            }
            int turns = busy.size();
            for (int i = 0; i < turns && !busy.isEmpty() && !wire.isFull(); i++) {
                any |= busy.removeFirst().transmit(nowNs);
            }
            return any;
        } finally {
            turning = false;
            guard.exit();
        }
    }

    /// A poll takes a little time where something waits for it.
    void pass() {
        if (!turning && nextNs(Long.MAX_VALUE) != Long.MAX_VALUE) {
            idle(nowNs + POLL_NS);
        }
    }

    /// When something happens next, at most this.
    private long nextNs(long deadlineNs) {
        long nextNs = Math.min(deadlineNs, wire.nextNs());
        for (int i = 0; i < ports.size(); i++) {
            nextNs = Math.min(nextNs, ports.get(i).device().pollTimeout());
        }
        return nextNs;
    }

    /// Lets the time jump to the next event, at most to `deadlineNs`.
    public void idle(long deadlineNs) {
        guard.enter();
        try {
            jump(deadlineNs);
        } finally {
            guard.exit();
        }
    }

    private void jump(long deadlineNs) {
        long nextNs = nextNs(deadlineNs);
        if (turning || nextNs == Long.MAX_VALUE) {
            return;
        }
        nowNs = Math.max(nowNs, nextNs);
        for (int i = 0; i < ports.size(); i++) {
            ports.get(i).handleTimeout(nowNs);
        }
    }

    /// Does all that is due from now on for so long.
    public void advance(Duration time) {
        long endNs = nowNs + time.toNanos();
        while (true) {
            while (turn()) {}
            if (nowNs >= endNs) {
                return;
            }
            idle(endNs);
        }
    }

    /// Closes the devices that are still open and completes the capture.
    @Override
    public void close() {
        whenEmpty = () -> {};
        for (Port port : List.copyOf(ports)) {
            port.device().close();
        }
        wire.close();
    }

    /// Sets the listener that is called when the last device was closed.
    void whenEmpty(Runnable listener) {
        whenEmpty = listener;
    }

    boolean isEmpty() {
        return ports.isEmpty();
    }

    void busy(Port port) {
        busy.addLast(port);
    }

    void closed(Port port) {
        ports.remove(port);
        byGid.remove(port.gid());
        busy.remove(port);
        if (ports.isEmpty()) {
            whenEmpty.run();
        }
    }

    @Nullable Port at(Gid gid) {
        return byGid.get(gid);
    }

    void join(Gid group, Port port) {
        groups.computeIfAbsent(group, fresh -> new ArrayList<>(1)).add(port);
    }

    void leave(Gid group, Port port) {
        List<Port> members = groups.get(group);
        if (members != null && members.remove(port) && members.isEmpty()) {
            groups.remove(group);
        }
    }

    List<Port> members(Gid group) {
        return groups.getOrDefault(group, NOBODY);
    }

    private void deliver(Flight flight) {
        Port to = flight.to;
        if (to != null && !to.isClosed()) {
            to.deliver(nowNs, flight);
        }
        wire.giveBack(flight);
    }
}
