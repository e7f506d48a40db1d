package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// The headers in front of a BTH, as a value.
public sealed interface Envelope {
    Encapsulation encapsulation();

    /// Bytes in front of the first header that the ICRC may cover.
    int linkLength();

    /// Bytes in front of the BTH.
    int length();

    void emit(MemorySegment segment, long at);

    /// The same headers around another number of bytes from BTH through ICRC, with every length and
    /// IPv4's checksum made right.
    Envelope sized(int transportLength);

    /// Native InfiniBand inside one subnet.
    record IbLocal(Lrh lrh) implements Envelope {
        @Override
        public Encapsulation encapsulation() {
            return Encapsulation.IB_LOCAL;
        }

        @Override
        public int linkLength() {
            return 0;
        }

        @Override
        public int length() {
            return Lrh.LENGTH;
        }

        @Override
        public void emit(MemorySegment segment, long at) {
            lrh.emit(segment, at);
        }

        @Override
        public IbLocal sized(int transportLength) {
            return new IbLocal(lrh.withLengthWords((length() + transportLength) / 4));
        }
    }

    /// Native InfiniBand with a global route header.
    record IbGlobal(Lrh lrh, Grh grh) implements Envelope {
        @Override
        public Encapsulation encapsulation() {
            return Encapsulation.IB_GLOBAL;
        }

        @Override
        public int linkLength() {
            return 0;
        }

        @Override
        public int length() {
            return Lrh.LENGTH + Grh.LENGTH;
        }

        @Override
        public void emit(MemorySegment segment, long at) {
            lrh.emit(segment, at);
            grh.emit(segment, at + Lrh.LENGTH);
        }

        @Override
        public IbGlobal sized(int transportLength) {
            return new IbGlobal(
                    lrh.withLengthWords((length() + transportLength) / 4),
                    grh.withPayloadLength(transportLength));
        }
    }

    /// RoCE v1: a GRH straight on Ethernet.
    record RoceV1(Ethernet ethernet, Grh grh) implements Envelope {
        @Override
        public Encapsulation encapsulation() {
            return Encapsulation.ROCE_V1;
        }

        @Override
        public int linkLength() {
            return ethernet.length();
        }

        @Override
        public int length() {
            return linkLength() + Grh.LENGTH;
        }

        @Override
        public void emit(MemorySegment segment, long at) {
            ethernet.emit(segment, at);
            grh.emit(segment, at + linkLength());
        }

        @Override
        public RoceV1 sized(int transportLength) {
            return new RoceV1(ethernet, grh.withPayloadLength(transportLength));
        }
    }

    /// RoCE v2: UDP over IPv4 or IPv6.
    record RoceV2(Ethernet ethernet, Ip ip, Udp udp) implements Envelope {
        @Override
        public Encapsulation encapsulation() {
            return switch (ip) {
                case Ipv4 _ -> Encapsulation.ROCE_V2_IPV4;
                case Ipv6 _ -> Encapsulation.ROCE_V2_IPV6;
            };
        }

        @Override
        public int linkLength() {
            return ethernet.length();
        }

        @Override
        public int length() {
            return linkLength() + ip.length() + Udp.LENGTH;
        }

        @Override
        public void emit(MemorySegment segment, long at) {
            ethernet.emit(segment, at);
            ip.emit(segment, at + linkLength());
            udp.emit(segment, at + linkLength() + ip.length());
        }

        @Override
        public RoceV2 sized(int transportLength) {
            return new RoceV2(
                    ethernet, ip.sized(Udp.LENGTH + transportLength), udp.sized(transportLength));
        }
    }

    /// Reads the headers of a packet that the door accepted with its envelope.
    static Envelope parse(PacketView view) {
        MemorySegment segment = view.segment();
        long at = view.networkAt();
        return switch (view.encapsulation()) {
            case IB_LOCAL -> new IbLocal(Lrh.parse(segment, at));
            case IB_GLOBAL ->
                    new IbGlobal(Lrh.parse(segment, at), Grh.parse(segment, view.grhAt()));
            case ROCE_V1 ->
                    new RoceV1(Ethernet.parse(segment, view.ethernetAt()), Grh.parse(segment, at));
            case ROCE_V2_IPV4 ->
                    new RoceV2(
                            Ethernet.parse(segment, view.ethernetAt()),
                            Ipv4.parse(segment, at),
                            Udp.parse(segment, view.udpAt()));
            case ROCE_V2_IPV6 ->
                    new RoceV2(
                            Ethernet.parse(segment, view.ethernetAt()),
                            Ipv6.parse(segment, at),
                            Udp.parse(segment, view.udpAt()));
            case BARE -> throw new WireException("a bare packet has no envelope to read");
        };
    }
}
