package dev.verbena.ibverbs;

import static dev.verbena.ibverbs.Library.Kind.INT;
import static dev.verbena.ibverbs.Library.Kind.LONG;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import java.lang.foreign.Arena;
import java.net.URI;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/// Calls of libibverbs, right and wrong, and the answer to each: 0, or an error code. The same list
/// runs over the kernel's Soft-RoCE and over the driver in this process.
///
/// Prints the answers of a device: `java … NativeAnswers DEVICE`.
final class NativeAnswers {
    private static final int MASK_PKEY = 1 << 4;
    private static final int MASK_PORT = 1 << 5;
    private static final int MASK_ACCESS = 1 << 3;
    private static final int TO_INIT = 1 | MASK_PKEY | MASK_PORT | MASK_ACCESS;
    private static final int MASK_DEST = 1 << 20;
    private static final int TO_RTR = 1 | 1 << 7 | 1 << 8 | MASK_DEST | 1 << 12 | 1 << 17 | 1 << 15;
    private static final int MASK_TIMEOUT = 1 << 9;
    private static final int TO_RTS = 1 | 1 << 16 | MASK_TIMEOUT | 1 << 10 | 1 << 11 | 1 << 13;
    private static final int PAGE = 4096;

    private final Map<String, Integer> answers = new TreeMap<>();
    private final Verbs verbs;
    private final Arena arena;
    private final long context;
    private final FastPath fast;
    private final GidTable.Entry gid;
    private final long domain;
    private final long queue;
    private final long page;

    private NativeAnswers(RdmaStack stack, String device, Arena arena) {
        this.verbs = stack.verbs();
        this.arena = arena;
        IbvSettings settings = IbvSettings.parse(URI.create("ibverbs://" + device));
        this.context = DeviceNames.open(verbs, settings.name(), device);
        this.fast = stack.fast().apply(context);
        this.gid = GidTable.of(stack, settings, context, true).getFirst();
        this.domain = verbs.allocPd(device, context);
        this.queue = verbs.createCq(device, "a queue", context, 16, 0, 0);
        this.page = arena.allocate(PAGE, PAGE).address();
    }

    static Map<String, Integer> of(RdmaStack stack, String device) {
        try (Arena arena = Arena.ofShared()) {
            NativeAnswers calls = new NativeAnswers(stack, device, arena);
            calls.queries();
            calls.memory();
            calls.queues();
            calls.pairs();
            calls.ends();
            return calls.answers;
        }
    }

    public static void main(String[] args) {
        of(RdmaStack.ofThisMachine(), args[0])
                .forEach((name, answer) -> System.out.println(name + ": " + answer));
    }

    private void note(String name, int answer) {
        answers.put(name, answer);
    }

    /// A call that makes an object, which is ended at once.
    private void made(String name, Library.Answer answer, LongConsumer end) {
        note(name, answer.value() == 0 ? answer.errno() : 0);
        if (answer.value() != 0) {
            end.accept(answer.value());
        }
    }

    private Library.Answer call(String symbol, long... arguments) {
        Library.Kind[] kinds = new Library.Kind[arguments.length];
        Arrays.fill(kinds, LONG);
        var function = verbs.optional(symbol, LONG, kinds);
        return function == null ? new Library.Answer(0, Errno.ENOSYS) : function.call(arguments);
    }

    private long struct(int bytes) {
        return arena.allocate(bytes, Structs.POINTER).address();
    }

    private void queries() {
        long attr = struct(256);
        note("query_port 1", verbs.queryPort(context, 1, attr));
        note("query_port 2", verbs.queryPort(context, 2, attr));
        Posix.unblock(Memory.getInt(context + Structs.Context.ASYNC_FD));
        note("get_async_event without one", verbs.asyncEvent(context, struct(16)));
        note("poll_cq of an empty queue", fast.poll(queue, 4, struct(4 * Structs.Wc.SIZE)));
        note("req_notify_cq", fast.arm(queue, false));
    }

