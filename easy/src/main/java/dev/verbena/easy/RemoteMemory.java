package dev.verbena.easy;

import dev.verbena.easy.Piece.Kind;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.verbs.WrongStateException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Memory of the peer, used without its program. Threads may share it.
///
/// Offsets outside of the memory are refused here. READs and WRITEs of more than one packet are not
/// atomic: another thread or peer may see a part of a WRITE, and a READ may return a mixture of old
/// and new bytes; [VersionedCell] notices that. [#compareAndSet] and [#getAndAdd] are atomic to
/// each other, on eight bytes at an offset that is a multiple of 8, in the byte order of the peer's
/// machine.
///
/// When the peer takes the memory back, the next operation ends the channel: RDMA has no milder
/// refusal.
public final class RemoteMemory {
    private static final int ATOMIC_BYTES = 8;

    private final MessageChannel channel;
    private final RemoteOps ops;
    private final RemoteSlice slice;
    private final Duration limit;

    RemoteMemory(MessageChannel channel, RemoteOps ops, RemoteSlice slice, Duration limit) {
        this.channel = channel;
        this.ops = ops;
        this.slice = slice;
        this.limit = limit;
    }

    /// The same memory, whose operations wait at most so long.
    public RemoteMemory withLimit(Duration value) {
        return new RemoteMemory(channel, ops, slice, value);
    }

    Waits waits() {
        return ops.gate.waits;
    }

    public long length() {
        return slice.length();
    }

    /// Reads into memory of the caller, as many bytes as it has.
    public void read(long offset, MemorySegment into) throws IOException {
        batch().read(offset, into).run();
    }

    /// Reads into registered memory, without a copy.
    public void read(long offset, PooledBuffer into, long at, long bytes) throws IOException {
        batch().read(offset, into, at, bytes).run();
    }

    /// Writes all bytes of the caller's memory. On return they are in the peer's memory.
    public void write(long offset, MemorySegment from) throws IOException {
        batch().write(offset, from).run();
    }

    /// Writes from registered memory, without a copy.
    public void write(long offset, PooledBuffer from, long at, long bytes) throws IOException {
        batch().write(offset, from, at, bytes).run();
    }

    /// Sets the number to `replacement` when it is `expected`; returns whether it was.
    public boolean compareAndSet(long offset, long expected, long replacement) throws IOException {
        return compareAndExchange(offset, expected, replacement) == expected;
    }

    /// The same; returns the number that was there before.
    public long compareAndExchange(long offset, long expected, long replacement)
            throws IOException {
        return atomic(Kind.COMPARE_AND_SWAP, offset, expected, replacement);
    }

    /// Adds to the number; returns what it was before.
    public long getAndAdd(long offset, long addend) throws IOException {
        return atomic(Kind.FETCH_AND_ADD, offset, 0, addend);
    }

    private long atomic(Kind kind, long offset, long expected, long operand) throws IOException {
        RemoteSlice eight = slice.slice(offset, ATOMIC_BYTES);
        if (eight.address() % ATOMIC_BYTES != 0) {
            throw new InvalidRequestException(
                    slice.toString(), "an atomic at offset " + offset, "use a multiple of 8");
        }
        Piece piece =
                new Piece(
                        kind,
                        eight.address(),
                        eight.key(),
                        null,
                        null,
                        0,
                        ATOMIC_BYTES,
                        expected,
                        operand);
        return run(List.of(piece)).previous();
    }

    public CompletableFuture<@Nullable Void> readAsync(long offset, MemorySegment into) {
        return batch().read(offset, into).runAsync();
    }

    public CompletableFuture<@Nullable Void> writeAsync(long offset, MemorySegment from) {
        return batch().write(offset, from).runAsync();
    }

    public CompletableFuture<Boolean> compareAndSetAsync(
            long offset, long expected, long replacement) {
        return channel.run(() -> compareAndSet(offset, expected, replacement));
    }

    public CompletableFuture<Long> getAndAddAsync(long offset, long addend) {
        return channel.run(() -> getAndAdd(offset, addend));
    }

    /// Several READs and WRITEs that run at the same time, in no order.
    public Batch batch() {
        return new Batch();
    }

    /// READs and WRITEs that are being collected. Belongs to one thread.
    public final class Batch {
        private final List<Piece> pieces = new ArrayList<>();

        private Batch() {}

        public Batch read(long offset, MemorySegment into) {
            return add(Kind.READ, offset, into);
        }

        public Batch read(long offset, PooledBuffer into, long at, long bytes) {
            return add(Kind.READ, offset, into, at, bytes);
        }

        public Batch write(long offset, MemorySegment from) {
            return add(Kind.WRITE, offset, from);
        }

        public Batch write(long offset, PooledBuffer from, long at, long bytes) {
            return add(Kind.WRITE, offset, from, at, bytes);
        }

        private Batch add(Kind kind, long offset, MemorySegment local) {
            RemoteSlice part = slice.slice(offset, local.byteSize());
            for (long at = 0; at < part.length(); at += ops.pieceBytes) {
                long bytes = Math.min(ops.pieceBytes, part.length() - at);
                pieces.add(
                        new Piece(
                                kind,
                                part.address() + at,
                                part.key(),
                                local,
                                null,
                                at,
                                bytes,
                                0,
                                0));
            }
            return this;
        }

        private Batch add(Kind kind, long offset, PooledBuffer local, long at, long bytes) {
            channel.requireNode(local.pool().node());
            local.require(at, bytes);
            RemoteSlice part = slice.slice(offset, bytes);
            pieces.add(new Piece(kind, part.address(), part.key(), null, local, at, bytes, 0, 0));
            return this;
        }

        /// Runs all of them, and waits until all are done. When it throws, some may have been
        /// carried out.
        public void run() throws IOException {
            RemoteMemory.this.run(List.copyOf(pieces));
            pieces.clear();
        }

        /// Runs all of them; the future is complete when all are done. The memory of the caller
        /// must stay, and may be used by another thread.
        public CompletableFuture<@Nullable Void> runAsync() {
            List<Piece> all = List.copyOf(pieces);
            pieces.clear();
            return channel.run(
                    () -> {
                        RemoteMemory.this.run(all);
                        return null;
                    });
        }
    }

    private Transfer run(List<Piece> pieces) throws IOException {
        Gate gate = ops.gate;
        gate.lock();
        try {
            channel.requireOpen();
            long deadlineNs = gate.waits.after(limit);
            Transfer transfer = new Transfer(pieces);
            boolean isDone = false;
            try {
                ops.post(transfer);
                while (!transfer.isDone()) {
                    await(transfer, deadlineNs);
                    ops.collect(transfer);
                    ops.post(transfer);
                }
                isDone = true;
            } catch (WrongStateException | ClosedException over) {
                channel.gone(over);
            } finally {
                if (!isDone) {
                    ops.abandon(transfer);
                }
            }
            return transfer;
        } finally {
            gate.unlock();
        }
    }

    private void await(Transfer transfer, long deadlineNs) throws IOException {
        boolean isOver =
                ops.gate.await(
                        ops.waiting(transfer),
                        deadlineNs,
                        () ->
                                channel.isEnding()
                                        || transfer.isDone()
                                        || transfer.hasReady()
                                        || (transfer.hasMore() && ops.hasFree()));
        if (channel.isClosedHere() || (!transfer.isDone() && !transfer.hasReady())) {
            channel.requireOpen();
        }
        if (!isOver) {
            throw channel.late("%s has not carried out an operation on its memory", limit);
        }
    }

    @Override
    public String toString() {
        return slice + " of " + channel.peer();
    }
}
