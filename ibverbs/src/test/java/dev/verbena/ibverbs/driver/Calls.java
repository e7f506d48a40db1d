package dev.verbena.ibverbs.driver;

import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.PortAttributes;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/// The functions of libibverbs that make, change and end objects, by name.
final class Calls {
    /// Windows of type 1 and of type 2B, and the rest that Soft-RoCE has.
    private static final int ABILITIES = 0x2_0000 | 0x100_0000;

    private static final int GID_TYPE_V1 = 1;
    private static final int GID_TYPE_V2 = 2;
    private static final long LINK_LOCAL = 0xFE80_0000_0000_0000L;

    /// What a function does.
    interface Body {
        long run(long... arguments);
    }

    /// A function, and what it returns when it fails.
    record Call(Body body, IntToLongFunction onFailure) {
        long answer(long... arguments) {
            return body.run(arguments);
        }

        long failure(int errno) {
            return onFailure.applyAsLong(errno);
        }
    }

    private final InProcessDriver driver;
    private Map<String, Call> functions = Map.of();

    Calls(InProcessDriver driver) {
        this.driver = driver;
    }

    void addTo(Map<String, Call> all) {
        functions = all;
        addDevices();
        addMemory();
        addQueues();
        addPairs();
    }

    /// A function that returns an address, or nothing.
    private void make(String name, Body body) {
        functions.put(name, new Call(body, _ -> 0));
    }

    /// A function that returns 0 or an error code.
    private void code(String name, Body body) {
        functions.put(name, new Call(body, errno -> errno));
    }

    /// A function that returns -1 and leaves the error code elsewhere.
    static void minus(Map<String, Call> all, String name, Body body) {
        all.put(name, new Call(body, _ -> -1));
    }

    private void addDevices() {
        make("ibv_get_device_list", a -> list(a[0]));
        make(
                "ibv_free_device_list",
                a -> {
                    if (!driver.heap.free(a[0])) {
                        driver.misuse.add("a list of devices was freed twice");
                    }
                    return 0;
                });
        make("ibv_open_device", a -> new DriverContext(driver, device(a[0])).address);
        code(
                "ibv_close_device",
                a -> {
                    context(a[0]).close();
                    return 0;
                });
        code(
                "ibv_query_device",
                a -> {
                    describe(context(a[0]).device.transport.limits(), a[1]);
                    return 0;
                });
        code("ibv_query_port", a -> port(context(a[0]), (int) a[1], a[2]));
        functions.put(
                "_ibv_query_gid_table",
                new Call(a -> gids(context(a[0]), a[1], a[2]), errno -> -errno));
        minus(functions, "ibv_get_async_event", a -> event(context(a[0]), a[1]));
        make(
                "ibv_ack_async_event",
                a -> {
                    long element = Layouts.ASYNC_EVENT.get(a[0], "element");
                    driver.acknowledge(driver.find(DriverObject.class, element), 1);
                    return 0;
                });
    }

    private long list(long count) {
        long at = driver.heap.allocate((driver.devices.size() + 1L) * Long.BYTES);
        List<DriverDevice> all = driver.devices;
        for (int i = 0; i < all.size(); i++) {
            CStruct.putLong(at + (long) i * Long.BYTES, all.get(i).address);
        }
        CStruct.putInt(count, all.size());
        return at;
    }

    private static void describe(DeviceLimits limits, long at) {
        CStruct attr = Layouts.DEVICE_ATTR;
        CStruct.memory(at, attr.size()).fill((byte) 0);
        attr.put(at, "max_mr_size", limits.regionBytes() * 2);
        attr.put(at, "max_qp", limits.queuePairs());
        attr.put(at, "max_qp_wr", limits.workRequests());
        attr.put(at, "device_cap_flags", ABILITIES);
        attr.put(at, "max_sge", limits.scatterGather());
        attr.put(at, "max_cq", limits.completionQueues());
        attr.put(at, "max_cqe", limits.completions());
        attr.put(at, "max_mr", limits.memoryRegions());
        attr.put(at, "max_pd", Short.MAX_VALUE);
        attr.put(at, "max_qp_rd_atom", limits.readsAsResponder());
        attr.put(at, "max_qp_init_rd_atom", limits.readsAsInitiator());
        attr.put(at, "max_mw", limits.memoryWindows());
        attr.put(at, "max_mcast_grp", limits.multicastGroups());
        attr.put(at, "max_mcast_qp_attach", limits.multicastAttachments());
        attr.put(at, "max_ah", limits.addressHandles());
        attr.put(at, "max_srq", limits.sharedReceiveQueues());
        attr.put(at, "max_srq_wr", limits.workRequests());
        attr.put(at, "max_srq_sge", limits.scatterGather());
        attr.put(at, "max_pkeys", 2);
        attr.put(at, "phys_port_cnt", 1);
    }

    private static long port(DriverContext context, int number, long at) {
        Refusal.unless(number == 1, Refusal.EINVAL);
        PortAttributes port = context.device.transport.port(1);
        CStruct attr = Layouts.PORT_ATTR;
        CStruct.memory(at, attr.size()).fill((byte) 0);
        attr.put(at, "state", port.state().code());
        attr.put(at, "max_mtu", Integer.numberOfTrailingZeros(port.maxMtu() / 128));
        attr.put(at, "active_mtu", Integer.numberOfTrailingZeros(port.activeMtu() / 128));
        attr.put(at, "gid_tbl_len", DriverDevice.GID_INDEX + 1);
        attr.put(at, "max_msg_sz", context.device.transport.limits().messageBytes());
        attr.put(at, "pkey_tbl_len", context.device.transport.partitionKeys(1).size());
        attr.put(at, "lid", port.lid());
        attr.put(at, "link_layer", port.linkLayer().code());
        return 0;
    }

