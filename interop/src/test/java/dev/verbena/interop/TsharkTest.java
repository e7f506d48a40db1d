package dev.verbena.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Encapsulation;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Packet;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.RandomPacket;
import dev.verbena.wire.Service;
import dev.verbena.wire.mad.CmMad;
import dev.verbena.wire.mad.CmMessage;
import dev.verbena.wire.mad.CmReq;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.ManagementClass;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What we write, tshark reads: transport packets and management datagrams.
class TsharkTest {
    private static final int PACKETS_PER_OPCODE = 8;
    private static final int DATAGRAMS_PER_KIND = 24;

    @AfterAll
    static void writePage() throws IOException {
        Reports.write();
    }

    @ParameterizedTest
    @EnumSource(value = Encapsulation.class, mode = EnumSource.Mode.EXCLUDE, names = "BARE")
    void readsEveryFieldOfEveryPacket(Encapsulation encapsulation) {
        List<Opcode> opcodes = new ArrayList<>(RandomPacket.OPCODES);
        // Verbena's own opcodes are a manufacturer's, which tshark does not know.
        opcodes.removeIf(
                opcode ->
                        opcode.service() == Service.RD
                                || opcode.service() == Service.MANUFACTURER_6);

        Report report = check(encapsulation, "", opcodes);

        assertThat(report.differences()).isEmpty();
        assertThat(report.malformed()).isZero();
    }

    /// Apart from the others, because tshark 4.0 finds them malformed.
    @ParameterizedTest
    @EnumSource(value = Encapsulation.class, mode = EnumSource.Mode.EXCLUDE, names = "BARE")
    void readsReliableDatagramsAsFarAsItKnowsThem(Encapsulation encapsulation) {
        List<Opcode> opcodes = new ArrayList<>(RandomPacket.OPCODES);
        opcodes.removeIf(opcode -> opcode.service() != Service.RD);

        Report report = check(encapsulation, " RD", opcodes);

        assertThat(report.differences()).isEmpty();
    }

    private static Report check(Encapsulation encapsulation, String kind, List<Opcode> opcodes) {
        String title = title(encapsulation) + kind;
        Packets packets = new Packets(Seed.forTest("TsharkTest " + title, 4791).random());
        List<Packet> drawn = new ArrayList<>();
        for (Opcode opcode : opcodes) {
            for (long i = 0; i < Seed.campaign(PACKETS_PER_OPCODE); i++) {
                drawn.add(packets.draw(encapsulation, opcode));
            }
        }
        Path file =
                packets.write(fileName(title, isPcapng(encapsulation) == kind.isEmpty()), drawn);
        return Reports.check(title, file, packets.read(file, drawn, PacketFields::of));
    }

    @ParameterizedTest
    @EnumSource(
            value = Encapsulation.class,
            names = {"ROCE_V2_IPV4", "ROCE_V2_IPV6"})
    void readsEveryFieldOfConnectionManagement(Encapsulation encapsulation) {
        String title = "CM over " + title(encapsulation);
        SplittableRandom random = Seed.forTest("TsharkTest " + title, 0x10).random();
        Packets packets = new Packets(random);
        List<Packet> drawn = new ArrayList<>();
        for (int attribute = CmReq.ATTRIBUTE_ID; attribute <= 0x1A; attribute++) {
            for (long i = 0; i < Seed.campaign(DATAGRAMS_PER_KIND); i++) {
                drawn.add(packets.drawGsi(encapsulation, message(random, attribute)));
            }
        }
        boolean overIpv4 = encapsulation == Encapsulation.ROCE_V2_IPV4;
        Path file = packets.write(fileName(title, overIpv4), drawn);
        List<Frame> frames =
                packets.read(
                        file,
                        drawn,
                        (view, packet) -> {
                            Expect expect = mad(view, packet);
                            CmMessage message = CmMessage.parse(view.segment(), view.payloadAt());
                            MadFields.message(expect, message, overIpv4);
                            return expect;
                        });

        Report report = Reports.check(title, file, frames);

        assertThat(report.differences()).isEmpty();
        assertThat(report.malformed()).isZero();
    }

