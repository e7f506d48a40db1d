package dev.verbena.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// Draws packets that are right in every respect, with every field that may vary drawn at random.
public final class RandomPacket {
    public static final List<Encapsulation> ENCAPSULATIONS =
            List.of(
                    Encapsulation.IB_LOCAL,
                    Encapsulation.IB_GLOBAL,
                    Encapsulation.ROCE_V1,
                    Encapsulation.ROCE_V2_IPV4,
                    Encapsulation.ROCE_V2_IPV6);

    public static final List<Opcode> OPCODES =
            IntStream.range(0, 256).mapToObj(Opcode::of).filter(Opcode::isKnown).toList();

    private final SplittableRandom random;

    public RandomPacket(SplittableRandom random) {
        this.random = random;
    }

    public Packet draw() {
        return draw(pick(ENCAPSULATIONS), pick(OPCODES));
    }

    public Packet draw(Encapsulation encapsulation, Opcode opcode) {
        return of(encapsulation, opcode, payloadLength(opcode.operation().payload()));
    }

    /// A packet whose payload length may break the rule of its opcode.
    Packet of(Encapsulation encapsulation, Opcode opcode, int payloadLength) {
        byte[] payload = new byte[payloadLength];
        random.nextBytes(payload);
        List<Eth> headers = new ArrayList<>();
        for (ExtendedHeader header : opcode.headers()) {
            headers.add(header(header));
        }
        return Packet.of(envelope(encapsulation), bth(opcode), headers, Payload.of(payload));
    }

    private int payloadLength(PayloadRule rule) {
        return switch (rule) {
            case NONE -> 0;
            case FULL -> random.nextInt(50) == 0 ? 4096 : 256 << random.nextInt(2);
            case SOME -> 1 + length();
            case ANY -> length();
            case EIGHT -> 8;
            case SIXTEEN -> 16;
            case SIXTEEN_OR_NONE -> flag() ? 16 : 0;
        };
    }

    private int length() {
        return random.nextInt(100) == 0 ? random.nextInt(4096) : random.nextInt(70);
    }

    private Bth bth(Opcode opcode) {
        return new Bth(
                opcode.code(),
                flag(),
                flag(),
                0,
                Bth.VERSION,
                bits(16),
                flag(),
                flag(),
                bits(24),
                flag(),
                bits(24));
    }

    private Eth header(ExtendedHeader header) {
        return switch (header) {
            case RDETH -> new Rdeth(bits(24));
            case DETH -> new Deth(random.nextInt(), bits(24));
            case XRCETH -> new XrcEth(bits(24));
            case FETH -> new Feth(bits(2), bits(4));
            case RETH -> new Reth(random.nextLong(), random.nextInt(), longBits(32));
            case ATOMIC_ETH ->
                    new AtomicEth(
                            random.nextLong(),
                            random.nextInt(),
                            random.nextLong(),
                            random.nextLong());
            case AETH -> new Aeth(bits(8), bits(24));
            case ATOMIC_ACK_ETH -> new AtomicAckEth(random.nextLong());
            case IMM_DT -> new ImmDt(random.nextInt());
            case IETH -> new Ieth(random.nextInt());
            case SACK_ETH ->
                    new SackEth(
                            bits(24),
                            bits(24),
                            random.nextLong(),
                            random.nextLong(),
                            random.nextLong(),
                            random.nextLong());
        };
    }

    private Envelope envelope(Encapsulation encapsulation) {
        return switch (encapsulation) {
            case IB_LOCAL -> new Envelope.IbLocal(lrh(Lrh.IBA_LOCAL));
            case IB_GLOBAL -> new Envelope.IbGlobal(lrh(Lrh.IBA_GLOBAL), grh());
            case ROCE_V1 -> new Envelope.RoceV1(ethernet(Ethernet.TYPE_ROCE_V1), grh());
            case ROCE_V2_IPV4 -> new Envelope.RoceV2(ethernet(Ethernet.TYPE_IPV4), ipv4(), udp());
            case ROCE_V2_IPV6 -> new Envelope.RoceV2(ethernet(Ethernet.TYPE_IPV6), ipv6(), udp());
            case BARE -> throw new AssertionError("a bare packet has no envelope");
        };
    }

    private Lrh lrh(int nextHeader) {
        return new Lrh(bits(4), Lrh.VERSION, bits(4), nextHeader, bits(16), 0, bits(16));
    }

    private Grh grh() {
        return new Grh(Grh.VERSION, bits(8), bits(20), 0, Grh.IBA_TRANSPORT, bits(8), gid(), gid());
    }

    Ethernet ethernet(int type) {
        Optional<Vlan> vlan =
                random.nextInt(4) == 0
                        ? Optional.of(new Vlan(bits(3), flag(), bits(12)))
                        : Optional.empty();
        return new Ethernet(new MacAddress(longBits(48)), new MacAddress(longBits(48)), vlan, type);
    }

    private Ipv4 ipv4() {
        int fragment = flag() ? Ipv4.DONT_FRAGMENT : 0;
        return new Ipv4(
                bits(8),
                0,
                bits(16),
                fragment,
                bits(8),
                Ip.UDP,
                0,
                random.nextInt(),
                random.nextInt());
    }

    private Ipv6 ipv6() {
        return new Ipv6(bits(8), bits(20), 0, Ip.UDP, bits(8), gid(), gid());
    }

    private Udp udp() {
        return new Udp(bits(16), Udp.ROCE_PORT, 0, flag() ? 0 : bits(16));
    }

    private Gid gid() {
        return new Gid(random.nextLong(), random.nextLong());
    }

    private boolean flag() {
        return random.nextBoolean();
    }

    private int bits(int count) {
        return random.nextInt(1 << count);
    }

    private long longBits(int count) {
        return random.nextLong() >>> (64 - count);
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
