package dev.verbena.transport;

import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.memory.FileMappings;
import dev.verbena.transport.memory.TransportRegion;
import dev.verbena.transport.path.AddressRules;
import dev.verbena.transport.path.TransportAddressHandle;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairOptions;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.WindowType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A protection domain: an identity that regions and queue pairs share.
final class TransportDomain implements ProtectionDomain {
    private static final long PAGE = 4096;

    /// A thread that owns nothing: a segment that it can access is not confined to any thread.
    private static final Thread NOBODY = Thread.ofVirtual().unstarted(() -> {});

    private final TransportDevice device;
    private final int index;
    private volatile boolean closed;

    TransportDomain(TransportDevice device, int index) {
        this.device = device;
        this.index = index;
    }

    Engine engine() {
        return device.engine();
    }

    @Override
    public Device device() {
        return device;
    }

    @Override
    public MemoryRegion allocate(long bytes, Access... rights) {
        Set<Access> checked = check(bytes, rights);
        int place = reserve();
        // Without the guard: much memory takes long to be cleared.
        Arena arena = Arena.ofShared();
        MemorySegment segment;
        try {
            segment = arena.allocate(bytes, PAGE);
        } catch (OutOfMemoryError full) {
            arena.close();
            giveBack(place);
            throw new LimitExceededException(
                    toString(),
                    "no " + bytes + " bytes of native memory: " + full.getMessage(),
                    "raise -XX:MaxDirectMemorySize, or allocate less",
                    full);
        }
        return add(place, arena, segment, base(place, segment), bytes, checked);
    }

    @Override
    public MemoryRegion register(MemorySegment segment, Access... rights) {
        Set<Access> checked = check(segment.byteSize(), rights);
        if (!segment.isNative()) {
            throw new InvalidRequestException(
                    toString(),
                    "a heap segment can move under the device",
                    "allocate native memory, best with ProtectionDomain.allocate");
        }
        if (segment.isMapped() || FileMappings.cover(segment.address(), segment.byteSize())) {
            throw new InvalidRequestException(
                    toString(),
                    "the segment is a mapped file, and touching it after the file is cut short"
                            + " would end the JVM",
                    "copy the bytes into memory of ProtectionDomain.allocate");
        }
        if (!segment.scope().isAlive() || !isShared(segment)) {
            throw new InvalidRequestException(
                    toString(),
                    segment.scope().isAlive()
                            ? "the segment is confined to one thread"
                            : "the segment's arena is closed",
                    "use an open arena that is shared, automatic or global");
        }
        if (segment.isReadOnly() && (Access.bits(checked) & Access.LOCAL_WRITE.bit()) != 0) {
            throw new InvalidRequestException(
                    toString(),
                    "the segment is read-only and the rights include writing",
                    "register it with REMOTE_READ alone, or with no right");
        }
        int place = reserve();
        return add(place, null, segment, base(place, segment), segment.byteSize(), checked);
    }

    /// See [TransportDevice#phantom].
    MemoryRegion phantom(long bytes, Access... rights) {
        Set<Access> checked = check(bytes, rights);
        if (checked.contains(Access.REMOTE_ATOMIC)) {
            throw new InvalidRequestException(
                    toString(),
                    "a phantom region has no value that an atomic could change",
                    "leave REMOTE_ATOMIC out, or allocate the region");
        }
        int place = reserve();
        return add(place, null, null, madeUp(place), bytes, checked);
    }

    @Override
    public MemoryWindow window(WindowType type) {
        try (var _ = engine().life.door.enter()) {
            requireOpen();
            return engine().windows.create(this, type);
        }
    }

    @Override
    public SharedReceiveQueue sharedReceiveQueue(int depth) {
        try (var _ = engine().life.door.enter()) {
            requireOpen();
            return engine().shared.create(this, depth);
        }
    }

