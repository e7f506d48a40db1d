package dev.verbena.interop.matrix;

import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.verbs.SendBatch;

/// One work request, as both sides understand it.
///
/// @param offset where in the requester's memory, and `length` how much of it
/// @param address where in the responder's memory, opened by `key`; of a datagram only the key
///   counts, which is the queue key that it shows
/// @param first immediate data, the key to invalidate, what to compare with or what to add
/// @param second what to swap in
record Request(
        Operation operation,
        long id,
        boolean signaled,
        long offset,
        long length,
        long address,
        int key,
        long first,
        long second) {

    /// What a request does, with the opcode of `ibv_send_wr`.
    enum Operation {
        SEND(2, CompletedOperation.SEND),
        SEND_IMMEDIATE(3, CompletedOperation.SEND),
        SEND_INVALIDATE(9, CompletedOperation.SEND),
        WRITE(0, CompletedOperation.WRITE),
        WRITE_IMMEDIATE(1, CompletedOperation.WRITE),
        READ(4, CompletedOperation.READ),
        COMPARE_SWAP(5, CompletedOperation.COMPARE_SWAP),
        FETCH_ADD(6, CompletedOperation.FETCH_ADD);

        private final int code;
        private final CompletedOperation completed;

        Operation(int code, CompletedOperation completed) {
            this.code = code;
            this.completed = completed;
        }

        int code() {
            return code;
        }

        /// What its completion is called.
        CompletedOperation completed() {
            return completed;
        }

        boolean usesReceive() {
            return switch (this) {
                case SEND, SEND_IMMEDIATE, SEND_INVALIDATE, WRITE_IMMEDIATE -> true;
                default -> false;
            };
        }

        boolean hasImmediate() {
            return this == SEND_IMMEDIATE || this == WRITE_IMMEDIATE;
        }
    }

    /// A SEND or WRITE of any kind, or a READ.
    static Request of(Operation operation, long offset, long length, RemoteSlice remote) {
        return new Request(
                operation, 0, true, offset, length, remote.address(), remote.key(), 0, 0);
    }

    static Request compareAndSwap(long offset, RemoteSlice remote, long expected, long next) {
        return atomic(Operation.COMPARE_SWAP, offset, remote, expected, next);
    }

    static Request fetchAndAdd(long offset, RemoteSlice remote, long addend) {
        return atomic(Operation.FETCH_ADD, offset, remote, addend, 0);
    }

    private static Request atomic(
            Operation operation, long offset, RemoteSlice remote, long first, long second) {
        return new Request(
                operation,
                0,
                true,
                offset,
                SendBatch.ATOMIC_BYTES,
                remote.address(),
                remote.key(),
                first,
                second);
    }

    Request id(long value) {
        return new Request(operation, value, signaled, offset, length, address, key, first, second);
    }

    Request unsignaled() {
        return new Request(operation, id, false, offset, length, address, key, first, second);
    }

    /// With immediate data, or the key to invalidate.
    Request first(long value) {
        return new Request(operation, id, signaled, offset, length, address, key, value, second);
    }

    boolean isMisalignedAtomic() {
        return switch (operation) {
            case COMPARE_SWAP, FETCH_ADD -> address % SendBatch.ATOMIC_BYTES != 0;
            default -> false;
        };
    }

    @Override
    public String toString() {
        return "%s of %d bytes".formatted(operation, length);
    }
}
