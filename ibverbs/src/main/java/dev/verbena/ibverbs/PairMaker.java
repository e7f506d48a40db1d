package dev.verbena.ibverbs;

import dev.verbena.verbs.QueuePairOptions;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.spi.Depths;
import dev.verbena.verbs.spi.ObjectRules;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/// A queue pair that the device has just made, and the shared queue that it takes from.
///
/// @param address of the `struct ibv_qp`
record PairMaker(long address, @Nullable IbvSharedReceives shared) {
    /// READs and atomics that are answered at a time, unless told otherwise.
    static final int READS = 16;

    static PairMaker make(IbvDomain domain, QueuePairType type, QueuePairOptions options) {
        IbvDevice device = domain.deviceImpl();
        IbvContext context = domain.context;
        IbvCompletionQueue sends = device.own(options.sendCompletions());
        IbvCompletionQueue receives = device.own(options.receiveCompletions());
        IbvSharedReceives shared = own(domain, options.sharedReceives());
        requireRoom(domain, "send", options.sendDepth());
        requireRoom(domain, "receive", options.receiveDepth());
        Depths.requireCompletions(options);
        try (Arena arena = Arena.ofConfined()) {
            long init = arena.allocate(Structs.QpInit.SIZE, Structs.POINTER).address();
            Memory.putLong(init + Structs.QpInit.SEND_CQ, sends.structure());
            Memory.putLong(init + Structs.QpInit.RECV_CQ, receives.structure());
            Memory.putInt(init + Structs.QpInit.MAX_SEND_WR, Math.max(1, options.sendDepth()));
            Memory.putInt(init + Structs.QpInit.MAX_SEND_SGE, context.abilities.pieces());
            Memory.putInt(init + Structs.QpInit.MAX_INLINE, context.abilities.inlineBytes());
            Memory.putInt(init + Structs.QpInit.TYPE, type.code());
            Memory.putInt(init + Structs.QpInit.SIGNAL_ALL, options.isSignalAll() ? 1 : 0);
            if (shared == null) {
                int depth = Math.max(1, options.receiveDepth());
                Memory.putInt(init + Structs.QpInit.MAX_RECV_WR, depth);
                Memory.putInt(init + Structs.QpInit.MAX_RECV_SGE, context.abilities.pieces());
            } else {
                Memory.putLong(init + Structs.QpInit.SRQ, shared.structure());
            }
            return new PairMaker(make(domain, type, options, init), shared);
        }
    }

    private static long make(
            IbvDomain domain, QueuePairType type, QueuePairOptions options, long init) {
        String what =
                "a queue pair of type %s for %d sends and %d receives"
                        .formatted(type, options.sendDepth(), options.receiveDepth());
        var answer = domain.context.verbs.createQp(domain.address, init);
        return Verbs.made(
                domain.toString(),
                IbvContext.ofAtMost(what, domain.context.limits.queuePairs()),
                answer);
    }

    private static @Nullable IbvSharedReceives own(
            IbvDomain domain, @Nullable SharedReceiveQueue given) {
        if (given == null) {
            return null;
        }
        if (!(given instanceof IbvSharedReceives queue)
                || !queue.domain().device().equals(domain.device())) {
            throw ObjectRules.foreign(domain, given);
        }
        queue.requireOpen();
        return queue;
    }

    private static void requireRoom(IbvDomain domain, String what, int depth) {
        Depths.requireQueue(domain, what, depth, 0, domain.context.limits.workRequests());
    }
}
