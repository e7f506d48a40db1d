package dev.verbena.transport;

import dev.verbena.conformance.World;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceLimits;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Two devices in one network in memory, in virtual time.
final class LoopbackWorld implements World {
    /// Far more turns than any test needs while the time stands still; beyond, nothing will end.
    private static final int TURNS_MAX = 1_000_000;

    private static final int DEFAULT_PARTITION = 0xFFFF;
    private static final int OTHER_PARTITION = 0x8002;

    /// Small enough that tests run into each of them.
    private static final DeviceLimits LIMITS =
            new DeviceLimits(
                    512, 1024, 512, 64, 32, 64, 8, 16, 1024, 2048, 7, 300, 4096, 32, 32, 1L << 40,
                    1L << 31, 16);

    private final Loopback network;
    private final List<TransportDevice> devices;

    LoopbackWorld(long seed) {
        network = new Loopback(seed);
        Consumer<TransportOptions> settings =
                options ->
                        options.limits(LIMITS)
                                .partitionKeys(List.of(DEFAULT_PARTITION, OTHER_PARTITION));
        devices = List.of(network.open("left", settings), network.open("right", settings));
    }

    @Override
    public Device device(int index) {
        return devices.get(index);
    }

    @Override
    public long nowNs() {
        return network.nowNs();
    }

    @Override
    public boolean advanceUntil(BooleanSupplier condition, Duration limit) {
        long endNs = network.nowNs() + limit.toNanos();
        int turns = 0;
        while (!condition.getAsBoolean()) {
            if (network.turn()) {
                turns++;
                if (turns > TURNS_MAX) {
                    throw new AssertionError("busy for ever at " + network.nowNs() + " ns");
                }
            } else if (network.nowNs() < endNs) {
                network.idle(endNs);
                turns = 0;
            } else {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        devices.forEach(TransportDevice::close);
    }
}
