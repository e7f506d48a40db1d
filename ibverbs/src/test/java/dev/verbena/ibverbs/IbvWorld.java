package dev.verbena.ibverbs;

import dev.verbena.conformance.Feature;
import dev.verbena.conformance.World;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// A device of the kernel's, opened twice, so that what one sends the other receives.
final class IbvWorld implements World {
    /// Names the device, as in `ibverbs://NAME`.
    static final String PROPERTY = "verbena.ibverbs.device";

    private final List<Device> devices;

    IbvWorld() {
        String uri = "ibverbs://" + System.getProperty(PROPERTY);
        devices = List.of(Devices.open(uri), Devices.open(uri));
    }

    @Override
    public Device device(int index) {
        return devices.get(index);
    }

    @Override
    public long nowNs() {
        return System.nanoTime();
    }

    @Override
    public Optional<String> lacks(Feature feature) {
        return switch (feature) {
            case INVALIDATE_REGION -> Optional.of("user space cannot have it; windows can");
            case TWO_PARTITIONS -> Optional.of("the port has one partition key");
            case RATE_LIMIT -> Optional.of("the device has no packet pacing");
            case PEER_FAILURE_EVENTS -> Optional.of("rdma_rxe raises none");
            case SOLICITED_MARK -> Optional.of("libibverbs does not tell");
            case CLOSED_ARENAS -> Optional.of("a NIC holds the memory itself");
            case EXACT_TIME -> Optional.of("the time is real");
            case OWN_ADDRESSES -> Optional.of("both are the same device");
            case MANAGED_UNRELIABLE -> Optional.of("Linux' rdma_cm connects RC alone");
            case ROOM_IS_TOLD -> Optional.of("Linux lets programs refuse with a plain no alone");
            case ANY_QUEUE_KEY -> Optional.of("Linux' rdma_cm tells the usual one alone");
            default -> Optional.empty();
        };
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // the kernel's threads may have no other processor
    public boolean advanceUntil(BooleanSupplier condition, Duration limit) {
        long endNs = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            Thread.yield();
            if (System.nanoTime() - endNs > 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        devices.forEach(Device::close);
    }
}
