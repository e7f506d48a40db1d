package dev.verbena.transport.reliable;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.common.Counters;
import dev.verbena.transport.pair.WritePacket;
import dev.verbena.wire.Operation;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Psn;
import dev.verbena.wire.SackEth;
import dev.verbena.wire.Service;
import dev.verbena.wire.Verdict;
import java.lang.foreign.MemorySegment;

/// Places the packets of WRITEs when they come, and carries them out when it is their turn; drops
/// what else comes early. Peers have agreed on it (docs/decisions/0050-selective-repeat.md).
///
/// ```
///          │ missing │ placed │ missing │ placed │ nothing yet
///          ▲                                     ▲            ▲
///       expected                              newest    expected + REACH
/// ```
///
/// A packet that was placed is never placed again: what the program has written there since would
/// be lost.
final class AnyOrder implements ReceiveOrder {
    private static final int REACH = SackEth.REACH;
    private static final int MASK = REACH - 1;
    private static final long[] NOTHING = new long[0];

    private final Responder responder;

    /// Which packets are placed, by sequence number modulo [#REACH].
    private final long[] placed = new long[SackEth.WORDS];

    /// The headers of those packets; taken when the first comes early.
    private long[] headers = NOTHING;

    /// Where the marks of packets that are done end.
    private int cleared;

    /// The packet that came last, unless an acknowledgement has named it.
    private int seen;

    private boolean hasSeen;

    AnyOrder(Responder responder) {
        this.responder = responder;
    }

    @Override
    public boolean isSelective() {
        return true;
    }

    @Override
    public void reset() {
        for (int word = 0; word < placed.length; word++) {
            placed[word] = 0;
        }
        cleared = responder.expectedPsn();
        hasSeen = false;
    }

    @Override
    public void ahead(long nowNs, InboundPacket packet) {
        PacketView view = packet.view();
        Counters counters = responder.service.counters;
        counters.add(Counter.OUT_OF_SEQUENCE);
        int psn = view.psn();
        if (isPlaced(psn) && isNear(psn)) {
            counters.add(Counter.EARLY_DUPLICATE);
        } else if (packet.verdict() == Verdict.OK && isApart(view) && isNear(psn) && keep(view)) {
            counters.add(Counter.EARLY_PLACED);
        } else {
            counters.add(Counter.EARLY_DROPPED);
        }
        seen = psn;
        hasSeen = true;
        responder.responses.due();
    }

    private boolean isNear(int psn) {
        return Psn.distance(psn, responder.expectedPsn()) < REACH;
    }

    private static boolean isApart(PacketView view) {
        return view.opcode().service() == Service.MANUFACTURER_6
                && view.opcode().operation().isWrite();
    }

    private boolean keep(PacketView view) {
        WritePacket packet = responder.service.write;
        packet.take(view);
        if (!responder.message.placeEarly(packet, view)) {
            return false;
        }
        if (headers.length == 0) {
            headers = new long[REACH * WritePacket.WORDS];
        }
        int at = view.psn() & MASK;
        packet.put(headers, at * WritePacket.WORDS);
        placed[at / Long.SIZE] |= 1L << at;
        return true;
    }

    /// The packet that is expected, as it was when it came.
    private void remembered(WritePacket packet) {
        packet.take(headers, (responder.expectedPsn() & MASK) * WritePacket.WORDS);
    }

    private boolean isPlaced(int psn) {
        int at = psn & MASK;
        return (placed[at / Long.SIZE] >>> at & 1) != 0;
    }

    private void clear(int psn) {
        int at = psn & MASK;
        placed[at / Long.SIZE] &= ~(1L << at);
    }

    @Override
    public void expected() {}

    @Override
    public void refused() {}

    /// It may have been placed already, when it was refused because there was no receive: then it
    /// is what it was when its key was looked at, whatever a repetition says.
    @Override
    public int write(Operation operation, PacketView view) {
        if (!isApart(view)) {
            return responder.message.invalid(Counter.REFUSED_FORM);
        }
        WritePacket packet = responder.service.write;
        if (isPlaced(responder.expectedPsn())) {
            remembered(packet);
            return packet.operation() == operation
                    ? responder.message.write(packet, null)
                    : responder.message.invalid(Counter.REFUSED_ORDER);
        }
        packet.take(view);
        return responder.message.write(packet, view);
    }

    @Override
    public void advanced(long nowNs) {
        clearDone();
        boolean isMore = false;
        while (isPlaced(responder.expectedPsn())) {
            WritePacket packet = responder.service.write;
            remembered(packet);
            if (!responder.carryOutPlaced(packet)) {
                return;
            }
            clearDone();
            isMore = true;
        }
        if (isMore) {
            responder.responses.acknowledge(nowNs, true);
        }
    }

    /// A READ takes many numbers at once, and a peer may have used some of them before.
    private void clearDone() {
        int more = Math.min(REACH, Psn.plus(responder.expectedPsn(), -cleared));
        for (int i = 0; i < more; i++) {
            clear(Psn.plus(cleared, i));
        }
        cleared = responder.expectedPsn();
    }

    @Override
    public boolean hasEarly() {
        return hasSeen || (placed[0] | placed[1] | placed[2] | placed[3]) != 0;
    }

    /// Writes the extended header that says what is placed.
    void tell(MemorySegment to, long at) {
        int start = responder.expectedPsn();
        SackEth.put(to, at, start, hasSeen ? seen : Psn.plus(start, -1));
        hasSeen = false;
        int from = Psn.plus(start, 1) & MASK;
        int shift = from % Long.SIZE;
        for (int word = 0; word < SackEth.WORDS; word++) {
            int index = from / Long.SIZE + word & (SackEth.WORDS - 1);
            long bits = placed[index] >>> shift;
            if (shift > 0) {
                int next = index + 1 & (SackEth.WORDS - 1);
                bits |= placed[next] << (Long.SIZE - shift);
            }
            // The last bit would be the expected one's own, a whole round further.
            SackEth.putWord(to, at, word, word == SackEth.WORDS - 1 ? bits & Long.MAX_VALUE : bits);
        }
    }
}
