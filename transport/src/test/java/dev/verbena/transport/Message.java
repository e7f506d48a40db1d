package dev.verbena.transport;

import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.CompletionStatus;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One posted request, with all that is needed to tell whether it was carried out.
final class Message {
    /// What it asks for.
    enum Kind {
        SEND(CompletedOperation.SEND, true),
        SEND_IMMEDIATE(CompletedOperation.SEND, true),
        SEND_INVALIDATE(CompletedOperation.SEND, true),
        WRITE(CompletedOperation.WRITE, false),
        WRITE_IMMEDIATE(CompletedOperation.WRITE, true),
        READ(CompletedOperation.READ, false),
        COMPARE_SWAP(CompletedOperation.COMPARE_SWAP, false),
        FETCH_ADD(CompletedOperation.FETCH_ADD, false),
        /// On a counter that all queue pairs of the peer share.
        FETCH_ADD_SHARED(CompletedOperation.FETCH_ADD, false),
        LOCAL_INVALIDATE(CompletedOperation.LOCAL_INVALIDATE, false),
        BIND(CompletedOperation.BIND_WINDOW, false);

        final CompletedOperation completed;

        /// Whether it uses up a receive of the peer's.
        final boolean received;

        Kind(CompletedOperation completed, boolean received) {
            this.completed = completed;
            this.received = received;
        }

        boolean isWrite() {
            return this == WRITE || this == WRITE_IMMEDIATE;
        }

        boolean isSend() {
            return received && this != WRITE_IMMEDIATE;
        }

        boolean isAtomic() {
            return this == COMPARE_SWAP || this == FETCH_ADD || this == FETCH_ADD_SHARED;
        }

        /// Whether no packet is sent for it.
        boolean isLocal() {
            return this == LOCAL_INVALIDATE || this == BIND;
        }

        boolean wantsData() {
            return this == READ || isAtomic();
        }
    }

    static final int MAX_PIECES = 4;

    final Kind kind;
    final long id;
    int length;
    int pieces;

    /// Pieces of our memory: of the source for what is sent, of the landing area for what comes.
    final int[] at = new int[MAX_PIECES];

    final int[] lengths = new int[MAX_PIECES];

    boolean signaled;
    boolean fenced;
    boolean solicited;
    boolean inline;
    int immediate;
    int key;

    /// The peer's memory of a WRITE or READ; null for a READ of the peer's source.
    @Nullable Area target;

    int targetAt;

    /// The window that it goes through, changes or ends.
    @Nullable WindowModel windowModel;

    /// Whether the bytes are a length only, on one side or on both: nothing is written.
    boolean phantom;

    /// Where it goes instead, when it is posted to fail; 0 otherwise.
    long address;

    /// What an atomic must answer and leave behind; the number of the counter for a shared one.
    long before;

    long after;
    int counter;

    /// How it may end when it was posted to fail; empty when it must succeed.
    Set<CompletionStatus> failure = Set.of();

    Message(Kind kind, long id) {
        this.kind = kind;
        this.id = id;
    }

    /// Whether it carries immediate data.
    boolean hasImmediate() {
        return kind == Kind.SEND_IMMEDIATE || kind == Kind.WRITE_IMMEDIATE;
    }

    void piece(int from, int bytes) {
        at[pieces] = from;
        lengths[pieces] = bytes;
        pieces++;
        length += bytes;
    }

    /// Puts all bytes in a row.
    void copyTo(MemorySegment source, MemorySegment to) {
        int done = 0;
        for (int i = 0; i < pieces; i++) {
            MemorySegment.copy(source, at[i], to, done, lengths[i]);
            done += lengths[i];
        }
    }

    void copyTo(byte[] source, byte[] model) {
        int to = targetAt;
        for (int i = 0; i < pieces; i++) {
            System.arraycopy(source, at[i], model, to, lengths[i]);
            to += lengths[i];
        }
    }

    /// Marks the bytes of `now` that are this write's.
    void explain(byte[] source, byte[] now, boolean[] explained) {
        int to = targetAt;
        for (int i = 0; i < pieces; i++) {
            for (int k = 0; k < lengths[i]; k++) {
                explained[to] |= now[to] == source[at[i] + k];
                to++;
            }
        }
    }

    /// Whether the pieces of `memory` hold, in a row, the bytes of `other` from `from` on.
    boolean equalsAt(MemorySegment memory, MemorySegment other, int from) {
        int done = from;
        for (int i = 0; i < pieces; i++) {
            if (!same(memory, at[i], other, done, lengths[i])) {
                return false;
            }
            done += lengths[i];
        }
        return true;
    }

    static boolean same(MemorySegment one, long at, MemorySegment other, long from, int bytes) {
        return bytes == 0
                || MemorySegment.mismatch(one, at, at + bytes, other, from, from + bytes) < 0;
    }

    @Override
    public String toString() {
        return "%s %d of %d bytes in %d pieces%s%s"
                .formatted(
                        kind,
                        id & 0xFFFF_FFFFL,
                        length,
                        pieces,
                        signaled ? ", signaled" : "",
                        failure.isEmpty() ? "" : ", to fail with " + failure);
    }
}
