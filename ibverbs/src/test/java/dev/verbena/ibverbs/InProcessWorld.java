package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.conformance.Feature;
import dev.verbena.conformance.World;
import dev.verbena.ibverbs.driver.InProcessDriver;
import dev.verbena.verbs.Device;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;

/// Two devices of a driver in this process. What the provider leaves behind, and what a library in
/// C would not survive, fails the test when the world is closed.
final class InProcessWorld implements World {
    static final List<String> NAMES = List.of("inproc0", "inproc1");
    static final List<Integer> PARTITION_KEYS = List.of(0xFFFF, 0x8002);

    /// Waits up to this long are for something that should not happen.
    private static final Duration SHORT = Duration.ofSeconds(1);

    private static final long REST_NS = 20_000;

    private final InProcessDriver driver;
    private final RdmaStack stack;
    private final List<IbvDevice> devices;

    /// @param isSoftRoce whether the driver has the habits of Soft-RoCE
    InProcessWorld(boolean isSoftRoce) {
        this(isSoftRoce, InProcessFastPath::new);
    }

    /// @param fast makes the functions of a context, from its address
    InProcessWorld(boolean isSoftRoce, LongFunction<FastPath> fast) {
        driver = new InProcessDriver(isSoftRoce, PARTITION_KEYS, NAMES);
        InProcessLibrary library = new InProcessLibrary(driver);
        Verbs verbs = new Verbs(library);
        stack = new RdmaStack(verbs, _ -> new Cm(library), fast, InProcessSysfs.of(isSoftRoce));
        devices = NAMES.stream().map(this::open).toList();
    }

    /// Opens a device of the driver's.
    IbvDevice open(String name) {
        return IbvDevice.open(stack, IbvSettings.parse(URI.create("ibverbs://" + name)));
    }

    InProcessDriver driver() {
        return driver;
    }

    RdmaStack stack() {
        return stack;
    }

    @Override
    public Device device(int index) {
        return devices.get(index);
    }

    @Override
    public long nowNs() {
        return driver.nowNs();
    }

    @Override
    public Optional<String> lacks(Feature feature) {
        return switch (feature) {
            case INVALIDATE_REGION -> Optional.of("user space cannot have it; windows can");
            case SOLICITED_MARK -> Optional.of("libibverbs does not tell");
            case CLOSED_ARENAS -> Optional.of("a NIC holds the memory itself");
            case EXACT_TIME -> Optional.of("the provider's own thread has real time");
            case MANAGED_UNRELIABLE -> Optional.of("Linux' rdma_cm connects RC alone");
            case ROOM_IS_TOLD -> Optional.of("Linux lets programs refuse with a plain no alone");
            case ANY_QUEUE_KEY -> Optional.of("Linux' rdma_cm tells the usual one alone");
            default -> Optional.empty();
        };
    }

    /// The limit is of the network's time, which runs faster than the provider's threads may:
    /// something that has to come gets the same time of the machine.
    @Override
    public boolean advanceUntil(BooleanSupplier condition, Duration limit) {
        long endNs = nowNs() + limit.toNanos();
        long realEndNs = System.nanoTime() + (limit.compareTo(SHORT) > 0 ? limit.toNanos() : 0);
        while (!condition.getAsBoolean()) {
            if (nowNs() - endNs > 0 && System.nanoTime() - realEndNs > 0) {
                return false;
            }
            LockSupport.parkNanos(REST_NS);
        }
        return true;
    }

    @Override
    public void close() {
        devices.forEach(Device::close);
        driver.close();
        assertThat(driver.misuse().found()).as("calls that a library does not survive").isEmpty();
    }
}
