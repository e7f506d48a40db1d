package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.Seed;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class IcrcTest {
    private final Icrc icrc = new Icrc();
    private final PacketView view = new PacketView();

    @Test
    void equalsABitSerialCrcOverExplicitlyMaskedBytes() {
        SplittableRandom random = Seed.forTest("IcrcTest", 17).random();
        RandomPacket packets = new RandomPacket(random);
        for (int i = 0; i < 2_000; i++) {
            Packet packet = packets.draw();
            MemorySegment bytes = packet.emit(icrc);
            byte[] all = bytes.toArray(ValueLayout.JAVA_BYTE);
            Encapsulation encapsulation = packet.envelope().encapsulation();
            int vcrc = encapsulation.isNative() ? Vcrc.LENGTH : 0;
            int icrcAt = all.length - vcrc - Icrc.LENGTH;
            byte[] network = Arrays.copyOfRange(all, packet.envelope().linkLength(), icrcAt);

            assertThat(Icrc.stored(bytes, icrcAt))
                    .isEqualTo(SerialCrc.icrc(encapsulation, network));
            if (encapsulation.isNative()) {
                byte[] covered = Arrays.copyOf(all, all.length - 2);
                assertThat(Vcrc.stored(bytes, all.length - 2)).isEqualTo(SerialCrc.crc16(covered));
            }
        }
    }

    @Test
    void whatSwitchesAndRoutersChangeLeavesTheIcrcRight() {
        RandomPacket packets = new RandomPacket(Seed.forTest("IcrcTest variant", 18).random());
        for (int i = 0; i < 500; i++) {
            for (Encapsulation encapsulation : RandomPacket.ENCAPSULATIONS) {
                Packet packet = packets.draw(encapsulation, Opcode.of(4));
                MemorySegment bytes = packet.emit(icrc);
                wrap(encapsulation, bytes);
                long network = view.networkAt();
                switch (encapsulation) {
                    case IB_LOCAL -> flip(bytes, network, 0xF0);
                    case IB_GLOBAL -> {
                        flip(bytes, network, 0xF0);
                        flip(bytes, network + 2, 0xFF);
                        flip(bytes, network + Lrh.LENGTH + 7, 0xFF);
                        flip(bytes, network + Lrh.LENGTH + 1, 0xFF);
                    }
                    case ROCE_V1, ROCE_V2_IPV6 -> {
                        flip(bytes, network, 0x0F);
                        flip(bytes, network + 3, 0xFF);
                        flip(bytes, network + 7, 0xFF);
                    }
                    case ROCE_V2_IPV4 -> {
                        flip(bytes, network + 1, 0xFF);
                        flip(bytes, network + 8, 0xFF);
                        flip(bytes, network + 10, 0xFF);
                        flip(bytes, view.udpAt() + 7, 0xFF);
                    }
                    case BARE -> throw new AssertionError();
                }
                flip(bytes, view.bthAt() + 4, 0xC0);

                assertThat(icrc.isRight(view)).isTrue();
            }
        }
    }

    @Test
    void aChangedBitMakesTheIcrcWrongUnlessItCountsAsOne() {
        RandomPacket packets = new RandomPacket(Seed.forTest("IcrcTest invariant", 19).random());
        for (Encapsulation encapsulation : RandomPacket.ENCAPSULATIONS) {
            MemorySegment bytes = packets.draw(encapsulation, Opcode.of(0x0B)).emit(icrc);
            wrap(encapsulation, bytes);
            long start = view.networkAt();
            for (int bit = 0; bit < 8 * (view.icrcAt() - start); bit++) {
                long at = start + bit / 8;
                flip(bytes, at, 0x80 >> bit % 8);
                byte[] network =
                        bytes.asSlice(start, view.icrcAt() - start).toArray(ValueLayout.JAVA_BYTE);
                boolean variant =
                        SerialCrc.icrc(encapsulation, network) == Icrc.stored(bytes, view.icrcAt());
                assertThat(icrc.isRight(view)).isEqualTo(variant);
                flip(bytes, at, 0x80 >> bit % 8);
            }
        }
    }

    @Test
    void aSocketsPayloadIsCheckedWithAPseudoHeader() {
        RandomPacket packets = new RandomPacket(Seed.forTest("IcrcTest pseudo", 20).random());
        IcrcPseudoHeader header = new IcrcPseudoHeader();
        PacketView bare = new PacketView();
        for (int i = 0; i < 5_000; i++) {
            boolean v4 = i % 2 == 0;
            Encapsulation encapsulation =
                    v4 ? Encapsulation.ROCE_V2_IPV4 : Encapsulation.ROCE_V2_IPV6;
            Packet packet = packets.draw(encapsulation, Opcode.of(i % 3 == 0 ? 4 : 0x0A));
            MemorySegment frame = packet.emit(icrc);
            wrap(encapsulation, frame);
            Envelope.RoceV2 envelope = (Envelope.RoceV2) packet.envelope();
            int id = 0;
            switch (envelope.ip()) {
                case Ipv4 ip -> {
                    header.setIpv4(
                            ip.source(),
                            ip.destination(),
                            envelope.udp().sourcePort(),
                            Udp.ROCE_PORT,
                            ip.fragment());
                    id = ip.id();
                }
                case Ipv6 ip ->
                        header.setIpv6(
                                ip.source(),
                                ip.destination(),
                                envelope.udp().sourcePort(),
                                Udp.ROCE_PORT);
            }
            MemorySegment payload = frame.asSlice(view.bthAt(), view.transportLength());

            assertThat(bare.wrapTransport(payload, 0, (int) payload.byteSize()))
                    .isEqualTo(Verdict.OK);
            assertThat(icrc.isRight(header, id, bare)).isTrue();
            if (v4) {
                assertThat(icrc.isRight(header, id ^ 1, bare)).isFalse();
            }
        }
    }

    @Test
    void aPacketInPiecesHasTheIcrcOfTheWhole() {
        RandomPacket packets = new RandomPacket(Seed.forTest("IcrcTest pieces", 21).random());
        IcrcPseudoHeader header = new IcrcPseudoHeader().setIpv4(1, 2, 3, Udp.ROCE_PORT);
        MemorySegment frame =
                packets.of(Encapsulation.ROCE_V2_IPV4, Opcode.of(0x0A), 4096).emit(icrc);
        wrap(Encapsulation.ROCE_V2_IPV4, frame);
        int length = view.transportLength() - Icrc.LENGTH;
        int whole = icrc.compute(header, 9, frame, view.bthAt(), length);

        icrc.start(header, 9, frame, view.bthAt(), Bth.LENGTH, length);
        icrc.add(frame, view.at(ExtendedHeader.RETH), Reth.LENGTH);
        icrc.add(frame, view.payloadAt(), 1000);
        icrc.add(frame, view.payloadAt() + 1000, 3096);

        assertThat(icrc.value()).isEqualTo(whole);
    }

    @Test
    void aHeaderThatIsAPieceOfItsOwnCountsLikeOneInFrontOfThePayload() {
        SplittableRandom random = Seed.forTest("IcrcTest header alone", 22).random();
        byte[] bytes = new byte[1000];
        MemorySegment packet = MemorySegment.ofArray(bytes);
        IcrcPseudoHeader header = new IcrcPseudoHeader();
        for (int i = 0; i < 2000; i++) {
            random.nextBytes(bytes);
            if (random.nextBoolean()) {
                header.setIpv4(random.nextInt(), random.nextInt(), random.nextInt(1 << 16), 4791);
            } else {
                Gid from = new Gid(random.nextLong(), random.nextLong());
                header.setIpv6(from, new Gid(random.nextLong(), 1), random.nextInt(1 << 16), 4791);
            }
            // Twice with one length, as packets of a stream have, and once with another.
            int length = Bth.LENGTH + random.nextInt(900);
            for (int bytesMore : new int[] {0, 0, 4}) {
                int id = random.nextInt(1 << 16);
                int whole = icrc.compute(header, id, packet, 3, length + bytesMore);
                icrc.start(header, id, packet, 3, Bth.LENGTH, length + bytesMore);
                icrc.add(packet, 3 + Bth.LENGTH, length + bytesMore - Bth.LENGTH);

                assertThat(icrc.value()).isEqualTo(whole);
            }
        }
    }

    @Test
    void aPieceThatIsMissingIsNoticed() {
        MemorySegment packet = MemorySegment.ofArray(new byte[64]);
        icrc.start(new IcrcPseudoHeader(), 0, packet, 0, 12, 20);

        assertThatThrownBy(icrc::value)
                .hasMessage("8 bytes of the announced length were not added");
    }

    @Test
    void aPacketLongerThanAnyDatagramIsNeverRight() {
        MemorySegment packet = MemorySegment.ofArray(new byte[65_604]);
        Bth.put(packet, 0, 4, 0, 0, 0, 0, 0);
        IcrcPseudoHeader header = new IcrcPseudoHeader();
        int covered = 65_600;
        Icrc.store(packet, covered, icrc.compute(header, 0, packet, 0, covered));

        assertThat(view.wrapTransport(packet, 0, 65_604)).isEqualTo(Verdict.PAYLOAD_TOO_LONG);
        assertThat(icrc.isRight(header, 0, view)).isFalse();
    }

    @Test
    void nativeMemoryAndHeapMemoryGiveTheSame() {
        MemorySegment heap =
                new RandomPacket(Seed.forTest("IcrcTest native", 22).random())
                        .draw(Encapsulation.ROCE_V2_IPV6, Opcode.of(0))
                        .emit(icrc);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment off = arena.allocate(heap.byteSize()).copyFrom(heap);
            wrap(Encapsulation.ROCE_V2_IPV6, off);
            assertThat(icrc.isRight(view)).isTrue();
        }
    }

    @Test
    void aBarePacketWithoutItsHeadersIsRefused() {
        MemorySegment bytes = MemorySegment.ofArray(new byte[16]);
        view.wrapTransport(bytes, 0, 16);

        assertThatThrownBy(() -> view.integrity(icrc)).isInstanceOf(WireException.class);
    }

    private void wrap(Encapsulation encapsulation, MemorySegment bytes) {
        int length = (int) bytes.byteSize();
        Verdict verdict =
                encapsulation.isNative()
                        ? view.wrapInfiniBand(bytes, 0, length)
                        : view.wrapEthernet(bytes, 0, length);
        assertThat(verdict).isEqualTo(Verdict.OK);
    }

    private static void flip(MemorySegment bytes, long at, int mask) {
        BigEndian.put8(bytes, at, BigEndian.u8(bytes, at) ^ mask);
    }
}
