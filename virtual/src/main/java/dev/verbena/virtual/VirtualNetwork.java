package dev.verbena.virtual;

import dev.verbena.transport.TransportDevice;
import dev.verbena.transport.TransportOptions;
import dev.verbena.transport.Turns;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.wire.capture.CaptureWriter;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

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
/// made from them, belong to one thread at a time, or to threads that take turns: see
/// [dev.verbena.verbs.spi.VirtualTime].
public final class VirtualNetwork implements AutoCloseable {
    /// Devices that may be open at a time.
    public static final int DEVICES_MAX = 1024;

    /// Packets that may be under way; beyond that devices wait before they send more.
    public static final int PACKETS_MAX = 1 << 16;

    private final VirtualSettings settings;
    private final SplittableRandom random;
    private final Wire wire;
    private final Turns<Port> turns;
    private Runnable whenEmpty = () -> {};
    private int made;

    /// A network without devices, at time 0.
    public VirtualNetwork(VirtualSettings settings) {
        this.settings = settings;
        random = new SplittableRandom(settings.seed());
        wire = new Wire(settings);
        turns = new Turns<>("virtual", wire);
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
        return turns.alone(() -> make(name, changes));
    }

    private TransportDevice make(String name, Consumer<TransportOptions> changes) {
        if (turns.ports().size() == DEVICES_MAX) {
            throw new LimitExceededException(
                    "virtual network",
                    "it holds " + DEVICES_MAX + " devices already",
                    "close some, or open another network");
        }
        turns.requireFree(name);
        // Two streams for each device, in the order of opening: the draws of one device do not
        // change another.
        SplittableRandom keys = random.split();
        Fates fates = new Fates(settings, random.split());
        Port port = new Port(this, turns, wire, fates, ++made);
        TransportOptions options = turns.options(keys, port).madeUpAddresses(true);
        changes.accept(options);
        options.name(name).gids(List.of(port.gid())).carriesPhantoms(false);
        return turns.open(port, options);
    }

    /// The devices that are open.
    public List<TransportDevice> devices() {
        return turns.ports().stream().map(Port::device).toList();
    }

    /// Nanoseconds since the network was made.
    public long nowNs() {
        return turns.nowNs();
    }

    public VirtualCounts counts() {
        return wire.counts();
    }

    /// Does all that is due at this instant, once; returns whether there was anything.
    public boolean turn() {
        return turns.turn();
    }

    /// Lets the time jump to the next event, at most to `deadlineNs`.
    public void idle(long deadlineNs) {
        turns.idle(deadlineNs);
    }

    /// Does all that is due from now on for so long.
    public void advance(Duration time) {
        long endNs = nowNs() + time.toNanos();
        while (true) {
            while (turn()) {}
            if (nowNs() >= endNs) {
                return;
            }
            idle(endNs);
        }
    }

    /// Closes the devices that are still open and completes the capture.
    @Override
    public void close() {
        whenEmpty = () -> {};
        devices().forEach(TransportDevice::close);
        wire.close();
    }

    /// Sets the listener that is called when the last device was closed.
    void whenEmpty(Runnable listener) {
        whenEmpty = listener;
    }

    boolean isEmpty() {
        return turns.ports().isEmpty();
    }

    /// Called when a device was closed.
    void closed() {
        if (isEmpty()) {
            whenEmpty.run();
        }
    }
}
