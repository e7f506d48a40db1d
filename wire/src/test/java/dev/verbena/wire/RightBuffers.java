package dev.verbena.wire;

import dev.verbena.wire.HostileBuffer.Door;
import dev.verbena.wire.mad.CmDreq;
import dev.verbena.wire.mad.CmMad;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;

/// Buffers for every door, most of them right, a few with the payload lengths that only a packet
/// built wrong on purpose can have.
final class RightBuffers {
    /// The socket addresses that bare packets in the campaign come from.
    static final IcrcPseudoHeader SOCKET =
            new IcrcPseudoHeader().setIpv4(0x0A000001, 0x0A000002, 0xC000, Udp.ROCE_PORT);

    private RightBuffers() {}

    static void addOneOfEach(
            RandomPacket packets, SplittableRandom random, Icrc icrc, BiConsumer<Door, byte[]> to) {
        for (Encapsulation encapsulation : RandomPacket.ENCAPSULATIONS) {
            Opcode opcode = RandomPacket.OPCODES.get(random.nextInt(RandomPacket.OPCODES.size()));
            Door door = encapsulation.isNative() ? Door.INFINIBAND : Door.ETHERNET;
            to.accept(door, bytes(packets.draw(encapsulation, opcode).emit(icrc)));
            int length = random.nextInt(20) == 0 ? 4097 + random.nextInt(64) : random.nextInt(40);
            to.accept(door, bytes(packets.of(encapsulation, opcode, length).emit(icrc)));
        }
        for (int code : new int[] {0x02, 0x1D, 0x81}) {
            int length = random.nextInt(3) * 4;
            Packet packet = packets.of(Encapsulation.ROCE_V2_IPV4, Opcode.of(code), length);
            to.accept(Door.ETHERNET, bytes(packet.emit(icrc)));
        }
        to.accept(Door.ETHERNET, unaligned(packets, random, icrc));
        to.accept(Door.TRANSPORT, bare(packets, icrc));
        to.accept(Door.ETHERNET, control(packets, random, true));
        to.accept(Door.ETHERNET, control(packets, random, false));
        to.accept(Door.ETHERNET, lldp(packets, random));
        to.accept(Door.FLOW_CONTROL, flowControl(random));
        to.accept(Door.MAD, mad(random));
    }

    /// A UDP datagram that is not a whole number of words.
    private static byte[] unaligned(RandomPacket packets, SplittableRandom random, Icrc icrc) {
        Packet packet = packets.draw(Encapsulation.ROCE_V2_IPV6, Opcode.of(0x64));
        Bth bth = packet.bth().withPadCount((packet.bth().padCount() + 1 + random.nextInt(3)) & 3);
        Packet crooked = new Packet(packet.envelope(), bth, packet.headers(), packet.payload());
        return bytes(
                new Packet(
                                packet.envelope().sized(crooked.transportLength()),
                                bth,
                                packet.headers(),
                                packet.payload())
                        .emit(icrc));
    }

    private static byte[] bare(RandomPacket packets, Icrc icrc) {
        Packet packet = packets.draw(Encapsulation.ROCE_V2_IPV4, Opcode.of(0x0A));
        MemorySegment frame = packet.emit(icrc);
        MemorySegment bare = frame.asSlice(packet.envelope().length());
        int length = (int) bare.byteSize() - Icrc.LENGTH;
        Icrc.store(bare, length, icrc.compute(SOCKET, 0, bare, 0, length));
        return bytes(bare);
    }

    private static byte[] control(RandomPacket packets, SplittableRandom random, boolean pfc) {
        MemorySegment frame = MemorySegment.ofArray(new byte[Ethernet.MIN_FRAME]);
        Ethernet header = packets.ethernet(Ethernet.TYPE_MAC_CONTROL);
        header.emit(frame, 0);
        if (pfc) {
            Pfc.of(random.nextInt(8), random.nextInt(0x10000)).emit(frame, header.length());
        } else {
            new Pause(random.nextInt(0x10000)).emit(frame, header.length());
        }
        return bytes(frame);
    }

    private static byte[] lldp(RandomPacket packets, SplittableRandom random) {
        byte[] body =
                Hex.bytes(
                        """
                        020704020000000001 0403050031 06020078 fe190080c209 83 00010000
                        3214000000000000 0202000000000000 fe060080c20b 88 08
                        fe080080c20c 00 6312b7 0000
                        """);
        Ethernet header = packets.ethernet(Ethernet.TYPE_LLDP);
        Ethernet sent =
                random.nextBoolean()
                        ? header
                        : new Ethernet(
                                header.destination(),
                                header.source(),
                                Optional.empty(),
                                Ethernet.TYPE_LLDP);
        MemorySegment frame = MemorySegment.ofArray(new byte[sent.length() + body.length]);
        sent.emit(frame, 0);
        MemorySegment.copy(body, 0, frame, ValueLayout.JAVA_BYTE, sent.length(), body.length);
        return bytes(frame);
    }

    private static byte[] flowControl(SplittableRandom random) {
        MemorySegment packet = MemorySegment.ofArray(new byte[FlowControl.LENGTH]);
        new FlowControl(
                        random.nextInt(2),
                        random.nextInt(4096),
                        random.nextInt(16),
                        random.nextInt(4096))
                .emit(packet, 0);
        return bytes(packet);
    }

    private static byte[] mad(SplittableRandom random) {
        MemorySegment datagram = MemorySegment.ofArray(new byte[256]);
        CmDreq message =
                new CmDreq(
                        random.nextInt(), random.nextInt(), random.nextInt(1 << 24), Payload.EMPTY);
        CmMad.of(random.nextLong(), message).emit(datagram, 0);
        return bytes(datagram);
    }

    private static byte[] bytes(MemorySegment segment) {
        return segment.toArray(ValueLayout.JAVA_BYTE);
    }
}
