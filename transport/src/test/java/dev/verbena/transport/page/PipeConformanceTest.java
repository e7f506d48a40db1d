package dev.verbena.transport.page;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.World;
import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Device;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/// The suite over the skeleton of docs/writing-a-provider.md.
class PipeConformanceTest implements ConformanceSuite {
    @Override
    public World world() {
        return new PipeWorld();
    }

    private static final class PipeWorld implements World {
        private final PipeNetwork network = new PipeNetwork();
        private final List<TransportDevice> devices =
                List.of(network.open("left", 1), network.open("right", 2));

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
            while (!condition.getAsBoolean()) {
                if (!network.turn()) {
                    if (network.nowNs() >= endNs) {
                        return false;
                    }
                    network.idle(endNs);
                }
            }
            return true;
        }

        @Override
        public void close() {
            devices.forEach(TransportDevice::close);
        }
    }
}
