package dev.verbena.ibverbs.driver;

import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A queue pair.
final class DriverPair extends DriverObject {
    private static final CStruct INIT = Layouts.QP_INIT;

    final DriverDomain domain;
    final QueuePair pair;
    final WorkRing sends;
    final WorkRing receives;
    final @Nullable DriverShared shared;
    private final DriverQueue sendQueue;
    private final DriverQueue receiveQueue;

    /// Work that Soft-RoCE keeps until the queue pair fails once more.
    private final List<Runnable> held = new ArrayList<>();

    /// Windows of type 2 that it has bound.
    int windows;

    private int groups;

    DriverPair(DriverDomain domain, long init) {
        DeviceLimits limits = domain.context.device.transport.limits();
        checkSizes(limits, init);
        QueuePairType type = type(INIT.getInt(init, "qp_type"));
        InProcessDriver driver = domain.driver;
        DriverQueue sendsTo = driver.find(DriverQueue.class, INIT.get(init, "send_cq"));
        DriverQueue receivesTo = driver.find(DriverQueue.class, INIT.get(init, "recv_cq"));
        long from = INIT.get(init, "srq");
        DriverShared source = from == 0 ? null : driver.find(DriverShared.class, from);
        this.sendQueue = sendsTo;
        this.receiveQueue = receivesTo;
        this.shared = source;
        this.pair =
                domain.domain.queuePair(
                        type,
                        options -> {
                            options.sendCompletions(sendsTo.queue)
                                    .receiveCompletions(receivesTo.queue)
                                    .sendDepth(INIT.getInt(init, "max_send_wr"))
                                    .receiveDepth(INIT.getInt(init, "max_recv_wr"))
                                    .leaveReset();
                            if (INIT.get(init, "sq_sig_all") != 0) {
                                options.signalAll();
                            }
                            if (source != null) {
                                options.sharedReceives(source.queue);
                            }
                        });
        super(driver, Layouts.QP);
        this.domain = domain;
        this.sends = new WorkRing(driver, INIT.getInt(init, "max_send_wr"), true);
        this.receives = new WorkRing(driver, INIT.getInt(init, "max_recv_wr"), true);
        use(1);
        Layouts.QP.put(address, "context", domain.context.address);
        Layouts.QP.put(address, "pd", domain.address);
        Layouts.QP.put(address, "send_cq", sendQueue.address);
        Layouts.QP.put(address, "recv_cq", receiveQueue.address);
        Layouts.QP.put(address, "srq", from);
        Layouts.QP.put(address, "qp_num", pair.number());
        Layouts.QP.put(address, "qp_type", type.code());
    }

    private void use(int change) {
        domain.users += change;
        sendQueue.users += change;
        receiveQueue.users += change;
        if (shared != null) {
            shared.users += change;
        }
    }

    private static void checkSizes(DeviceLimits limits, long init) {
        boolean fits =
                INIT.get(init, "max_send_wr") <= limits.workRequests()
                        && INIT.get(init, "max_recv_wr") <= limits.workRequests()
                        && INIT.get(init, "max_send_sge") <= limits.scatterGather()
                        && INIT.get(init, "max_recv_sge") <= limits.scatterGather()
                        && INIT.get(init, "max_inline_data") <= limits.inlineBytes();
        Refusal.unless(fits, Refusal.EINVAL);
    }

    private static QueuePairType type(int code) {
        for (QueuePairType type : QueuePairType.values()) {
            if (type.code() == code) {
                return type;
            }
        }
        throw new Refusal(Refusal.EOPNOTSUPP);
    }

    QueuePairState state() {
        return pair.state();
    }

    void modify(long attr, int mask) {
        QueuePairState from = state();
        QueuePairAttributes values = Attributes.read(attr, mask);
        QueuePairState target =
                (mask & 1) == 0 ? from : Attributes.state(Layouts.QP_ATTR.getInt(attr, "qp_state"));
        if (target == QueuePairState.ERROR && from == QueuePairState.ERROR) {
            held.forEach(Runnable::run);
            held.clear();
            return;
        }
        pair.modify(target, all -> all.with(values));
        if (target == QueuePairState.RESET) {
            sends.clear();
            receives.clear();
            held.clear();
        }
    }

    void query(long attr, long init) {
        Attributes.write(attr, pair.query());
        CStruct.memory(init, INIT.size()).fill((byte) 0);
        INIT.put(init, "send_cq", sendQueue.address);
        INIT.put(init, "recv_cq", receiveQueue.address);
        INIT.put(init, "max_send_wr", sends.depth());
        INIT.put(init, "max_recv_wr", receives.depth());
    }

    /// Posts a `struct ibv_send_wr`.
    void postSend(long at) {
        if (isHolding()) {
            long copy = copy(Layouts.SEND_WR, at);
            held.add(() -> SendWork.post(this, copy));
        } else {
            SendWork.post(this, at);
        }
    }

    /// Posts a `struct ibv_recv_wr`.
    void postReceive(long at) {
        Refusal.unless(shared == null && state().takesReceives(), Refusal.EINVAL);
        if (isHolding()) {
            long copy = copy(Layouts.RECV_WR, at);
            held.add(() -> Pieces.receive(domain, receives, pair.receives(), copy));
        } else {
            Pieces.receive(domain, receives, pair.receives(), at);
        }
    }

    private boolean isHolding() {
        return driver.isSoftRoce && state() == QueuePairState.ERROR;
    }

    /// Requests and their lists of pieces belong to the caller, who may change them at once.
    private long copy(CStruct layout, long at) {
        long pieces = layout.get(at, "num_sge") * Layouts.SGE.size();
        long copy = driver.heap.copy(at, layout.size());
        if (pieces > 0) {
            layout.put(copy, "sg_list", driver.heap.copy(layout.get(at, "sg_list"), pieces));
        }
        return copy;
    }

    void attach(Gid group, int lid) {
        pair.attachMulticast(group, lid);
        groups++;
    }

    void detach(Gid group, int lid) {
        pair.detachMulticast(group, lid);
        groups--;
    }

    void close() {
        Refusal.unless(groups == 0 && windows == 0, Refusal.EBUSY);
        driver.awaitAcknowledged(this);
        domain.context.events.removeIf(event -> event.element().equals(this));
        sends.clear();
        receives.clear();
        pair.close();
        use(-1);
        free();
    }
}
