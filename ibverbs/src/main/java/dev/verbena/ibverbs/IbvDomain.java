package dev.verbena.ibverbs;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairOptions;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.UnsupportedException;
import dev.verbena.verbs.WindowType;
import dev.verbena.verbs.spi.ObjectNames;
import dev.verbena.verbs.spi.ObjectRules;
import dev.verbena.verbs.spi.RegionRules;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A protection domain, and the list of its objects: it is destroyed when the domain and all of
/// them are closed.
final class IbvDomain implements ProtectionDomain {
    private static final long PAGE = 4096;

    private final IbvDevice device;
    final IbvContext context;
    final long address;
    private final int number;
    final Set<IbvQueuePair> pairs = new LinkedHashSet<>();
    final Set<IbvSharedReceives> shared = new LinkedHashSet<>();
    final Set<IbvRegion> regions = new LinkedHashSet<>();
    final Set<IbvWindow> windows = new LinkedHashSet<>();
    final Set<IbvAddressHandle> handles = new LinkedHashSet<>();
    private boolean isEnded;
    private volatile boolean closed;

    IbvDomain(IbvDevice device, int number) {
        this.device = device;
        this.context = device.context;
        this.number = number;
        this.address = context.verbs.allocPd(device.name(), context.address);
    }

    @Override
    public Device device() {
        return device;
    }

    IbvDevice deviceImpl() {
        return device;
    }

    @Override
    public MemoryRegion allocate(long bytes, Access... rights) {
        Set<Access> checked = check(bytes, rights);
        Arena arena = Arena.ofShared();
        try {
            // Whole pages: the device's pin on the last page affects no other memory.
            long whole = Math.max(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
            MemorySegment segment = arena.allocate(whole, PAGE).asSlice(0, bytes);
            return inside(() -> IbvRegion.of(this, arena, segment, checked, number()));
        } catch (OutOfMemoryError full) {
            arena.close();
            throw RegionRules.noMemory(this, bytes, full);
        } catch (RuntimeException refused) {
            arena.close();
            throw refused;
        }
    }

    @Override
    public MemoryRegion register(MemorySegment segment, Access... rights) {
        Set<Access> checked = check(segment.byteSize(), rights);
        RegionRules.requireNative(this, segment);
        RegionRules.requireShared(this, segment);
        RegionRules.requireWritable(this, segment, checked);
        return inside(() -> IbvRegion.of(this, null, segment, checked, number()));
    }

    @Override
    public MemoryRegion registerDmaBuf(int file, long offset, long bytes, Access... rights) {
        Set<Access> checked = check(bytes, rights);
        if (offset < 0) {
            throw new InvalidRequestException(
                    toString(), "no byte " + offset + " in a file", "use 0 or more");
        }
        return inside(() -> IbvRegion.ofDmaBuf(this, file, offset, bytes, checked, number()));
    }

    @Override
    public MemoryWindow window(WindowType type) {
        int needed =
                type == WindowType.TYPE_1
                        ? Structs.DeviceAttr.CAN_WINDOW_TYPE_1
                        : Structs.DeviceAttr.CAN_WINDOW_TYPE_2B;
        if (!context.abilities.has(needed)) {
            throw new UnsupportedException(
                    toString(), "the device has no windows of " + type, "use the other type");
        }
        return inside(() -> new IbvWindow(this, type, number()));
    }

    @Override
    public SharedReceiveQueue sharedReceiveQueue(int depth) {
        return inside(() -> new IbvSharedReceives(this, number(), depth));
    }

    @Override
    public AddressHandle addressHandle(Address way) {
        return inside(() -> new IbvAddressHandle(this, way));
    }

    @Override
    public QueuePair queuePair(QueuePairType type, Consumer<QueuePairOptions> settings) {
        QueuePairOptions options = new QueuePairOptions();
        settings.accept(options);
        return inside(() -> IbvQueuePair.create(this, type, options));
    }

    private int number() {
        return device.number();
    }

    private <T> T inside(Supplier<T> maker) {
        return context.locked(this::requireOpen, maker);
    }

    /// Closing only ends the right to make more in it; regions and queue pairs live on.
    @Override
    public void close() {
        context.lock.lock();
        try {
            closed = true;
            endIfEmpty();
        } finally {
            context.lock.unlock();
        }
    }

    /// Something in it has ended.
    void endIfEmpty() {
        boolean empty =
                pairs.isEmpty()
                        && shared.isEmpty()
                        && regions.isEmpty()
                        && windows.isEmpty()
                        && handles.isEmpty();
        if (closed && empty && !isEnded) {
            isEnded = true;
            context.verbs.deallocPd(address);
            device.domains.remove(this);
        }
    }

    /// Destroys all objects in the domain, users before the objects that they use.
    void closeAll() {
        closed = true;
        new ArrayList<>(pairs).forEach(IbvQueuePair::close);
        new ArrayList<>(shared).forEach(IbvSharedReceives::close);
        new ArrayList<>(handles).forEach(IbvAddressHandle::close);
        new ArrayList<>(windows).forEach(IbvWindow::close);
        new ArrayList<>(regions).forEach(IbvRegion::close);
        context.lingering.sweep(true);
        endIfEmpty();
    }

    /// Whether a request in the domain names the region.
    boolean holds(IbvRegion region) {
        for (IbvQueuePair pair : pairs) {
            if (pair.holds(region)) {
                return true;
            }
        }
        for (IbvSharedReceives queue : shared) {
            if (queue.requests().holds(region)) {
                return true;
            }
        }
        return false;
    }

    /// Ours, or a refusal that names the request.
    @Nullable IbvRegion own(MemoryRegion given) {
        return given instanceof IbvRegion region && equals(region.domain()) ? region : null;
    }

    private Set<Access> check(long bytes, Access... rights) {
        requireOpen();
        RegionRules.requireSize(this, bytes, context.limits.regionBytes());
        Set<Access> all = RegionRules.rights(rights);
        if (all.contains(Access.INVALIDATE)) {
            throw new UnsupportedException(
                    toString(),
                    "the keys of whole regions cannot be invalidated with a NIC",
                    "bind a window and invalidate that");
        }
        return all;
    }

    private void requireOpen() {
        device.requireOpen();
        if (closed) {
            throw ObjectRules.closedDomain(this);
        }
    }

    @Override
    public String toString() {
        return ObjectNames.domain(number);
    }
}