    /// A message with random values in all its fields, and sometimes one of rdma_cm.
    private static byte[] message(SplittableRandom random, int attribute) {
        byte[] datagram = new byte[Mad.LENGTH_TOTAL];
        random.nextBytes(datagram);
        MemorySegment bytes = MemorySegment.ofArray(datagram);
        BigEndian.put16(bytes, 16, attribute);
        if (attribute == CmReq.ATTRIBUTE_ID && random.nextBoolean()) {
            BigEndian.put64(bytes, Mad.LENGTH + 8, 0x0100_0000L | random.nextInt(1 << 24));
            BigEndian.put8(bytes, Mad.LENGTH + 141, random.nextBoolean() ? 0x40 : 0x60);
        }
        // Through the record, which leaves the reserved bits out.
        CmMad.parse(bytes, 0).emit(bytes, 0);
        return datagram;
    }

    @Test
    void readsTheCommonHeaderOfEveryManagementClass() {
        List<Integer> classes = new ArrayList<>(IntStream.range(0, 256).boxed().toList());
        classes.removeIf(MadFields::isReservedClass);

        Report report = checkHeaders("MAD header", classes);

        assertThat(report.differences()).isEmpty();
        assertThat(report.malformed()).isZero();
    }

    /// Apart from the others, because tshark 4.0 finds them malformed.
    @Test
    void readsTheCommonHeaderOfReservedManagementClasses() {
        List<Integer> classes = new ArrayList<>(IntStream.range(0, 256).boxed().toList());
        classes.removeIf(code -> !MadFields.isReservedClass(code));

        Report report = checkHeaders("MAD header, reserved classes", classes);

        assertThat(report.differences()).isEmpty();
    }

    private static Report checkHeaders(String title, List<Integer> classes) {
        SplittableRandom random = Seed.forTest("TsharkTest " + title, 256).random();
        Packets packets = new Packets(random);
        List<Packet> drawn = new ArrayList<>();
        for (int managementClass : classes) {
            for (long i = 0; i < Seed.campaign(2); i++) {
                byte[] datagram = datagram(random, managementClass);
                drawn.add(packets.drawGsi(Encapsulation.IB_LOCAL, datagram));
            }
        }
        Path file = packets.write(fileName(title, true), drawn);
        List<Frame> frames =
                packets.read(
                        file,
                        drawn,
                        (view, packet) -> {
                            Expect expect = mad(view, packet);
                            int code = Mad.managementClass(view.segment(), view.payloadAt());
                            MadFields.classReserved(expect, code, packet.payload().toArray());
                            return expect;
                        });
        return Reports.check(title, file, frames);
    }

    private static byte[] datagram(SplittableRandom random, int managementClass) {
        byte[] datagram = new byte[Mad.LENGTH_TOTAL];
        random.nextBytes(datagram);
        // Attributes that no class has: random bytes would not be right for one.
        int attribute = 0x8000 | random.nextInt(1 << 15);
        new Mad(
                        managementClass,
                        random.nextInt(256),
                        random.nextInt(256),
                        random.nextInt(1 << 16),
                        random.nextInt(1 << 16),
                        random.nextLong(),
                        attribute,
                        random.nextInt())
                .emit(MemorySegment.ofArray(datagram), 0);
        if (managementClass == ManagementClass.SUBNET_ADMINISTRATION) {
            // No multi-packet transfer, whose header would have reserved bytes of its own.
            Arrays.fill(datagram, Mad.LENGTH, Mad.LENGTH + 12, (byte) 0);
        }
        return datagram;
    }

    private static Expect mad(PacketView view, Packet packet) {
        Expect expect = PacketFields.headers(view, packet);
        Mad mad = Mad.parse(view.segment(), view.payloadAt());
        MadFields.header(expect, mad, packet.payload().toArray());
        return expect;
    }

    private static String title(Encapsulation encapsulation) {
        return switch (encapsulation) {
            case IB_LOCAL -> "IB local";
            case IB_GLOBAL -> "IB global";
            case ROCE_V1 -> "RoCEv1";
            case ROCE_V2_IPV4 -> "RoCEv2/IPv4";
            case ROCE_V2_IPV6 -> "RoCEv2/IPv6";
            case BARE -> throw new AssertionError("a bare packet is in no capture");
        };
    }

    /// One capture format and then the other.
    private static boolean isPcapng(Encapsulation encapsulation) {
        return encapsulation == Encapsulation.IB_GLOBAL
                || encapsulation == Encapsulation.ROCE_V2_IPV4;
    }

    private static String fileName(String title, boolean pcapng) {
        String name = title.toLowerCase(Locale.ROOT).replaceAll("[ /,]+", "-");
        return name + (pcapng ? ".pcapng" : ".pcap");
    }
}
