package dev.verbena.fabric;

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

/// Two hosts of a fabric.
final class FabricWorld implements World {
    private static final List<Integer> PARTITIONS = List.of(0xFFFF, 0x8002);

    /// Small enough that tests run into each of them.
    private static final DeviceLimits LIMITS =
            new DeviceLimits(
                    512, 1024, 512, 64, 32, 64, 8, 16, 1024, 2048, 7, 300, 4096, 32, 32, 1L << 40,
                    1L << 31, 16);

    private final Fabric fabric;
    private final List<TransportDevice> devices;

    FabricWorld(Topology topology, FabricSettings settings) {
        fabric = new Fabric(topology, settings);
        Consumer<TransportOptions> options = it -> it.limits(LIMITS).partitionKeys(PARTITIONS);
        devices = List.of(fabric.open(0, options), fabric.open(topology.hosts() - 1, options));
    }

    @Override
    public Device device(int index) {
        return devices.get(index);
    }

    @Override
    public long nowNs() {
        return fabric.nowPs() / Clock.PS_PER_NS;
    }

    @Override
    public Optional<String> lacks(Feature feature) {
        return feature == Feature.MULTICAST
                ? Optional.of("switches have no multicast tables yet")
                : Optional.empty();
    }

    @Override
    public boolean advanceUntil(BooleanSupplier condition, Duration limit) {
        long endNs = nowNs() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (!fabric.turn()) {
                if (nowNs() >= endNs) {
                    return false;
                }
                fabric.idle(endNs);
            }
        }
        return true;
    }

    @Override
    public void close() {
        devices.forEach(Device::close);
    }
}
