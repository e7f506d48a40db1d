package dev.verbena.benchmarks.congestion;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;
import java.time.Duration;
import java.util.Arrays;

/// A host of its own that writes as fast as it may, from one second to another.
final class WritingHost implements AutoCloseable {
    private static final int DEPTH = 16;
    private static final int FEW = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /// Bytes that the peer has acknowledged.
    long bytes;

    final double toSeconds;
    private final double fromSeconds;
    private final Device device;
    private final CompletionQueue completions;
    private final MemoryRegion region;
    private final QueuePair pair;
    private final RemoteSlice remote;
    private int underWay;
    private boolean hasGivenUp;

    /// @param text `URI@FROM-TO`, where the URI says how congestion is controlled
    WritingHost(String text, Address peer) throws ConnectionFailedException {
        String[] parts = text.split("[@-]", -1);
        fromSeconds = Double.parseDouble(parts[1]);
        toSeconds = Double.parseDouble(parts[2]);
        device = Devices.open(parts[0]);
        completions = device.completionQueue(DEPTH);
        ProtectionDomain domain = device.protectionDomain();
        region = domain.allocate(Congestion.MESSAGE, Access.LOCAL_WRITE);
        pair =
                domain.queuePair(
                        QueuePairType.RC, it -> it.completions(completions).sendDepth(DEPTH));
        Connection connection = device.connect(pair, peer, Congestion.PORT);
        connection.await(PATIENCE);
        remote = RemoteSlice.of(Arrays.copyOf(connection.privateData(), RemoteSlice.LENGTH));
    }

    Device device() {
        return device;
    }

    /// Whether too much of it was lost to go on.
    boolean hasGivenUp() {
        return hasGivenUp;
    }

    /// Sends a few messages at a time, so that the code of all flows is compiled before the
    /// measurement.
    void warmUp() {
        take();
        while (underWay < FEW) {
            post();
        }
    }

    /// Whether nothing is under way.
    boolean isIdle() {
        return underWay == 0;
    }

    /// Takes what is done and posts what there is room for.
    void advance(double seconds) {
        take();
        boolean isItsTime = seconds >= fromSeconds && seconds < toSeconds;
        while (underWay < DEPTH && isItsTime && !hasGivenUp) {
            post();
        }
    }

    /// Takes what is done.
    void take() {
        for (Completion done = completions.poll(); done != null; done = completions.poll()) {
            underWay--;
            if (done.isSuccess()) {
                bytes += Congestion.MESSAGE;
            } else if (!hasGivenUp) {
                hasGivenUp = true;
                System.out.printf("%s gives up: %s%n", pair, done.status());
            }
        }
    }

    private void post() {
        pair.sends()
                .write(remote.address(), remote.key())
                .local(region, 0, Congestion.MESSAGE)
                .signaled()
                .post();
        underWay++;
    }

    @Override
    public void close() {
        device.close();
    }
}
