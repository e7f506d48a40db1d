package dev.verbena.easy;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The requests of a channel that wait for their reply. A place is free again when the reply has
/// come, also of a request that the program has given up: the peer will answer it.
final class Calls {
    /// One place.
    static final class Call {
        final ArrayDeque<Thread> waiter = new ArrayDeque<>(1);
        private final int index;
        private long number;
        private boolean isPending;
        private boolean isGivenUp;
        boolean isFailed;
        byte[] reply = NONE;

        private Call(int index) {
            this.index = index;
        }

        /// Unique on the channel for 2^47 requests.
        long number() {
            return number;
        }

        boolean isPending() {
            return isPending;
        }
    }

    private static final byte[] NONE = {};
    private static final int INDEX_BITS = 16;

    private final Call[] calls;
    private final IntRing free;
    private long begun;

    Calls(int capacity) {
        calls = new Call[capacity];
        for (int i = 0; i < capacity; i++) {
            calls[i] = new Call(i);
        }
        free = IntRing.full(capacity);
    }

    boolean hasFree() {
        return !free.isEmpty();
    }

    Call begin() {
        Call call = calls[free.take()];
        call.number = ++begun << INDEX_BITS | call.index;
        call.isPending = true;
        call.isGivenUp = false;
        call.isFailed = false;
        call.reply = NONE;
        return call;
    }

    /// Takes a reply; returns null when no such request waits.
    @Nullable Call answered(long number, boolean isFailed, byte[] reply) {
        int index = (int) (number & (1 << INDEX_BITS) - 1);
        if (index >= calls.length) {
            return null;
        }
        Call call = calls[index];
        if (!call.isPending || call.number != number) {
            return null;
        }
        call.isPending = false;
        if (call.isGivenUp) {
            free.add(index);
        } else {
            call.isFailed = isFailed;
            call.reply = reply;
        }
        return call;
    }

    /// The program has the reply.
    void end(Call call) {
        call.isPending = false;
        call.reply = NONE;
        free.add(call.index);
    }

    /// The program waits no longer; the place stays taken until the peer has answered.
    void giveUp(Call call) {
        if (call.isPending) {
            call.isGivenUp = true;
        } else {
            end(call);
        }
    }

    /// All of them, to be woken.
    Call[] all() {
        return calls;
    }
}