    @Override
    public AddressHandle addressHandle(Address address) {
        try (var _ = engine().life.door.enter()) {
            requireOpen();
            DeviceSettings settings = engine().settings;
            boolean isEthernet = settings.port.linkLayer() == LinkLayer.ETHERNET;
            if (isEthernet ? address.gid().equals(Gid.NONE) : address.lid() == 0) {
                throw new InvalidRequestException(
                        toString(),
                        isEthernet ? "no way without a gid" : "no way without a lid",
                        "use the address of the peer's endpoint: Address.to(endpoint)");
            }
            if (address.sourceGid() >= settings.gids.size()) {
                throw new InvalidRequestException(
                        toString(),
                        "the port has no gid at index " + address.sourceGid(),
                        "the port has " + settings.gids.size());
            }
            AddressRules.requireSameVersion(this, settings, address);
            engine().paths.addHandle();
            return new TransportAddressHandle(
                    this, engine().life.door, engine().paths, engine().paths.acquire(address));
        }
    }

    @Override
    public QueuePair queuePair(QueuePairType type, Consumer<QueuePairOptions> settings) {
        QueuePairOptions options = new QueuePairOptions();
        settings.accept(options);
        try (var _ = engine().life.door.enter()) {
            requireOpen();
            return device.createQueuePair(this, type, options);
        }
    }

    /// Closing only ends the right to make more in it; regions and queue pairs live on.
    @Override
    public void close() {
        closed = true;
    }

    /// The address of the first byte for peers. An invented address has the same alignment to eight
    /// bytes as the memory, which atomics need.
    private long base(int place, MemorySegment segment) {
        long address = segment.address();
        return engine().settings.madeUpAddresses ? madeUp(place) | (address & 7) : address;
    }

    /// Where nothing lies; spread wide enough that no two regions share an address.
    private static long madeUp(int place) {
        return (long) (place + 1) << 47 >>> 1;
    }

    private MemoryRegion add(
            int place,
            @Nullable Arena arena,
            @Nullable MemorySegment segment,
            long base,
            long bytes,
            Set<Access> rights) {
        TransportRegion region =
                new TransportRegion(
                        this,
                        engine().life.door,
                        engine().memory,
                        place,
                        arena,
                        segment,
                        base,
                        bytes,
                        rights);
        try (var _ = engine().life.door.enter()) {
            try {
                requireOpen();
            } catch (ClosedException meanwhile) {
                giveBack(place);
                if (arena != null) {
                    arena.close();
                }
                throw meanwhile;
            }
            engine().memory.add(region);
            return region;
        }
    }

    private int reserve() {
        try (var _ = engine().life.door.enter()) {
            return engine().memory.reserve();
        }
    }

    private void giveBack(int place) {
        try (var _ = engine().life.door.enter()) {
            engine().memory.giveBack(place);
        }
    }

    private Set<Access> check(long bytes, Access... rights) {
        requireOpen();
        long most = engine().settings.limits.regionBytes();
        if (bytes < 0 || bytes > most) {
            throw new LimitExceededException(
                    toString(), "no region of " + bytes + " bytes", "use 0 to " + most);
        }
        EnumSet<Access> set = EnumSet.noneOf(Access.class);
        set.addAll(Set.of(rights));
        // IBA 10.6.3.1: remote write access uses the local write right of the device.
        if (set.contains(Access.REMOTE_WRITE) || set.contains(Access.REMOTE_ATOMIC)) {
            set.add(Access.LOCAL_WRITE);
        }
        return Set.copyOf(set);
    }

    private void requireOpen() {
        engine().life.requireOpen();
        if (closed) {
            throw new ClosedException(toString(), "it was closed", "make everything before that");
        }
    }

    /// Any thread may use a shared, automatic or global segment; a confined one has an owner.
    private static boolean isShared(MemorySegment segment) {
        return segment.isAccessibleBy(NOBODY);
    }

    @Override
    public String toString() {
        return "protection domain " + index;
    }
}
