package dev.verbena.transport;

import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.memory.FileMappings;
import dev.verbena.transport.memory.TransportRegion;
import dev.verbena.transport.path.TransportAddressHandle;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairOptions;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.WindowType;
import dev.verbena.verbs.spi.AddressRules;
import dev.verbena.verbs.spi.ObjectNames;
import dev.verbena.verbs.spi.ObjectRules;
import dev.verbena.verbs.spi.RegionRules;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A protection domain: an identity that regions and queue pairs share.
final class TransportDomain implements ProtectionDomain {
    private static final long PAGE = 4096;

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
            throw RegionRules.noMemory(this, bytes, full);
        }
        return add(place, arena, segment, base(place, segment), bytes, checked);
    }

    @Override
    public MemoryRegion register(MemorySegment segment, Access... rights) {
        Set<Access> checked = check(segment.byteSize(), rights);
        RegionRules.requireNative(this, segment);
        if (segment.isMapped() || FileMappings.cover(segment.address(), segment.byteSize())) {
            throw new InvalidRequestException(
                    toString(),
                    "the segment is a mapped file, and touching it after the file is cut short"
                            + " would end the JVM",
                    "copy the bytes into memory of ProtectionDomain.allocate");
        }
        RegionRules.requireShared(this, segment);
        RegionRules.requireWritable(this, segment, checked);
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
        try (var _ = engine().life.entry.enter()) {
            requireOpen();
            return engine().windows.create(this, type);
        }
    }

    @Override
    public SharedReceiveQueue sharedReceiveQueue(int depth) {
        try (var _ = engine().life.entry.enter()) {
            requireOpen();
            return engine().shared.create(this, depth);
        }
    }

    @Override
    public AddressHandle addressHandle(Address address) {
        try (var _ = engine().life.entry.enter()) {
            requireOpen();
            DeviceSettings settings = engine().settings;
            LinkLayer link = settings.port.now().attributes().linkLayer();
            AddressRules.requireWay(this, link, address, settings.port.now().gids().size());
            Gid ours = settings.port.now().gid(address.sourceGid());
            AddressRules.requireSameVersion(this, link, ours, address.gid());
            engine().paths.addHandle();
            return new TransportAddressHandle(
                    this, engine().life.entry, engine().paths, engine().paths.acquire(address));
        }
    }

    @Override
    public QueuePair queuePair(QueuePairType type, Consumer<QueuePairOptions> settings) {
        QueuePairOptions options = new QueuePairOptions();
        settings.accept(options);
        try (var _ = engine().life.entry.enter()) {
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
                        engine().life.entry,
                        engine().memory,
                        place,
                        arena,
                        segment,
                        base,
                        bytes,
                        rights);
        try (var _ = engine().life.entry.enter()) {
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
        try (var _ = engine().life.entry.enter()) {
            return engine().memory.reserve();
        }
    }

    private void giveBack(int place) {
        try (var _ = engine().life.entry.enter()) {
            engine().memory.giveBack(place);
        }
    }

    private Set<Access> check(long bytes, Access... rights) {
        requireOpen();
        RegionRules.requireSize(this, bytes, engine().settings.limits.regionBytes());
        return RegionRules.rights(rights);
    }

    private void requireOpen() {
        engine().life.requireOpen();
        if (closed) {
            throw ObjectRules.closedDomain(this);
        }
    }

    @Override
    public String toString() {
        return ObjectNames.domain(index);
    }
}
