package dev.verbena.transport.work;

import java.util.Arrays;

/// Work requests of a whole device, in one array that grows with the work in flight.
///
/// A slot is sixteen words:
///
/// | word | bits | |
/// |---|---|---|
/// | 0 | | the poster's id |
/// | 1 | 7-0, 15-8, 23-16, 63-32 | kind, flags, pieces, immediate or key to invalidate |
/// | 2 | | remote address |
/// | 3 | 31-0, 55-32 | remote key, first sequence number |
/// | 4 | 31-0, 55-32 | length, send sequence number |
/// | 5, 6 | | operands of an atomic |
/// | 7 | 31-0, 63-32 | next slot, slot with further pieces |
/// | 8-15 | | four pieces: offset; region and length |
///
/// A slot with further pieces holds eight of them. A request without pieces can keep a number where
/// the first of them would be.
public final class WorkSlab {
    public static final int NIL = -1;

    /// Pieces that a request can have: four of its own, eight in a second slot.
    public static final int MAX_PIECES = 12;

    /// A length above any message, yet small enough for its field.
    public static final long MAX_LENGTH = 1L << 31;

    private static final int OWN_PIECES = 4;
    private static final int STRIDE = 16;
    private static final int STRIDE_SHIFT = 4;
    private static final int FIRST_SLOTS = 8;

    private static final int ID = 0;
    private static final int KIND = 1;
    private static final int ADDRESS = 2;
    private static final int KEY = 3;
    private static final int LENGTH = 4;
    private static final int OPERAND = 5;
    private static final int LINKS = 7;
    private static final int PIECES = 8;

    private static final long LOW = 0xFFFF_FFFFL;
    private static final long SEQUENCE = 0xFF_FFFFL << 32;

    private final int limit;
    private long[] words = new long[FIRST_SLOTS * STRIDE];
    private int free = NIL;
    private int used;

    public WorkSlab(int limit) {
        this.limit = limit;
        chain(0, FIRST_SLOTS);
    }

    /// An empty slot of a kind, or [#NIL] when the device holds as much work as it may.
    public int take(int kind, long id) {
        if (used == limit) {
            return NIL;
        }
        if (free == NIL) {
            grow();
        }
        int slot = free;
        int at = slot << STRIDE_SHIFT;
        free = next(slot);
        used++;
        words[at + ID] = id;
        words[at + KIND] = kind;
        words[at + LENGTH] = 0;
        words[at + LINKS] = -1L;
        return slot;
    }

    /// Gives a slot back, with its further pieces.
    void give(int slot) {
        int further = further(slot);
        if (further != NIL) {
            release(further);
        }
        release(slot);
    }

    public int used() {
        return used;
    }

    public long id(int slot) {
        return words[(slot << STRIDE_SHIFT) + ID];
    }

    public void id(int slot, long id) {
        words[(slot << STRIDE_SHIFT) + ID] = id;
    }

    public int kind(int slot) {
        return (int) words[(slot << STRIDE_SHIFT) + KIND] & 0xFF;
    }

    public boolean has(int slot, int flag) {
        return (words[(slot << STRIDE_SHIFT) + KIND] & ((long) flag << 8)) != 0;
    }

    public void set(int slot, int flag) {
        words[(slot << STRIDE_SHIFT) + KIND] |= (long) flag << 8;
    }

    int pieces(int slot) {
        return (int) (words[(slot << STRIDE_SHIFT) + KIND] >> 16) & 0xFF;
    }

    public int immediate(int slot) {
        return (int) (words[(slot << STRIDE_SHIFT) + KIND] >>> 32);
    }

    public void immediate(int slot, int value) {
        int at = (slot << STRIDE_SHIFT) + KIND;
        words[at] = (words[at] & LOW) | ((long) value << 32);
    }

    public long remoteAddress(int slot) {
        return words[(slot << STRIDE_SHIFT) + ADDRESS];
    }

    /// The path of a datagram, by its number, and the queue pair that it goes to.
    public int path(int slot) {
        return (int) (remoteAddress(slot) >>> 32);
    }

    public int target(int slot) {
        return (int) remoteAddress(slot);
    }

    /// Says where a datagram goes.
    void to(int slot, int path, int queuePair, int queueKey) {
        remote(slot, ((long) path << 32) | queuePair, queueKey);
    }

