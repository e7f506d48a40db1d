package dev.verbena.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Dcbx;
import dev.verbena.wire.Ethernet;
import dev.verbena.wire.FlowControl;
import dev.verbena.wire.Lldp;
import dev.verbena.wire.MacAddress;
import dev.verbena.wire.PacketKind;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Pause;
import dev.verbena.wire.Pfc;
import dev.verbena.wire.Verdict;
import dev.verbena.wire.capture.Erf;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// What we write, tshark reads: link control, which carries no BTH.
class ControlTest {
    private static final int FRAMES = 128;

    @AfterAll
    static void writePage() throws IOException {
        Reports.write();
    }

    @Test
    void readsEveryFieldOfFlowControl() {
        SplittableRandom random = Seed.forTest("ControlTest flow control", 64).random();
        List<MemorySegment> packets = new ArrayList<>();
        for (long i = 0; i < Seed.campaign(FRAMES); i++) {
            MemorySegment packet = MemorySegment.ofArray(new byte[FlowControl.LENGTH]);
            new FlowControl(
                            random.nextInt(2),
                            random.nextInt(1 << 12),
                            random.nextInt(16),
                            random.nextInt(1 << 12))
                    .emit(packet, 0);
            packets.add(packet);
        }
        Path file = Captures.erf("flow-control.pcap", Erf.INFINIBAND_LINK, packets);
        List<Frame> frames = new ArrayList<>();
        for (MemorySegment packet : Captures.read(file)) {
            assertThat(FlowControl.check(packet, 0, (int) packet.byteSize())).isEqualTo(Verdict.OK);
            Expect expect =
                    ControlFields.flowControl(
                            FlowControl.parse(packet, 0), BigEndian.u16(packet, 4));
            frames.add(new Frame("flow control", Optional.empty(), expect));
        }

        assertRight(Reports.check("IB flow control", file, frames));
    }

    @Test
    void readsEveryFieldOfPauseFrames() {
        SplittableRandom random = Seed.forTest("ControlTest pause", 0x8808).random();
        List<MemorySegment> packets = new ArrayList<>();
        for (long i = 0; i < Seed.campaign(FRAMES); i++) {
            MemorySegment frame = MemorySegment.ofArray(new byte[Ethernet.MIN_FRAME]);
            MacAddress source = new MacAddress(random.nextLong(1L << 48));
            Ethernet.of(MacAddress.PAUSE, source, Ethernet.TYPE_MAC_CONTROL).emit(frame, 0);
            if (random.nextBoolean()) {
                new Pause(random.nextInt(1 << 16)).emit(frame, Ethernet.LENGTH);
            } else {
                new Pfc(random.nextInt(256), random.nextLong(), random.nextLong())
                        .emit(frame, Ethernet.LENGTH);
            }
            packets.add(frame);
        }
        Path file = Captures.ethernet("pause.pcapng", packets);

        assertRight(Reports.check("PFC and pause", file, frames(file)));
    }

    /// The TLVs of the stored capture with random values in them: we do not write LLDP.
    @Test
    void readsEveryFieldOfDcbx() throws IOException {
        SplittableRandom random = Seed.forTest("ControlTest DCBX", 0x88CC).random();
        List<MemorySegment> stored = Captures.read(vector("eth-lldp-dcbx.pcap"));
        List<MemorySegment> packets = new ArrayList<>(stored);
        for (long i = 0; i < Seed.campaign(FRAMES); i++) {
            byte[] frame = stored.getFirst().toArray(ValueLayout.JAVA_BYTE);
            randomize(MemorySegment.ofArray(frame), random);
            packets.add(MemorySegment.ofArray(frame));
        }
        Path file = Captures.ethernet("dcbx.pcap", packets);

        assertRight(Reports.check("LLDP DCBX", file, frames(file)));
    }

    private static void randomize(MemorySegment frame, SplittableRandom random) {
        int tlv = Ethernet.LENGTH;
        int head = BigEndian.u16(frame, tlv);
        while (head != 0) {
            int next = tlv + 2 + (head & 0x1FF);
            if (head >> 9 == 127 && BigEndian.u24(frame, tlv + 2) == Dcbx.ORGANISATION) {
                for (int at = tlv + 6; at < next; at++) {
                    BigEndian.put8(frame, at, random.nextInt(256));
                }
            }
            tlv = next;
            head = BigEndian.u16(frame, tlv);
        }
    }

    private static List<Frame> frames(Path file) {
        List<Frame> frames = new ArrayList<>();
        for (MemorySegment bytes : Captures.read(file)) {
            PacketView view = new PacketView();
            assertThat(view.wrapEthernet(bytes, 0, (int) bytes.byteSize())).isEqualTo(Verdict.OK);
            Expect expect = new Expect();
            PacketFields.ethernet(expect, Ethernet.parse(bytes, view.ethernetAt()));
            long at = view.controlAt();
            PacketKind kind = view.kind();
            switch (kind) {
                case PAUSE -> ControlFields.pause(expect, Pause.parse(bytes, at));
                case PFC -> ControlFields.pfc(expect, Pfc.parse(bytes, at));
                case LLDP -> ControlFields.dcbx(expect, Lldp.dcbx(bytes, at, view.controlLength()));
                default -> throw new AssertionError(kind + " is no link control");
            }
            frames.add(new Frame(kind.toString(), Optional.empty(), expect));
        }
        return frames;
    }

    private static Path vector(String name) throws IOException {
        Path copy = Files.createDirectories(Path.of("target", "vectors")).resolve(name);
        try (InputStream in = ControlTest.class.getResourceAsStream("/vectors/" + name)) {
            Files.write(copy, Objects.requireNonNull(in, name).readAllBytes());
        }
        return copy;
    }

    private static void assertRight(Report report) {
        assertThat(report.differences()).isEmpty();
        assertThat(report.malformed()).isZero();
    }
}