    private void memory() {
        made("reg_mr", call("ibv_reg_mr", domain, page, PAGE, 1), verbs::deregMr);
        made("reg_mr of no bytes", call("ibv_reg_mr", domain, page, 0, 1), verbs::deregMr);
        made(
                "reg_mr remote write without local write",
                call("ibv_reg_mr", domain, page, PAGE, 2),
                verbs::deregMr);
        made(
                "reg_mr of memory that is not there",
                call("ibv_reg_mr", domain, PAGE, PAGE, 1),
                verbs::deregMr);
    }

    private void queues() {
        long attr = struct(2 * Structs.DeviceAttr.SIZE);
        verbs.queryDevice(context, attr);
        int most = Memory.getInt(attr + Structs.DeviceAttr.MAX_CQE);
        made("create_cq", call("ibv_create_cq", context, 4, 0, 0, 0), verbs::destroyCq);
        made("create_cq of none", call("ibv_create_cq", context, 0, 0, 0, 0), verbs::destroyCq);
        made(
                "create_cq beyond the limit",
                call("ibv_create_cq", context, most + 1, 0, 0, 0),
                verbs::destroyCq);
        made("create_srq of none", srq(0), verbs::destroySrq);
        made("create_srq", srq(8), verbs::destroySrq);
        Library.Answer queueOfEight = srq(8);
        long limit = struct(Structs.Srq.ATTR_SIZE);
        Memory.putInt(limit + Structs.Srq.LIMIT, 9);
        note(
                "modify_srq limit beyond the depth",
                verbs.modifySrq(queueOfEight.value(), limit, Structs.Srq.MASK_LIMIT));
        Memory.putInt(limit + Structs.Srq.LIMIT, 4);
        note(
                "modify_srq limit",
                verbs.modifySrq(queueOfEight.value(), limit, Structs.Srq.MASK_LIMIT));
        verbs.destroySrq(queueOfEight.value());
        long windows = Memory.getLong(context + Structs.Context.ALLOC_MW);
        var alloc = verbs.pointer("ibv_alloc_mw", windows, LONG, LONG, INT);
        made("alloc_mw of a type that there is not", alloc.call(domain, 7), _ -> {});
    }

    private Library.Answer srq(int depth) {
        long init = struct(Structs.Srq.INIT_SIZE);
        Memory.putInt(init + Structs.Srq.INIT_ATTR + Structs.Srq.MAX_WR, depth);
        Memory.putInt(init + Structs.Srq.INIT_ATTR + Structs.Srq.MAX_SGE, 1);
        return call("ibv_create_srq", domain, init);
    }

    private Library.Answer pair(int depth, int pieces, int type) {
        long init = struct(Structs.QpInit.SIZE);
        Memory.putLong(init + Structs.QpInit.SEND_CQ, queue);
        Memory.putLong(init + Structs.QpInit.RECV_CQ, queue);
        Memory.putInt(init + Structs.QpInit.MAX_SEND_WR, depth);
        Memory.putInt(init + Structs.QpInit.MAX_RECV_WR, 4);
        Memory.putInt(init + Structs.QpInit.MAX_SEND_SGE, pieces);
        Memory.putInt(init + Structs.QpInit.MAX_RECV_SGE, 1);
        Memory.putInt(init + Structs.QpInit.TYPE, type);
        return verbs.createQp(domain, init);
    }

