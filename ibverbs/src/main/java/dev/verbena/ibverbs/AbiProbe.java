package dev.verbena.ibverbs;

import dev.verbena.verbs.NoDeviceException;
import dev.verbena.verbs.QueuePairType;
import java.lang.foreign.Arena;

/// Checks [Structs] against the installed library: creates one object of each relevant kind, and
/// checks that its fields have the values that it was created with.
///
/// A library with another layout would otherwise show itself by a crash. The abilities of the
/// device are found at the same time, since no call returns how many inline bytes it accepts.
final class AbiProbe {
    /// All bits set mark a context that has the newer part in front of it.
    private static final long EXTENDED = -1;

    private static final int DEPTH = 16;
    private static final int PAGE = 4096;

    private final Verbs verbs;
    private final IbvSettings settings;
    private final long context;

    private AbiProbe(Verbs verbs, IbvSettings settings, long context) {
        this.verbs = verbs;
        this.settings = settings;
        this.context = context;
    }

    /// The abilities that no query returns.
    ///
    /// @param pieces of memory that a request may name
    /// @param inlineBytes that a request may carry
    /// @param flags capabilities as libibverbs numbers them
    record Abilities(int pieces, int inlineBytes, int flags) {
        boolean has(int flag) {
            return (flags & flag) != 0;
        }
    }

    /// Looks at the context alone, before anything is called through it.
    static void checkContext(Verbs verbs, IbvSettings settings, long context) {
        AbiProbe probe = new AbiProbe(verbs, settings, context);
        String name = Memory.text(probe.at(Structs.Context.DEVICE) + Structs.Device.NAME);
        probe.require(name.equals(settings.device()), "ibv_context.device");
        probe.require(probe.at(Structs.Context.ABI_COMPAT) == EXTENDED, "ibv_context.abi_compat");
        probe.require(probe.isFile(Structs.Context.CMD_FD), "ibv_context.cmd_fd");
        probe.require(probe.isFile(Structs.Context.ASYNC_FD), "ibv_context.async_fd");
        int vectors = Memory.getInt(context + Structs.Context.NUM_COMP_VECTORS);
        probe.require(vectors > 0 && vectors < 1 << 16, "ibv_context.num_comp_vectors");
        for (int function :
                new int[] {
                    Structs.Context.POLL_CQ,
                    Structs.Context.REQ_NOTIFY_CQ,
                    Structs.Context.POST_SEND,
                    Structs.Context.POST_RECV,
                    Structs.Context.POST_SRQ_RECV
                }) {
            probe.require(probe.at(function) != 0, "ibv_context.ops");
        }
    }

    static int ports(Verbs verbs, IbvSettings settings, long context) {
        try (Arena arena = Arena.ofConfined()) {
            long attr = deviceAttributes(verbs, settings, context, arena);
            return Memory.getByte(attr + Structs.DeviceAttr.PHYS_PORT_CNT);
        }
    }

    /// Makes objects, looks at them, ends them.
    static Abilities check(Verbs verbs, IbvSettings settings, long context) {
        return new AbiProbe(verbs, settings, context).check();
    }

    static long deviceAttributes(Verbs verbs, IbvSettings settings, long context, Arena arena) {
        // Larger than the known structure: a later library may fill more.
        long attr = arena.allocate(2L * Structs.DeviceAttr.SIZE, Structs.POINTER).address();
        int reason = verbs.queryDevice(context, attr);
        if (reason != 0) {
            throw Errno.refusal(settings.name(), "a query of its limits", reason);
        }
        return attr;
    }

    private Abilities check() {
        String who = settings.name();
        try (Arena arena = Arena.ofConfined()) {
            long attr = deviceAttributes(verbs, settings, context, arena);
            int mostPieces = Memory.getInt(attr + Structs.DeviceAttr.MAX_SGE);
            require(mostPieces > 0 && mostPieces < 1 << 16, "ibv_device_attr.max_sge");
            int flags = Memory.getInt(attr + Structs.DeviceAttr.CAP_FLAGS);
            int pieces = Math.min(settings.pieces(), mostPieces);
            long domain = verbs.allocPd(who, context);
            try {
                require(Memory.getLong(domain + Structs.Pd.CONTEXT) == context, "ibv_pd.context");
                checkRegion(domain, arena.allocate(PAGE, PAGE).address());
                return new Abilities(pieces, checkPair(domain, pieces, arena), flags);
            } finally {
                verbs.deallocPd(domain);
            }
        }
    }

