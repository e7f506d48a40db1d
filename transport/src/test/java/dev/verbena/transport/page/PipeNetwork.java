package dev.verbena.transport.page;

import dev.verbena.transport.TransportDevice;
import dev.verbena.transport.TransportOptions;
import dev.verbena.transport.TurnPort;
import dev.verbena.transport.Turns;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Verdict;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.List;
import java.util.SplittableRandom;

/// Devices at one pipe, in virtual time: the skeleton of a carrier.
final class PipeNetwork implements Turns.Link {
    /// A packet on its way: its bytes were copied, since a device keeps its own no longer.
    private record Parcel(
            Gid from, Address to, int ecn, MemorySegment header, MemorySegment payload) {}

    private final Turns<End> turns = new Turns<>("pipe", this);
    private final ArrayDeque<Parcel> pipe = new ArrayDeque<>();
    private final InboundPacket inbound = new InboundPacket();
    private int made;

    /// A device with an address of its own. The seed decides its keys and numbers.
    TransportDevice open(String name, long seed) {
        End end = new End(new Gid(0xFE80L << 48, ++made));
        TransportOptions options = turns.options(new SplittableRandom(seed), end);
        options.name(name).gids(List.of(end.gid())).partitionKeys(List.of(0xFFFF, 0x8002));
        return turns.open(end, options);
    }

    Turns<End> turns() {
        return turns;
    }

    @Override
    public long nextNs() {
        return pipe.isEmpty() ? Long.MAX_VALUE : turns.nowNs();
    }

    @Override
    public void arrive() {
        Parcel parcel = pipe.remove();
        Gid to = parcel.to.gid();
        for (End member : List.copyOf(turns.members(to))) { // a listener may close one
            member.receive(arrived(parcel));
        }
        End end = turns.at(to);
        if (end != null) {
            end.receive(arrived(parcel));
        }
    }

    /// What the device learns of a packet: whether it is whole, and where it came from and went to.
    private InboundPacket arrived(Parcel parcel) {
        MemorySegment header = parcel.header;
        MemorySegment payload = parcel.payload;
        int headerLength = (int) header.byteSize();
        int payloadLength = (int) payload.byteSize();
        Verdict verdict =
                inbound.view().wrapApart(header, 0, headerLength, payload, 0, payloadLength);
        return inbound.verdict(verdict).from(0, parcel.from).by(parcel.to).ecn(parcel.ecn);
    }

    /// One device's end of the pipe.
    final class End extends TurnPort<End> {
        private final OutboundPacket outbound =
                new OutboundPacket(Arena.ofAuto().allocate(OutboundPacket.MAX_HEADER_LENGTH), 0);

        End(Gid gid) {
            super(turns, gid);
        }

        @Override
        public OutboundPacket next() {
            return outbound;
        }

        @Override
        public void accept(OutboundPacket packet) {
            MemorySegment header = Arena.ofAuto().allocate(packet.headerLength());
            header.copyFrom(packet.header().asSlice(packet.headerAt(), packet.headerLength()));
            MemorySegment payload = Arena.ofAuto().allocate(packet.payloadLength());
            packet.copyPayload(payload, 0);
            pipe.add(new Parcel(gid(), packet.path().address(), packet.ecn(), header, payload));
        }
    }
}
