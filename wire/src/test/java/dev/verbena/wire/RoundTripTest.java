package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// What is written is read back the same, and what was read is written the same.
class RoundTripTest {
    private final Icrc icrc = new Icrc();
    private final PacketView view = new PacketView();

    @Test
    void randomPacketsOfEveryKindComeBackAsTheyWere() {
        Seed seed = Seed.forTest("RoundTripTest", 20261115);
        RandomPacket packets = new RandomPacket(seed.random());
        long count = Seed.campaign(200_000);
        Map<String, Long> reached = new HashMap<>();

        for (long i = 0; i < count; i++) {
            Packet packet = packets.draw();
            assertRoundTrip(packet);
            reached.merge(packet.envelope().encapsulation() + " " + packet.opcode(), 1L, Long::sum);
        }

        int kinds = RandomPacket.ENCAPSULATIONS.size() * RandomPacket.OPCODES.size();
        System.out.printf(
                "RoundTripTest: %,d packets, %d of %d kinds, rarest %,d times%n",
                count,
                reached.size(),
                kinds,
                reached.values().stream().mapToLong(Long::longValue).min().orElse(0));
        assertThat(reached).hasSize(kinds);
    }

    private void assertRoundTrip(Packet packet) {
        MemorySegment bytes = packet.emit(icrc);
        int length = (int) bytes.byteSize();
        Verdict verdict =
                packet.envelope().encapsulation().isNative()
                        ? view.wrapInfiniBand(bytes, 0, length)
                        : view.wrapEthernet(bytes, 0, length);

        // Plain conditions first: a million assertion objects would take longer than the codecs.
        boolean right =
                verdict == Verdict.OK
                        && view.integrity(icrc) == Verdict.OK
                        && Packet.parse(view).equals(packet)
                        && Packet.parse(view).emit(icrc).mismatch(bytes) == -1;
        if (!right) {
            assertThat(verdict).isEqualTo(Verdict.OK);
            assertThat(view.integrity(icrc)).isEqualTo(Verdict.OK);
            assertThat(Packet.parse(view)).isEqualTo(packet);
            assertThat(Packet.parse(view).emit(icrc).mismatch(bytes)).isEqualTo(-1);
        }
    }

    @Test
    void linkControlComesBackAsItWas() {
        SplittableRandom random = Seed.forTest("RoundTripTest control", 4096).random();
        MemorySegment bytes = MemorySegment.ofArray(new byte[Pfc.LENGTH]);
        for (long i = Seed.campaign(20_000); i > 0; i--) {
            FlowControl flow =
                    new FlowControl(
                            random.nextInt(2),
                            random.nextInt(4096),
                            random.nextInt(16),
                            random.nextInt(4096));
            flow.emit(bytes, 0);
            assertThat(FlowControl.check(bytes, 0, FlowControl.LENGTH)).isEqualTo(Verdict.OK);
            assertThat(FlowControl.parse(bytes, 0)).isEqualTo(flow);

            Pfc pfc = new Pfc(random.nextInt(256), random.nextLong(), random.nextLong());
            pfc.emit(bytes, 0);
            assertThat(Pfc.parse(bytes, 0)).isEqualTo(pfc);
            int priority = random.nextInt(8);
            assertThat(Pfc.quanta(bytes, 0, priority)).isEqualTo(pfc.quanta(priority));
        }
    }

    @Test
    void aPauseFrameIsFoundBehindItsEthernetHeader() {
        MemorySegment frame = MemorySegment.ofArray(new byte[Ethernet.MIN_FRAME]);
        Ethernet header =
                Ethernet.of(MacAddress.PAUSE, new MacAddress(2), Ethernet.TYPE_MAC_CONTROL);
        header.emit(frame, 0);

        new Pause(0xFFFF).emit(frame, header.length());
        assertThat(view.wrapEthernet(frame, 0, 60)).isEqualTo(Verdict.OK);
        assertThat(view.kind()).isEqualTo(PacketKind.PAUSE);
        assertThat(Pause.parse(frame, view.controlAt())).isEqualTo(new Pause(0xFFFF));

        Pfc.of(3, 7).emit(frame, header.length());
        assertThat(view.wrapEthernet(frame, 0, 60)).isEqualTo(Verdict.OK);
        assertThat(view.kind()).isEqualTo(PacketKind.PFC);
        assertThat(Pfc.parse(frame, view.controlAt())).isEqualTo(Pfc.of(3, 7));
    }

    @Test
    void aCongestionNotificationIsWrittenAsNicsSendIt() {
        MemorySegment bytes = MemorySegment.ofArray(new byte[Cnp.TRANSPORT_LENGTH]);

        Cnp.put(bytes, 0, Pkey.DEFAULT_FULL, 0x118);

        assertThat(
                        bytes.asSlice(0, 28)
                                .mismatch(
                                        Hex.segment(
                                                "8100ffff4000011800000000"
                                                        + "00000000000000000000000000000000")))
                .isEqualTo(-1);
    }
}