    private void checkRegion(long domain, long page) {
        long region = verbs.regMr(settings.name(), "a page", domain, page, PAGE, 1);
        try {
            require(
                    Memory.getLong(region + Structs.Mr.CONTEXT) == context
                            && Memory.getLong(region + Structs.Mr.PD) == domain
                            && Memory.getLong(region + Structs.Mr.ADDR) == page
                            && Memory.getLong(region + Structs.Mr.LENGTH) == PAGE,
                    "ibv_mr");
        } finally {
            verbs.deregMr(region);
        }
    }

    /// Returns how many bytes a request can carry.
    private int checkPair(long domain, int pieces, Arena arena) {
        long queue =
                verbs.createCq(settings.name(), "a completion queue", context, DEPTH, domain, 0);
        try {
            require(
                    Memory.getLong(queue + Structs.Cq.CONTEXT) == context
                            && Memory.getLong(queue + Structs.Cq.CQ_CONTEXT) == domain
                            && Memory.getInt(queue + Structs.Cq.CQE) >= DEPTH,
                    "ibv_cq");
            int bytes = settings.inlineBytes();
            while (true) {
                long init = init(arena, queue, pieces, bytes);
                var answer = verbs.createQp(domain, init);
                if (answer.value() != 0) {
                    checkPair(answer.value(), domain, queue);
                    return bytes;
                }
                if (bytes == 0) {
                    throw Errno.refusal(settings.name(), "a queue pair", answer.errno());
                }
                bytes = bytes < 8 ? 0 : bytes / 2;
            }
        } finally {
            verbs.destroyCq(queue);
        }
    }

    private static long init(Arena arena, long queue, int pieces, int inlineBytes) {
        long init = arena.allocate(Structs.QpInit.SIZE, Structs.POINTER).address();
        Memory.putLong(init + Structs.QpInit.SEND_CQ, queue);
        Memory.putLong(init + Structs.QpInit.RECV_CQ, queue);
        Memory.putInt(init + Structs.QpInit.MAX_SEND_WR, DEPTH);
        Memory.putInt(init + Structs.QpInit.MAX_RECV_WR, DEPTH);
        Memory.putInt(init + Structs.QpInit.MAX_SEND_SGE, pieces);
        Memory.putInt(init + Structs.QpInit.MAX_RECV_SGE, pieces);
        Memory.putInt(init + Structs.QpInit.MAX_INLINE, inlineBytes);
        Memory.putInt(init + Structs.QpInit.TYPE, QueuePairType.RC.code());
        return init;
    }

    private void checkPair(long pair, long domain, long queue) {
        try {
            int number = Memory.getInt(pair + Structs.Qp.NUMBER);
            require(
                    Memory.getLong(pair + Structs.Qp.CONTEXT) == context
                            && Memory.getLong(pair + Structs.Qp.PD) == domain
                            && Memory.getLong(pair + Structs.Qp.SEND_CQ) == queue
                            && Memory.getLong(pair + Structs.Qp.RECV_CQ) == queue
                            && number > 0
                            && number <= 0xFF_FFFF
                            && Memory.getInt(pair + Structs.Qp.TYPE) == QueuePairType.RC.code(),
                    "ibv_qp");
        } finally {
            verbs.destroyQp(pair);
        }
    }

    private long at(int offset) {
        return Memory.getLong(context + offset);
    }

    private boolean isFile(int offset) {
        int file = Memory.getInt(context + offset);
        return file > 2 && file < 1 << 24;
    }

    private void require(boolean fits, String what) {
        if (!fits) {
            throw new NoDeviceException(
                    settings.name(),
                    "the installed libibverbs has another layout of " + what + " than we know",
                    "use rdma-core 44, which it was tried with, or report this version to the"
                            + " project");
        }
    }
}
