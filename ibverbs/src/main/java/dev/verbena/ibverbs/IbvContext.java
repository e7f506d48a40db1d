package dev.verbena.ibverbs;

import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.spi.AttributeRules;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// An open device, for its objects: the library, the abilities of the device, and shared state.
///
/// The lock guards all calls that create, change or destroy objects; calls that move bytes do not
/// take it.
final class IbvContext implements AttributeRules.PortLimits {
    /// Bytes in an MTU of libibverbs' numbering, 1 to 5.
    private static final int SMALLEST_MTU = 128;

    final RdmaStack stack;
    final Verbs verbs;
    final ReentrantLock lock = new ReentrantLock();
    final Owners owners = new Owners();
    final Lingering lingering = new Lingering(this);
    final IbvSettings settings;
    final long address;
    final FastPath fast;
    final Sysfs sysfs;
    final AbiProbe.Abilities abilities;
    final DeviceLimits limits;
    final LinkLayer link;
    final boolean isEthernet;
    final boolean isRxe;
    final List<GidTable.Entry> gids;

    private IbvContext(RdmaStack stack, IbvSettings settings, long address, int ports) {
        this.stack = stack;
        this.verbs = stack.verbs();
        this.settings = settings;
        this.address = address;
        this.fast = stack.fast().apply(address);
        this.sysfs = new Sysfs(stack.sysfs(), settings.device());
        this.isRxe = sysfs.isRxe();
        this.abilities = AbiProbe.check(verbs, settings, address);
        if (settings.port() > ports) {
            throw new LimitExceededException(
                    settings.name(), "it has no port " + settings.port(), "it has " + ports);
        }
        this.link = port().linkLayer();
        this.isEthernet = link == LinkLayer.ETHERNET;
        this.gids = GidTable.of(stack, settings, address, isEthernet);
        this.limits = limits();
    }

    static IbvContext open(RdmaStack stack, IbvSettings settings) {
        Verbs verbs = stack.verbs();
        long address = DeviceNames.open(verbs, settings.name(), settings.device());
        try {
            AbiProbe.checkContext(verbs, settings, address);
            int ports = AbiProbe.ports(verbs, settings, address);
            return new IbvContext(stack, settings, address, ports);
        } catch (RuntimeException refused) {
            verbs.closeDevice(address);
            throw refused;
        }
    }

    /// How the port is now.
    PortAttributes port() {
        try (Arena arena = Arena.ofConfined()) {
            long attr = queryPort(arena);
            return new PortAttributes(
                    1,
                    state(Memory.getInt(attr + Structs.PortAttr.STATE)),
                    Memory.getByte(attr + Structs.PortAttr.LINK_LAYER) == LinkLayer.ETHERNET.code()
                            ? LinkLayer.ETHERNET
                            : LinkLayer.INFINIBAND,
                    Memory.getShort(attr + Structs.PortAttr.LID),
                    SMALLEST_MTU << Memory.getInt(attr + Structs.PortAttr.MAX_MTU),
                    SMALLEST_MTU << Memory.getInt(attr + Structs.PortAttr.ACTIVE_MTU),
                    sysfs.bitsPerSecond(settings.port()));
        }
    }

    private long queryPort(Arena arena) {
        long attr = arena.allocate(Structs.PortAttr.SIZE, Structs.POINTER).address();
        int reason = verbs.queryPort(address, settings.port(), attr);
        if (reason != 0) {
            throw Errno.refusal(settings.name(), "a query of its port", reason);
        }
        return attr;
    }

    /// The largest payload of a packet now.
    @Override
    public int activeMtu() {
        try (Arena arena = Arena.ofConfined()) {
            return SMALLEST_MTU << Memory.getInt(queryPort(arena) + Structs.PortAttr.ACTIVE_MTU);
        }
    }

    int lid() {
        try (Arena arena = Arena.ofConfined()) {
            return Memory.getShort(queryPort(arena) + Structs.PortAttr.LID);
        }
    }

