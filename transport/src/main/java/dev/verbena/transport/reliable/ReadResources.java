package dev.verbena.transport.reliable;

import dev.verbena.wire.Psn;

/// The READs and atomics that a responder remembers, so that it can answer them again (IBA
/// 9.7.5.1.5, 9.7.7.1.2): a ring of as many as the peer may have in flight.
///
/// Entries are counted from the first one ever; an entry is found as long as it is among the newest
/// of the ring, and its sequence numbers are not older than half of their space: beyond that they
/// would be taken for those of newer requests.
///
/// ```
///      forgotten │ answered                  │ to be answered
///   ─────────────┼──────────────┬───────┬────┼────────────────┐
///              oldest        replay   until  fresh         written
/// ```
///
/// Answers leave in order from `fresh` on. A repeated request is answered in between, and only
/// that: each of the peer's repetitions costs one answer, however many came after it.
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

    /// The oldest entry that is remembered, and the last of its sequence numbers.
    private long oldest;

    private int oldestLast;
    private long fresh;
    private long replay;
    private long until;

    /// The position at which the entry at `fresh` continues, and the start of that run.
    private int freshPsn;

    private int freshRun;

    /// The same for the entry at `replay`.
    private int replayPsn;

    private int replayRun;

    /// Resets the table, with room for this many entries, or for the next power of two: Linux rxe
    /// and several NICs round the announced number up to it and have that many in flight.
    void start(int entries) {
        capacity = entries == 0 ? 0 : Integer.highestOneBit(2 * entries - 1);
        words = NONE;
        written = 0;
        oldest = 0;
        fresh = 0;
        replay = 0;
        until = 0;
    }

    /// Changes the room; the newest entries are kept as far as they fit.
    void resize(int entries) {
        int before = capacity;
        long[] old = words;
        if (entries == 0 || old.length == 0) {
            start(entries);
            return;
        }
        int room = Integer.highestOneBit(2 * entries - 1);
        long[] kept = new long[room * STRIDE];
        rememberFrom(Math.max(oldest, written - Math.min(room, before)));
        for (long entry = oldest; entry < written; entry++) {
            System.arraycopy(old, at(entry), kept, (int) (entry & (room - 1)) * STRIDE, STRIDE);
        }
        words = kept;
        capacity = room;
        stopReplay();
        if (fresh < written - room) {
            restartFresh(written - room);
        }
    }

    /// Whether the peer may ask for one more: fewer than `capacity` are still to be answered for
    /// the first time.
    boolean hasRoom() {
        return written - fresh < capacity;
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
        if (oldest == written - capacity) {
            // Its place is needed; a peer that keeps to the agreed number has its answer.
            rememberFrom(oldest + 1);
        }
        int at = at(written);
        words[at] = psn | ((long) packets << 24) | kind;
        words[at + 1] = second;
        words[at + 2] = third;
        if (fresh == written) {
            freshPsn = psn;
            freshRun = psn;
        }
        written++;
        if (oldest == written - 1) {
            rememberFrom(oldest);
        }
    }

    /// Forgets requests so old that newer ones may have the same sequence numbers. Called whenever
    /// the responder expects another sequence number.
    void expects(int psn) {
        while (oldest < fresh && Psn.distance(psn, oldestLast) < 0) {
            rememberFrom(oldest + 1);
        }
    }

    private void rememberFrom(long entry) {
        oldest = entry;
        if (oldest < written) {
            oldestLast = Psn.plus(firstPsn(oldest), packets(oldest) - 1);
        }
        if (isReplaying() && replay < oldest) {
            stopReplay();
        }
    }

    /// The remembered entry that answers a sequence number, or -1.
    long find(int psn) {
        for (long entry = written - 1; entry >= oldest; entry--) {
            int index = Psn.distance(psn, firstPsn(entry));
            if (index >= 0 && index < packets(entry)) {
                return entry;
            }
        }
        return -1;
    }

    /// The newest sequence number, up to the last one that was carried out, that is not of a READ
    /// or an atomic which is remembered.
    int beforeReads(int lastPsn) {
        int psn = lastPsn;
        for (long entry = written - 1; entry >= oldest; entry--) {
            int first = firstPsn(entry);
            if (Psn.plus(first, packets(entry) - 1) != psn) {
                break;
            }
            psn = Psn.plus(first, -1);
        }
        return psn;
    }

    /// Answers an entry again from this sequence number, unless its answer has not reached that
    /// number yet.
    void replay(long entry, int psn) {
        if (entry >= fresh) {
            if (entry == fresh && Psn.distance(psn, freshPsn) < 0) {
                freshPsn = psn;
                freshRun = psn;
            }
        } else if (isReplaying() && entry == until) {
            until++;
        } else if (!isReplaying() || entry < replay || entry > until) {
            replay = entry;
            until = entry + 1;
            replayFrom(psn);
        } else if (entry == replay && Psn.distance(psn, replayPsn) < 0) {
            replayFrom(psn);
        }
    }

    private void replayFrom(int psn) {
        replayPsn = psn;
        replayRun = psn;
    }

    /// Skips an entry whose memory may no longer be read; false when it is not answered again but
    /// for the first time.
    boolean skipReplay() {
        if (!isReplaying()) {
            return false;
        }
        endReplayed();
        return true;
    }

    boolean hasNext() {
        return isReplaying() || fresh < written;
    }

    long next() {
        return isReplaying() ? replay : fresh;
    }

    int nextPsn() {
        return isReplaying() ? replayPsn : freshPsn;
    }

    boolean isRunStart() {
        return isReplaying() ? replayPsn == replayRun : freshPsn == freshRun;
    }

    boolean isRunEnd() {
        long entry = next();
        return Psn.distance(nextPsn(), firstPsn(entry)) == packets(entry) - 1;
    }

    /// One answer left.
    void advance() {
        boolean ends = isRunEnd();
        if (isReplaying()) {
            if (ends) {
                endReplayed();
            } else {
                replayPsn = Psn.plus(replayPsn, 1);
            }
        } else if (ends) {
            restartFresh(fresh + 1);
        } else {
            freshPsn = Psn.plus(freshPsn, 1);
        }
    }

    /// Answers nothing more.
    void stop() {
        stopReplay();
        fresh = written;
    }

    private boolean isReplaying() {
        return replay < until;
    }

    private void endReplayed() {
        replay++;
        if (isReplaying()) {
            replayFrom(firstPsn(replay));
        }
    }

    private void stopReplay() {
        replay = 0;
        until = 0;
    }

    private void restartFresh(long entry) {
        fresh = entry;
        if (fresh < written) {
            freshPsn = firstPsn(fresh);
            freshRun = freshPsn;
        }
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
        return (int) (entry & (capacity - 1)) * STRIDE;
    }
}
