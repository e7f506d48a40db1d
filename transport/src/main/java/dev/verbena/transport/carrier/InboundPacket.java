package dev.verbena.transport.carrier;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Verdict;

/// A received packet; the carrier owns the object and fills it again for each packet.
///
/// The carrier wraps [#view], then calls [#verdict], [#from] and, as far as it knows the values,
/// the others: values that it does not set again keep those of the previous packet.
public final class InboundPacket {
    private final PacketView view = new PacketView();
    private Verdict verdict = Verdict.BTH_TRUNCATED;
    private int sourceLid;
    private long sourceHigh;
    private long sourceLow;
    private long destinationHigh;
    private long destinationLow;
    private int serviceLevel;
    private int trafficClass;
    private int flowLabel;
    private int hopLimit;
    private int port = 1;
    private int ecn;

    /// Nothing yet.
    public InboundPacket() {}

    /// The bytes; the carrier wraps them.
    public PacketView view() {
        return view;
    }

    /// Sets the carrier's verdict: structure and, when that is right, integrity.
    public InboundPacket verdict(Verdict found) {
        verdict = found;
        return this;
    }

    /// Says where it came from; the LID is 0 on Ethernet, the GID 0 where there is no GRH.
    public InboundPacket from(int lid, long gidHigh, long gidLow) {
        sourceLid = lid;
        sourceHigh = gidHigh;
        sourceLow = gidLow;
        return this;
    }

    /// Says where it came from.
    public InboundPacket from(int lid, Gid gid) {
        return from(lid, gid.high(), gid.low());
    }

    /// Sets the destination GID: a local one, or that of a multicast group. Required for every
    /// packet to a group; datagrams show it to the program.
    public InboundPacket to(long gidHigh, long gidLow) {
        destinationHigh = gidHigh;
        destinationLow = gidLow;
        return this;
    }

    /// Says which GID it was sent to.
    public InboundPacket to(Gid gid) {
        return to(gid.high(), gid.low());
    }

    /// Says how it travelled, which datagrams show to the program; 0 unless told.
    public InboundPacket route(int level, int traffic, int label, int hops) {
        serviceLevel = level;
        trafficClass = traffic;
        flowLabel = label;
        hopLimit = hops;
        return this;
    }

    /// Says that it was sent to this address, and travelled as that says.
    public InboundPacket by(Address way) {
        return to(way.gid())
                .route(way.serviceLevel(), way.trafficClass(), way.flowLabel(), way.hopLimit());
    }

    /// Says which of our ports took it; 1 unless told.
    public InboundPacket port(int number) {
        port = number;
        return this;
    }

    /// Says which ECN bits it arrived with.
    public InboundPacket ecn(int bits) {
        ecn = bits;
        return this;
    }

    public Verdict verdict() {
        return verdict;
    }

    public int sourceLid() {
        return sourceLid;
    }

    public long sourceHigh() {
        return sourceHigh;
    }

    public long sourceLow() {
        return sourceLow;
    }

    /// Whether its source names no single port: nothing at all, or a multicast group.
    public boolean isFromNobody() {
        boolean isNothing = (sourceHigh | sourceLow) == 0 && sourceLid == 0;
        return isNothing || Gid.isMulticast(sourceHigh, sourceLow);
    }

    /// Whether it was sent to a multicast group.
    public boolean isToGroup() {
        return Gid.isMulticast(destinationHigh, destinationLow);
    }

    public long destinationHigh() {
        return destinationHigh;
    }

    public long destinationLow() {
        return destinationLow;
    }

    public int serviceLevel() {
        return serviceLevel;
    }

    public int trafficClass() {
        return trafficClass;
    }

    public int flowLabel() {
        return flowLabel;
    }

    public int hopLimit() {
        return hopLimit;
    }

    public int port() {
        return port;
    }

    public int ecn() {
        return ecn;
    }
}