    public int remoteKey(int slot) {
        return (int) words[(slot << STRIDE_SHIFT) + KEY];
    }

    public void remote(int slot, long address, int key) {
        int at = slot << STRIDE_SHIFT;
        words[at + ADDRESS] = address;
        words[at + KEY] = key & LOW;
    }

    public int firstPsn(int slot) {
        return (int) (words[(slot << STRIDE_SHIFT) + KEY] >>> 32);
    }

    public void firstPsn(int slot, int psn) {
        int at = (slot << STRIDE_SHIFT) + KEY;
        words[at] = (words[at] & ~SEQUENCE) | ((long) psn << 32);
    }

    public long length(int slot) {
        return words[(slot << STRIDE_SHIFT) + LENGTH] & LOW;
    }

    public int sendSequence(int slot) {
        return (int) (words[(slot << STRIDE_SHIFT) + LENGTH] >>> 32);
    }

    public void sendSequence(int slot, int number) {
        int at = (slot << STRIDE_SHIFT) + LENGTH;
        words[at] = (words[at] & ~SEQUENCE) | ((long) number << 32);
    }

    public long operand(int slot, int which) {
        return words[(slot << STRIDE_SHIFT) + OPERAND + which];
    }

    void operands(int slot, long first, long second) {
        int at = (slot << STRIDE_SHIFT) + OPERAND;
        words[at] = first;
        words[at + 1] = second;
    }

    long note(int slot) {
        return words[(slot << STRIDE_SHIFT) + PIECES];
    }

    /// Keeps a number with a request that has no pieces.
    void note(int slot, long value) {
        words[(slot << STRIDE_SHIFT) + PIECES] = value;
    }

    public int next(int slot) {
        return (int) words[(slot << STRIDE_SHIFT) + LINKS];
    }

    public void next(int slot, int next) {
        int at = (slot << STRIDE_SHIFT) + LINKS;
        words[at] = (words[at] & ~LOW) | (next & LOW);
    }

    /// Adds a piece of memory, whose length is within [#MAX_LENGTH] together with the others;
    /// returns whether there was a slot for it.
    boolean addPiece(int slot, int region, long offset, long length) {
        int count = pieces(slot);
        int target = pieceAt(slot, count);
        if (count == OWN_PIECES) {
            int further = take(kind(slot), 0);
            if (further == NIL) {
                return false;
            }
            int links = (slot << STRIDE_SHIFT) + LINKS;
            words[links] = (words[links] & LOW) | ((long) further << 32);
            target = further << STRIDE_SHIFT;
        }
        words[target] = offset;
        words[target + 1] = ((long) region << 32) | length;
        int at = slot << STRIDE_SHIFT;
        words[at + KIND] += 1L << 16;
        words[at + LENGTH] += length;
        return true;
    }

    long pieceOffset(int slot, int piece) {
        return words[pieceAt(slot, piece)];
    }

    int pieceRegion(int slot, int piece) {
        return (int) (words[pieceAt(slot, piece) + 1] >> 32);
    }

    long pieceLength(int slot, int piece) {
        return words[pieceAt(slot, piece) + 1] & LOW;
    }

    private int pieceAt(int slot, int piece) {
        return piece < OWN_PIECES
                ? (slot << STRIDE_SHIFT) + PIECES + piece * 2
                : (further(slot) << STRIDE_SHIFT) + (piece - OWN_PIECES) * 2;
    }

    private int further(int slot) {
        return pieces(slot) > OWN_PIECES
                ? (int) (words[(slot << STRIDE_SHIFT) + LINKS] >> 32)
                : NIL;
    }

    private void release(int slot) {
        int at = slot << STRIDE_SHIFT;
        words[at + KIND] = 0;
        words[at + LINKS] = free & LOW;
        free = slot;
        used--;
    }

    private void grow() {
        int slots = words.length >> STRIDE_SHIFT;
        int more = Math.min(slots * 2, limit);
        words = Arrays.copyOf(words, more << STRIDE_SHIFT);
        chain(slots, more);
    }

    private void chain(int from, int to) {
        for (int slot = to - 1; slot >= from; slot--) {
            words[(slot << STRIDE_SHIFT) + LINKS] = free & LOW;
            free = slot;
        }
    }
}
