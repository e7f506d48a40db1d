package dev.verbena.transport.carrier;

import dev.verbena.wire.Encapsulation;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.IcrcPseudoHeader;
import java.lang.foreign.MemorySegment;

/// The invariant CRC alone (IBA 7.8.1).
public final class IcrcSeal implements Seal {
    private final Icrc icrc = new Icrc();

    /// One with nothing in it yet.
    public IcrcSeal() {}

    @Override
    public int length() {
        return Icrc.LENGTH;
    }

    @Override
    public void start(
            IcrcPseudoHeader network,
            int ipv4Id,
            MemorySegment segment,
            long bthAt,
            int piece,
            int covered) {
        icrc.start(network, ipv4Id, segment, bthAt, piece, covered);
    }

    @Override
    public void add(MemorySegment segment, long at, long length) {
        icrc.add(segment, at, length);
    }

    @Override
    public void end(MemorySegment to, long at) {
        Icrc.store(to, at, icrc.value());
    }

    @Override
    public void put(
            IcrcPseudoHeader network, int ipv4Id, MemorySegment segment, long bthAt, int covered) {
        int value = icrc.compute(network, ipv4Id, segment, bthAt, covered);
        Icrc.store(segment, bthAt + covered, value);
    }

    @Override
    public void put(Encapsulation encapsulation, MemorySegment segment, long networkAt, long at) {
        Icrc.store(segment, at, icrc.compute(encapsulation, segment, networkAt, at));
    }

    @Override
    public boolean isWhole(InboundPacket packet) {
        return true;
    }
}
