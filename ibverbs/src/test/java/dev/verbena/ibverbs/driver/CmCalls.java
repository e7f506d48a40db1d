package dev.verbena.ibverbs.driver;

import dev.verbena.verbs.QueuePairState;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The functions of librdmacm, by name.
final class CmCalls {
    private static final int FIRST_FREE_PORT = 40_000;
    private static final int MOST_REFUSAL = 148;
    private static final int MOST_DATAGRAM_ANSWER = 136;

    private final InProcessDriver driver;

    /// The library opens each device for itself.
    private final Map<DriverDevice, Long> contexts = new HashMap<>();

    private int nextPort = FIRST_FREE_PORT;

    CmCalls(InProcessDriver driver) {
        this.driver = driver;
    }

    void addTo(Map<String, Calls.Call> all) {
        all.put(
                "rdma_create_event_channel",
                new Calls.Call(_ -> new CmChannel(driver).address, _ -> 0));
        add(all, "rdma_destroy_event_channel", a -> channel(a[0]).close());
        add(all, "rdma_create_id", a -> create(a[0], a[1], a[2], (int) a[3]));
        add(all, "rdma_destroy_id", a -> id(a[0]).close());
        add(all, "rdma_bind_addr", a -> bind(id(a[0]), Socket.read(a[1])));
        add(all, "rdma_listen", a -> listen(id(a[0])));
        add(all, "rdma_resolve_addr", a -> resolve(id(a[0]), a[1], Socket.read(a[2])));
        add(all, "rdma_resolve_route", a -> route(id(a[0])));
        add(all, "rdma_connect", a -> connect(id(a[0]), a[1]));
        add(all, "rdma_accept", a -> accept(id(a[0]), a[1]));
        add(all, "rdma_establish", a -> id(a[0]).establish());
        add(all, "rdma_reject", a -> reject(id(a[0]), a[1], (int) a[2]));
        add(all, "rdma_disconnect", a -> id(a[0]).disconnect());
        add(all, "rdma_init_qp_attr", a -> attributes(id(a[0]), a[1], a[2]));
        add(all, "rdma_get_cm_event", a -> CStruct.putLong(a[1], channel(a[0]).next()));
        add(all, "rdma_ack_cm_event", a -> driver.find(CmEventObject.class, a[0]).acknowledge());
    }

    private static void add(Map<String, Calls.Call> all, String name, Calls.Change change) {
        Calls.minus(
                all,
                name,
                a -> {
                    change.run(a);
                    return 0;
                });
    }

    private void create(long channel, long to, long context, int portSpace) {
        CmId id = new CmId(driver, channel(channel), context, portSpace);
        CStruct.putLong(to, id.address);
    }

    private void bind(CmId id, Socket to) {
        id.require(CmId.State.IDLE);
        DriverDevice device = at(to);
        if (device == null) {
            throw new Refusal(Refusal.EADDRNOTAVAIL);
        }
        for (DriverObject object : driver.objects.values()) {
            if (object instanceof CmId other
                    && other.portSpace == id.portSpace
                    && other.state == CmId.State.LISTENING
                    && other.own.equals(to)) {
                throw new Refusal(Refusal.EADDRINUSE);
            }
        }
        id.bind(to.port() == 0 ? to.withPort(nextPort++) : to, context(device));
    }

    private @Nullable DriverDevice at(Socket address) {
        for (DriverDevice device : driver.devices) {
            if (device.gid().equals(address.gid())) {
                return device;
            }
        }
        return null;
    }

    private long context(DriverDevice device) {
        return contexts.computeIfAbsent(
                device,
                which -> {
                    long made = driver.heap.allocate(Layouts.CONTEXT);
                    Layouts.CONTEXT.put(made, "device", which.address);
                    return made;
                });
    }

    private static void listen(CmId id) {
        id.require(CmId.State.BOUND);
        id.state = CmId.State.LISTENING;
    }

    private void resolve(CmId id, long source, Socket to) {
        bind(id, Socket.read(source));
        id.leadTo(to);
        id.state = CmId.State.RESOLVED;
        if (at(to) == null) {
            id.tell(CmId.ADDRESS_ERROR, -Refusal.ETIMEDOUT, CmMessage.EMPTY);
        } else {
            id.tell(CmId.ADDRESS_RESOLVED);
        }
    }

    private static void route(CmId id) {
        id.require(CmId.State.RESOLVED);
        id.state = CmId.State.ROUTED;
        id.tell(CmId.ROUTE_RESOLVED);
    }

    private void connect(CmId id, long parameters) {
        id.require(CmId.State.ROUTED);
        CmMessage message = CmMessage.read(parameters, id.isDatagram() ? 180 : 56);
        CmId found = null;
        for (DriverObject object : driver.objects.values()) {
            if (object instanceof CmId other
                    && other.state == CmId.State.LISTENING
                    && other.portSpace == id.portSpace
                    && other.own.equals(id.peerAddress)) {
                found = other;
            }
        }
        id.ask(message, found);
    }

    private static void accept(CmId id, long parameters) {
        id.accept(CmMessage.read(parameters, id.isDatagram() ? MOST_DATAGRAM_ANSWER : 196));
    }

    private static void reject(CmId id, long data, int length) {
        id.reject(
                CmMessage.of(data, length, id.isDatagram() ? MOST_DATAGRAM_ANSWER : MOST_REFUSAL));
    }

    /// What the messages of both sides say about a queue pair.
    private static void attributes(CmId id, long at, long mask) {
        CmId peer = id.peer;
        boolean isKnown =
                id.state == CmId.State.ASKED
                        || id.state == CmId.State.REPLIED
                        || id.state == CmId.State.CONNECTED;
        if (peer == null || !isKnown) {
            throw new Refusal(Refusal.EINVAL);
        }
        CStruct attr = Layouts.QP_ATTR;
        int target = attr.getInt(at, "qp_state");
        if (target == QueuePairState.READY_TO_RECEIVE.code()) {
            long way = at + attr.offset("ah_attr");
            Attributes.write(way, id.peerAddress.gid());
            Layouts.AH_ATTR.put(way, "sgid_index", DriverDevice.GID_INDEX);
            Layouts.AH_ATTR.put(way, "hop_limit", 64);
            Layouts.AH_ATTR.put(way, "is_global", 1);
            Layouts.AH_ATTR.put(way, "port_num", 1);
            attr.put(at, "path_mtu", 5);
            attr.put(at, "dest_qp_num", peer.told.pair());
            attr.put(at, "rq_psn", peer.firstPsn);
            attr.put(at, "max_dest_rd_atomic", peer.told.initiator());
        } else {
            attr.put(at, "sq_psn", id.firstPsn);
            attr.put(at, "timeout", 14);
            attr.put(at, "retry_cnt", 7);
            attr.put(at, "rnr_retry", 7);
            attr.put(at, "max_rd_atomic", peer.told.responder());
        }
        CStruct.putInt(mask, 1);
    }

    private CmChannel channel(long address) {
        return driver.find(CmChannel.class, address);
    }

    private CmId id(long address) {
        return driver.find(CmId.class, address);
    }
}