    /// One address that can be used, and others that cannot: of RoCE v1, and of another port.
    private static long gids(DriverContext context, long at, long most) {
        Refusal.unless(most >= 3, Refusal.EINVAL);
        var gid = context.device.gid();
        entry(at, LINK_LOCAL, gid.low(), 0, 1, GID_TYPE_V1);
        entry(at + Layouts.GID_ENTRY.size(), gid.high(), gid.low(), 2, 2, GID_TYPE_V2);
        entry(
                at + 2 * Layouts.GID_ENTRY.size(),
                gid.high(),
                gid.low(),
                DriverDevice.GID_INDEX,
                1,
                GID_TYPE_V2);
        return 3;
    }

    private static void entry(long at, long high, long low, int index, int port, int type) {
        CStruct entry = Layouts.GID_ENTRY;
        entry.put(at, "gid_high", Long.reverseBytes(high));
        entry.put(at, "gid_low", Long.reverseBytes(low));
        entry.put(at, "gid_index", index);
        entry.put(at, "port_num", port);
        entry.put(at, "gid_type", type);
        entry.put(at, "ndev_ifindex", 1);
    }

    private long event(DriverContext context, long to) {
        if (context.events.waits()) {
            driver.misuse.add("events would be read without one: their file waits");
        }
        DriverContext.Event event = context.events.poll();
        if (event == null) {
            throw new Refusal(Refusal.EAGAIN);
        }
        event.element().unacknowledged++;
        Layouts.ASYNC_EVENT.put(to, "element", event.element().address);
        Layouts.ASYNC_EVENT.put(to, "event_type", event.type());
        return 0;
    }

    private void addMemory() {
        make("ibv_alloc_pd", a -> new DriverDomain(context(a[0])).address);
        ends("ibv_dealloc_pd", a -> domain(a[0]).close());
        make(
                "ibv_reg_mr",
                a -> DriverRegion.register(domain(a[0]), a[1], a[2], (int) a[3]).address);
        make(
                "ibv_reg_dmabuf_mr",
                _ -> {
                    throw new Refusal(Refusal.EOPNOTSUPP);
                });
        ends("ibv_dereg_mr", a -> driver.find(DriverRegion.class, a[0]).close());
        make("ibv_alloc_mw", a -> DriverWindow.allocate(domain(a[0]), (int) a[1]).address);
        ends("ibv_dealloc_mw", a -> driver.find(DriverWindow.class, a[0]).close());
        make("ibv_create_ah", a -> new DriverHandle(domain(a[0]), a[1]).address);
        ends("ibv_destroy_ah", a -> driver.find(DriverHandle.class, a[0]).close());
    }

    private void addQueues() {
        make("ibv_create_comp_channel", a -> new DriverChannel(context(a[0])).address);
        ends("ibv_destroy_comp_channel", a -> channel(a[0]).close());
        make(
                "ibv_create_cq",
                a -> {
                    @Nullable DriverChannel channel = a[3] == 0 ? null : channel(a[3]);
                    return new DriverQueue(context(a[0]), (int) a[1], a[2], channel).address;
                });
        ends("ibv_destroy_cq", a -> driver.find(DriverQueue.class, a[0]).close());
        minus(
                functions,
                "ibv_get_cq_event",
                a -> {
                    DriverQueue queue = channel(a[0]).next();
                    CStruct.putLong(a[1], queue.address);
                    CStruct.putLong(a[2], queue.title());
                    return 0;
                });
        make(
                "ibv_ack_cq_events",
                a -> {
                    driver.acknowledge(driver.find(DriverQueue.class, a[0]), (int) a[1]);
                    return 0;
                });
        make("ibv_create_srq", a -> new DriverShared(domain(a[0]), a[1]).address);
        ends("ibv_modify_srq", a -> shared(a[0]).modify(a[1], (int) a[2]));
        ends("ibv_query_srq", a -> shared(a[0]).query(a[1]));
        ends("ibv_destroy_srq", a -> shared(a[0]).close());
    }

    private void addPairs() {
        make("ibv_create_qp", a -> new DriverPair(domain(a[0]), a[1]).address);
        ends("ibv_modify_qp", a -> pair(a[0]).modify(a[1], (int) a[2]));
        ends("ibv_query_qp", a -> pair(a[0]).query(a[1], a[3]));
        ends("ibv_destroy_qp", a -> pair(a[0]).close());
        ends("ibv_attach_mcast", a -> pair(a[0]).attach(Attributes.gid(a[1]), (int) a[2]));
        ends("ibv_detach_mcast", a -> pair(a[0]).detach(Attributes.gid(a[1]), (int) a[2]));
    }

    /// What a function without a result does.
    interface Change {
        void run(long... arguments);
    }

    private void ends(String name, Change change) {
        code(
                name,
                a -> {
                    change.run(a);
                    return 0;
                });
    }

    private DriverContext context(long address) {
        return driver.find(DriverContext.class, address);
    }

    private DriverDevice device(long address) {
        return driver.find(DriverDevice.class, address);
    }

    private DriverDomain domain(long address) {
        return driver.find(DriverDomain.class, address);
    }

    private DriverChannel channel(long address) {
        return driver.find(DriverChannel.class, address);
    }

    private DriverShared shared(long address) {
        return driver.find(DriverShared.class, address);
    }

    private DriverPair pair(long address) {
        return driver.find(DriverPair.class, address);
    }
}
