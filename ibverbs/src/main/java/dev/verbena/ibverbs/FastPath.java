package dev.verbena.ibverbs;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// The functions that move bytes: libibverbs has no symbols for them, each device's driver leaves
/// their addresses in its context.
///
/// A whole chain of requests is posted with one call and one doorbell, and one call returns up to
/// sixteen completions: so there is one native call per batch, and structures are filled and read
/// in place. The newer `ibv_wr_*` and `ibv_cq_ex` functions need a call for every field.
class FastPath {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    /// Without leaving Java's state. A driver's `poll_cq` looks into memory that it shares with the
    /// device and returns; it makes no system call, and the lock that it takes is held as shortly
    /// by others.
    private static final MethodHandle POLL =
            Native.bind(FunctionDescriptor.of(INT, LONG, INT, LONG), Linker.Option.critical(false));

    /// These are not so short for certain: a driver in software enters the kernel here, and may
    /// carry out the whole request before it returns. A collector must not have to wait for that.
    private static final MethodHandle POST =
            Native.bind(FunctionDescriptor.of(INT, LONG, LONG, LONG));

    private static final MethodHandle NOTIFY = Native.bind(FunctionDescriptor.of(INT, LONG, INT));

    final MemorySegment pollQueue;
    private final MemorySegment postSend;
    private final MemorySegment postReceive;
    private final MemorySegment postShared;
    private final MemorySegment notifyQueue;

    FastPath(long context) {
        pollQueue = at(context + Structs.Context.POLL_CQ);
        postSend = at(context + Structs.Context.POST_SEND);
        postReceive = at(context + Structs.Context.POST_RECV);
        postShared = at(context + Structs.Context.POST_SRQ_RECV);
        notifyQueue = at(context + Structs.Context.REQ_NOTIFY_CQ);
    }

    private static MemorySegment at(long pointer) {
        return MemorySegment.ofAddress(Memory.getLong(pointer));
    }

    /// Takes up to `most` completions; returns how many there were, or a negative number.
    int poll(long queue, int most, long completions) {
        try {
            return (int) POLL.invokeExact(pollQueue, queue, most, completions);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    /// Posts a chain of send requests; returns 0, or the reason why the one that is then written to
    /// `bad` was not posted.
    int postSend(long pair, long first, long bad) {
        return post(postSend, pair, first, bad);
    }

    /// Posts a chain of receive requests.
    int postReceive(long pair, long first, long bad) {
        return post(postReceive, pair, first, bad);
    }

    /// Posts a chain of receive requests to a shared queue.
    int postShared(long queue, long first, long bad) {
        return post(postShared, queue, first, bad);
    }

    /// Asks for an event on the queue's channel; returns 0 or a reason.
    int arm(long queue, boolean solicitedOnly) {
        try {
            return (int) NOTIFY.invokeExact(notifyQueue, queue, solicitedOnly ? 1 : 0);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    private static int post(MemorySegment function, long target, long first, long bad) {
        try {
            return (int) POST.invokeExact(function, target, first, bad);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    private static AssertionError unexpected(Throwable thrown) {
        return new AssertionError("a driver does not throw", thrown);
    }
}
