package dev.verbena.transport;

import dev.verbena.wire.Psn;

/// The READs and atomics that a responder remembers, so that it can answer them again (IBA
/// 9.7.5.1.5, 9.7.7.1.2): a ring of as many as the peer may have in flight.
///
/// Entries are counted from the first one ever; an entry is found as long as it is among the newest
/// `capacity`. Answers leave in order, from [#next] on; a repeated request moves that back.
///
/// An entry is three words: first sequence number, count of sequence numbers and kind; address, or
/// the original value of an atomic; key and length. They are taken when the first request comes.
final class ReadResources {
    private static final int STRIDE = 3;
    private static final long ATOMIC = 1L << 48;
    private static final long[] NONE = new long[0];

    private int capacity;
    private long[] words = NONE;
    private long written;
    private long next;

    /// All entries before this one were answered to their end at least once.
    private long fresh;

    /// The sequence number that the entry at [#next] goes on from, and where that run began.
    private int nextPsn;

    private int runPsn;

    /// Begins anew with room for this many.
    void start(int entries) {
        capacity = entries;
        words = NONE;
        written = 0;
        next = 0;
        fresh = 0;
    }

    /// Changes the room; the newest entries are kept as far as they fit.
    void resize(int entries) {
        if (entries == capacity || words.length == 0) {
            capacity = entries;
            return;
        }
        long[] kept = new long[entries * STRIDE];
        for (long entry = Math.max(0, written - Math.min(entries, capacity));
                entry < written;
                entry++) {
            System.arraycopy(words, at(entry), kept, (int) (entry % entries) * STRIDE, STRIDE);
        }
        words = kept;
        capacity = entries;
        forgetBefore(written - entries);
    }

    /// Whether the peer may ask for one more: fewer than `capacity` are still to be answered for
    /// the first time. What is answered again does not count: a repetition may be a late packet
    /// whose answer the peer has had long ago.
    boolean hasRoom() {
        return written - fresh < capacity;
    }

    /// Gives up answering entries again that are about to go; a peer that keeps to `capacity` has
    /// their answers.
    private void forgetBefore(long entry) {
        if (next < entry) {
            next = entry;
            if (next < written) {
                nextPsn = firstPsn(next);
                runPsn = nextPsn;
            }
        }
    }

    void addRead(int psn, int packets, long address, int key, long length) {
        add(psn, packets, 0, address, ((long) key << 32) | length);
    }

    void addAtomic(int psn, long original) {
        add(psn, 1, ATOMIC, original, 0);
    }

    private void add(int psn, int packets, long kind, long second, long third) {
        assert hasRoom();
        if (words.length == 0) {
            words = new long[capacity * STRIDE];
        }
        forgetBefore(written + 1 - capacity);
        int at = at(written);
        words[at] = psn | ((long) packets << 24) | kind;
        words[at + 1] = second;
        words[at + 2] = third;
        if (next == written) {
            nextPsn = psn;
            runPsn = psn;
        }
        written++;
    }

    /// The remembered entry that answers a sequence number, or -1.
    long find(int psn) {
        long oldest = Math.max(0, written - capacity);
        for (long entry = written - 1; entry >= oldest; entry--) {
            int index = Psn.distance(psn, firstPsn(entry));
            if (index >= 0 && index < packets(entry)) {
                return entry;
            }
        }
        return -1;
    }

    /// Answers again from this sequence number of an entry on, unless that is still to come.
    void replay(long entry, int psn) {
        boolean isDone = entry < next;
        boolean isPast = entry == next && next < written && Psn.distance(psn, nextPsn) < 0;
        if (isDone || isPast) {
            next = entry;
            nextPsn = psn;
            runPsn = psn;
        }
    }

    boolean hasNext() {
        return next < written;
    }

    long next() {
        return next;
    }

    int nextPsn() {
        return nextPsn;
    }

    boolean isRunStart() {
        return nextPsn == runPsn;
    }

    boolean isRunEnd() {
        return Psn.distance(nextPsn, firstPsn(next)) == packets(next) - 1;
    }

    /// One answer left.
    void advance() {
        if (!isRunEnd()) {
            nextPsn = Psn.plus(nextPsn, 1);
            return;
        }
        next++;
        fresh = Math.max(fresh, next);
        if (next < written) {
            nextPsn = firstPsn(next);
            runPsn = nextPsn;
        }
    }

    /// Answers nothing more.
    void stop() {
        next = written;
        fresh = written;
    }

    int firstPsn(long entry) {
        return (int) words[at(entry)] & Psn.MASK;
    }

    int packets(long entry) {
        return (int) (words[at(entry)] >> 24) & Psn.MASK;
    }

    boolean isAtomic(long entry) {
        return (words[at(entry)] & ATOMIC) != 0;
    }

    long address(long entry) {
        return words[at(entry) + 1];
    }

    long original(long entry) {
        return words[at(entry) + 1];
    }

    int key(long entry) {
        return (int) (words[at(entry) + 2] >> 32);
    }

    long length(long entry) {
        return words[at(entry) + 2] & 0xFFFF_FFFFL;
    }

    private int at(long entry) {
        return (int) (entry % capacity) * STRIDE;
    }
}
