package dev.verbena.virtual;

import dev.verbena.conformance.Feature;
import dev.verbena.conformance.World;
import dev.verbena.transport.TransportDevice;
import dev.verbena.transport.TransportOptions;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceLimits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Two devices on a virtual network.
final class VirtualWorld implements World {
    /// Far more turns than any test needs while the time stands still; beyond, nothing will end.
    private static final int TURNS_MAX = 10_000_000;

    private static final List<Integer> PARTITIONS = List.of(0xFFFF, 0x8002);

    /// Small enough that tests run into each of them.
    private static final DeviceLimits LIMITS =
            new DeviceLimits(
                    512, 1024, 512, 64, 32, 64, 8, 16, 1024, 2048, 7, 300, 4096, 32, 32, 1L << 40,
                    1L << 31, 16);

    private final VirtualNetwork network;
    private final List<TransportDevice> devices;

    VirtualWorld(VirtualSettings settings) {
        network = new VirtualNetwork(settings);
        Consumer<TransportOptions> options = it -> it.limits(LIMITS).partitionKeys(PARTITIONS);
        devices = List.of(network.open("left", options), network.open("right", options));
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
    public Optional<String> lacks(Feature feature) {
        return feature == Feature.LOSSLESS && network.settings().loss() > 0
                ? Optional.of("this network loses packets on purpose")
                : Optional.empty();
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
            } else {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        network.close();
    }
}