    private void pairs() {
        int rc = QueuePairType.RC.code();
        made("create_qp with too many requests", pair(1 << 24, 1, rc), verbs::destroyQp);
        made("create_qp with too many pieces", pair(4, 1 << 12, rc), verbs::destroyQp);
        long pair = pair(4, 1, rc).value();
        note("post_send in RESET", send(pair, 2));
        note("modify_qp RESET to RTS", modify(pair, QueuePairState.READY_TO_SEND, TO_RTS));
        note("modify_qp to INIT without a port", modify(pair, init(), TO_INIT & ~MASK_PORT));
        note("modify_qp to INIT", modify(pair, init(), TO_INIT));
        note("modify_qp INIT to INIT", modify(pair, init(), TO_INIT));
        note("state after INIT", state(pair));
        note("post_send in INIT", send(pair, 2));
        note("post_recv in INIT", receive(pair));
        QueuePairState rtr = QueuePairState.READY_TO_RECEIVE;
        note("modify_qp to RTR without a peer", modify(pair, rtr, TO_RTR & ~MASK_DEST));
        note("modify_qp to RTR", modify(pair, rtr, TO_RTR));
        note("state after RTR", state(pair));
        QueuePairState rts = QueuePairState.READY_TO_SEND;
        note("modify_qp to RTS without a timeout", modify(pair, rts, TO_RTS & ~MASK_TIMEOUT));
        note("modify_qp to RTS", modify(pair, rts, TO_RTS));
        note("state after RTS", state(pair));
        note("destroy_cq in use", verbs.destroyCq(queue));
        note("dealloc_pd in use", verbs.deallocPd(domain));
        note("modify_qp to ERR", modify(pair, QueuePairState.ERROR, 1));
        note("modify_qp ERR to ERR", modify(pair, QueuePairState.ERROR, 1));
        note("modify_qp ERR to RTS", modify(pair, rts, TO_RTS));
        note("post_send in ERR", send(pair, 2));
        note("state after ERR", state(pair));
        note("modify_qp to RESET", modify(pair, QueuePairState.RESET, 1));
        note("attach_mcast of RC", verbs.attach(pair, gid(new Gid(0xFF0E_0000L << 32, 1)), 0));
        note("destroy_qp", verbs.destroyQp(pair));
    }

    private static QueuePairState init() {
        return QueuePairState.INIT;
    }

    private int modify(long pair, QueuePairState target, int mask) {
        long attr = struct(Structs.QpAttr.SIZE);
        Memory.putInt(attr + Structs.QpAttr.STATE, target.code());
        Memory.putByte(attr + Structs.QpAttr.PORT, 1);
        Memory.putInt(attr + Structs.QpAttr.PATH_MTU, 3);
        Memory.putInt(attr + Structs.QpAttr.DEST_QP, Memory.getInt(pair + Structs.Qp.NUMBER));
        Memory.putByte(attr + Structs.QpAttr.MAX_DEST_RD_ATOMIC, 1);
        Memory.putByte(attr + Structs.QpAttr.MAX_RD_ATOMIC, 1);
        Memory.putByte(attr + Structs.QpAttr.MIN_RNR_TIMER, 12);
        Memory.putByte(attr + Structs.QpAttr.TIMEOUT, 14);
        Memory.putByte(attr + Structs.QpAttr.RETRY, 7);
        Memory.putByte(attr + Structs.QpAttr.RNR_RETRY, 7);
        long way = attr + Structs.QpAttr.AH;
        QueuePairCodec.write(way + Structs.AhAttr.DGID, gid.gid());
        Memory.putByte(way + Structs.AhAttr.SGID_INDEX, gid.index());
        Memory.putByte(way + Structs.AhAttr.HOP_LIMIT, 64);
        Memory.putByte(way + Structs.AhAttr.IS_GLOBAL, 1);
        Memory.putByte(way + Structs.AhAttr.PORT, 1);
        return verbs.modifyQp(pair, attr, mask);
    }

    private int state(long pair) {
        long attr = struct(Structs.QpAttr.SIZE);
        int reason = verbs.queryQp(pair, attr, 1, struct(Structs.QpInit.SIZE));
        return reason == 0 ? Memory.getInt(attr + Structs.QpAttr.STATE) : -reason;
    }

    private int send(long pair, int opcode) {
        long request = struct(Structs.SendWr.SIZE);
        Memory.putInt(request + Structs.SendWr.OPCODE, opcode);
        Memory.putInt(request + Structs.SendWr.FLAGS, Structs.SendWr.SIGNALED);
        return fast.postSend(pair, request, struct(Structs.POINTER));
    }

    private int receive(long pair) {
        return fast.postReceive(pair, struct(Structs.RecvWr.SIZE), struct(Structs.POINTER));
    }

    private long gid(Gid group) {
        long at = struct(Gid.LENGTH);
        QueuePairCodec.write(at, group);
        return at;
    }

    private void ends() {
        note("destroy_cq", verbs.destroyCq(queue));
        note("dealloc_pd", verbs.deallocPd(domain));
        verbs.closeDevice(context);
    }
}