    /// How many partition keys the port has room for.
    @Override
    public int partitionKeys() {
        try (Arena arena = Arena.ofConfined()) {
            return Memory.getShort(queryPort(arena) + Structs.PortAttr.PKEY_TBL_LEN);
        }
    }

    @Override
    public int gidCount() {
        return gids.size();
    }

    int partitionKey(int index) {
        return sysfs.partitionKey(settings.port(), index);
    }

    private static PortState state(int code) {
        for (PortState state : PortState.values()) {
            if (state.code() == code) {
                return state;
            }
        }
        return PortState.DOWN;
    }

    /// libibverbs' number of an MTU.
    static int mtuCode(int bytes) {
        return Integer.numberOfTrailingZeros(bytes / SMALLEST_MTU);
    }

    /// Where the device keeps the GID that callers know by its place in our list.
    int gidIndex(int place) {
        return gids.get(place).index();
    }

    private DeviceLimits limits() {
        try (Arena arena = Arena.ofConfined()) {
            long attr = AbiProbe.deviceAttributes(verbs, settings, address, arena);
            int requests = Math.min(positive(attr + Structs.DeviceAttr.MAX_QP_WR), Requests.MOST);
            long message = 1L << 31;
            return DeviceLimits.builder()
                    .queuePairs(positive(attr + Structs.DeviceAttr.MAX_QP))
                    .completionQueues(positive(attr + Structs.DeviceAttr.MAX_CQ))
                    .memoryRegions(positive(attr + Structs.DeviceAttr.MAX_MR))
                    .memoryWindows(positive(attr + Structs.DeviceAttr.MAX_MW))
                    .sharedReceiveQueues(positive(attr + Structs.DeviceAttr.MAX_SRQ))
                    // Where they live in the library alone, the device says that it has none.
                    .addressHandles(unlessZero(attr + Structs.DeviceAttr.MAX_AH))
                    .multicastGroups(positive(attr + Structs.DeviceAttr.MAX_MCAST_GRP))
                    .multicastAttachments(positive(attr + Structs.DeviceAttr.MAX_MCAST_QP_ATTACH))
                    .workRequests(requests)
                    .workRequestsInAll(Integer.MAX_VALUE)
                    .scatterGather(abilities.pieces())
                    .inlineBytes(abilities.inlineBytes())
                    .completions(positive(attr + Structs.DeviceAttr.MAX_CQE))
                    .readsAsInitiator(bounded(attr + Structs.DeviceAttr.MAX_QP_INIT_RD_ATOM))
                    .readsAsResponder(bounded(attr + Structs.DeviceAttr.MAX_QP_RD_ATOM))
                    // A size of all ones means: whatever there is.
                    .regionBytes(Memory.getLong(attr + Structs.DeviceAttr.MAX_MR_SIZE) >>> 1)
                    .messageBytes(Math.min(message, messageBytes()))
                    .pendingEvents(EventQueue.MOST)
                    .build();
        }
    }

    private long messageBytes() {
        try (Arena arena = Arena.ofConfined()) {
            int bytes = Memory.getInt(queryPort(arena) + Structs.PortAttr.MAX_MSG_SZ);
            return Integer.toUnsignedLong(bytes);
        }
    }

    private static int positive(long at) {
        return Math.max(0, Memory.getInt(at));
    }

    private static int unlessZero(long at) {
        return positive(at) == 0 ? Integer.MAX_VALUE : positive(at);
    }

    /// A field of one byte carries it to the device.
    private static int bounded(long at) {
        return Math.min(255, positive(at));
    }

    /// An object that the device may refuse because it has too many: with its limit, for a message.
    static String ofAtMost(String what, int limit) {
        return what + " (it has at most " + limit + " of these)";
    }

    /// Calls with the lock held, after a check that the required objects are open.
    <T> T locked(Runnable requireOpen, Supplier<T> call) {
        lock.lock();
        try {
            requireOpen.run();
            return call.get();
        } finally {
            lock.unlock();
        }
    }
}
