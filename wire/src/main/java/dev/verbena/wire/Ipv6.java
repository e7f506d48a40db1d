package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// IPv6 header (RFC 8200). Its bytes are those of a [Grh], whose accessors read it in place.
public record Ipv6(
        int trafficClass,
        int flowLabel,
        int payloadLength,
        int nextHeader,
        int hopLimit,
        Gid source,
        Gid destination)
        implements Ip {

    public static final int LENGTH = Grh.LENGTH;
    public static final int VERSION = Grh.VERSION;

    public Ipv6 {
        WireException.requireBits("ipv6 traffic class", trafficClass, 8);
        WireException.requireBits("ipv6 flow label", flowLabel, 20);
        WireException.requireBits("ipv6 payload length", payloadLength, 16);
        WireException.requireBits("ipv6 next header", nextHeader, 8);
        WireException.requireBits("ipv6 hop limit", hopLimit, 8);
    }

    public static Ipv6 parse(MemorySegment segment, long at) {
        Grh shape = Grh.parse(segment, at);
        return new Ipv6(
                shape.trafficClass(),
                shape.flowLabel(),
                shape.payloadLength(),
                shape.nextHeader(),
                shape.hopLimit(),
                shape.source(),
                shape.destination());
    }

    @Override
    public void emit(MemorySegment segment, long at) {
        new Grh(
                        VERSION,
                        trafficClass,
                        flowLabel,
                        payloadLength,
                        nextHeader,
                        hopLimit,
                        source,
                        destination)
                .emit(segment, at);
    }

    @Override
    public int length() {
        return LENGTH;
    }

    @Override
    public Gid sourceGid() {
        return source;
    }

    @Override
    public Gid destinationGid() {
        return destination;
    }

    @Override
    public Ipv6 sized(int payloadBytes) {
        return new Ipv6(
                trafficClass, flowLabel, payloadBytes, nextHeader, hopLimit, source, destination);
    }
}
