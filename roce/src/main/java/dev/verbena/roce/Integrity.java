package dev.verbena.roce;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.IcrcPseudoHeader;
import dev.verbena.wire.Ipv4IdSolver;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Verdict;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Checks the ICRC of received packets as exactly as a socket allows.
///
/// The ICRC covers network headers that a socket does not show. For IPv6 all covered fields are
/// known, so the check is exact. For IPv4 the identification is not known: it is guessed, and where
/// the guess is wrong it is computed from the ICRC. Then one in 65,536 randomly damaged packets
/// passes, in addition to UDP's own checksum. A sender that forbids fragments has identification 0,
/// or counts from 0 where its kernel split a train: after [#STRICT_AFTER] such packets in a row no
/// other identification is accepted from it, which leaves one in 33 million.
final class Integrity {
    /// More than a counter needs to pass through the numbers below [Ipv4IdSolver#STRONG_BELOW].
    private static final int STRICT_AFTER = 1024;

    /// After this many refused packets in a row, the sender is assumed to have changed.
    private static final int DOUBT_AFTER = 16;

    private static final int SENDERS = 256;
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;
    private static final int MIX_SHIFT = 56;

    private final Icrc icrc = new Icrc();
    private final Gid own;
    private final int ownPort;
    private final @Nullable Sender[] senders = new Sender[SENDERS];
    private Sender sender;

    private long solved;

    Integrity(Gid own, int ownPort) {
        this.own = own;
        this.ownPort = ownPort;
        sender = new Sender();
        senders[0] = sender;
    }

    /// Sets the source of the next packets.
    void from(long high, long low, int port) {
        int index = (int) ((((high ^ low) + port) * MIX) >>> MIX_SHIFT);
        Sender known = senders[index];
        if (known == null) {
            known = new Sender();
            senders[index] = known;
        }
        sender = known;
        if (sender.port != port || sender.low != low || sender.high != high) {
            sender.become(high, low, port);
        }
    }

    /// The verdict on a packet with a valid structure.
    ///
    /// @param guess the identification that it has if it is the guess-th packet of a train
    Verdict check(Verdict structure, PacketView view, int guess) {
        boolean isAnswered =
                switch (structure.category()) {
                    case ACCEPTED, ILLEGAL, UNSUPPORTED -> true;
                    case FOREIGN, MALFORMED, CORRUPT -> false;
                };
        if (!isAnswered) {
            return structure;
        }
        return isRight(view, guess) ? structure : Verdict.ICRC_WRONG;
    }

    private boolean isRight(PacketView view, int guess) {
        MemorySegment bytes = view.segment();
        int length = view.transportLength() - Icrc.LENGTH;
        int computed = icrc.compute(sender.header, guess, bytes, view.bthAt(), length);
        int received = Icrc.stored(bytes, view.icrcAt());
        if (computed == received) {
            sender.kept();
            return true;
        }
        if (!own.isIpv4()) {
            return false;
        }
        // A CRC is linear: the result is the difference from the guess.
        int difference = Ipv4IdSolver.solve(computed, received, length);
        if (difference == Ipv4IdSolver.NONE) {
            return false;
        }
        solved++;
        return sender.takes(difference ^ guess);
    }

    /// Packets whose identification was not the guessed one.
    long solved() {
        return solved;
    }

    /// The known facts about one sender.
    private final class Sender {
        private final IcrcPseudoHeader header = new IcrcPseudoHeader();
        private long high;
        private long low;
        private int port = -1;
        private int inARow;
        private int doubts;

        void become(long newHigh, long newLow, int newPort) {
            high = newHigh;
            low = newLow;
            port = newPort;
            inARow = 0;
            doubts = 0;
            if (own.isIpv4()) {
                header.setIpv4((int) low, (int) own.low(), port, ownPort);
            } else {
                header.setIpv6(new dev.verbena.wire.Gid(high, low), Route.wire(own), port, ownPort);
            }
        }

        void kept() {
            if (inARow < STRICT_AFTER) {
                inARow++;
            }
            doubts = 0;
        }

        boolean takes(int identification) {
            if (identification < Ipv4IdSolver.STRONG_BELOW) {
                kept();
                return true;
            }
            if (inARow == STRICT_AFTER && doubts < DOUBT_AFTER) {
                doubts++;
                return false;
            }
            inARow = 0;
            return true;
        }
    }
}
