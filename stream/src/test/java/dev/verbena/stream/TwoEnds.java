package dev.verbena.stream;

import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.spi.VirtualTime;
import dev.verbena.virtual.VirtualNetwork;
import dev.verbena.virtual.VirtualSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Two groups on two devices in virtual time, driven by the test's thread.
final class TwoEnds implements AutoCloseable {
    static final int PORT = 7471;
    private static final long STEP_NS = 100_000;

    final VirtualNetwork network;
    final Device left;
    final Device right;
    final VirtualTime time;
    final StreamGroup leftGroup;
    final StreamGroup rightGroup;
    final Listener listener;

    TwoEnds(VirtualSettings faults, StreamSettings settings) {
        this(faults, settings, settings);
    }

    TwoEnds(VirtualSettings faults, StreamSettings ofLeft, StreamSettings ofRight) {
        network = new VirtualNetwork(faults);
        left = network.open("left");
        right = network.open("right");
        time = VirtualTime.of(left).orElseThrow();
        leftGroup = new StreamGroup(left, ofLeft);
        rightGroup = new StreamGroup(right, ofRight);
        listener = right.listen(PORT, 16);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(right.gids(1).getFirst().toInetAddress(), PORT);
    }

    /// Connects a stream from left to right and returns both ends.
    ByteStream[] connect() throws IOException {
        ByteStream from = leftGroup.connect(address());
        ByteStream to = rightGroup.accept(request());
        if (!run(() -> from.isConnected() && to.isConnected(), 60_000_000_000L)) {
            throw new IOException("not connected: " + from.failure() + ", " + to.failure());
        }
        return new ByteStream[] {from, to};
    }

    ConnectionRequest request() {
        AtomicReference<@Nullable ConnectionRequest> request = new AtomicReference<>();
        run(
                () -> {
                    request.set(listener.poll());
                    return request.get() != null;
                },
                60_000_000_000L);
        return Objects.requireNonNull(request.get(), "no request arrived");
    }

    /// Lets both groups work until something is so; returns whether it is before so much virtual
    /// time has passed.
    boolean run(BooleanSupplier isOver, long limitNs) {
        return run(isOver, limitNs, List.of(leftGroup, rightGroup));
    }

    /// The same when the right device is gone.
    boolean runLeft(BooleanSupplier isOver, long limitNs) {
        return run(isOver, limitNs, List.of(leftGroup));
    }

    private boolean run(BooleanSupplier isOver, long limitNs, List<StreamGroup> groups) {
        long endNs = time.nowNs() + limitNs;
        while (!isOver.getAsBoolean()) {
            boolean any = false;
            for (StreamGroup group : groups) {
                any |= group.progress();
            }
            if (!any && !time.step(Math.min(endNs, time.nowNs() + STEP_NS))) {
                if (time.nowNs() >= endNs) {
                    return false;
                }
                time.advanceTo(Math.min(endNs, time.nowNs() + STEP_NS));
            }
        }
        return true;
    }

    @Override
    public void close() {
        leftGroup.close();
        rightGroup.close();
        network.close();
    }
}
