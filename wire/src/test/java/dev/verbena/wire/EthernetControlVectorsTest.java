package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.Dcbx.Application;
import dev.verbena.wire.Dcbx.ApplicationPriority;
import dev.verbena.wire.Dcbx.Ets;
import dev.verbena.wire.Dcbx.EtsConfiguration;
import dev.verbena.wire.Dcbx.EtsRecommendation;
import dev.verbena.wire.Dcbx.PfcConfiguration;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What keeps Ethernet lossless, frame by frame; literals were read with tshark 4.0.17.
class EthernetControlVectorsTest {
    private final PacketView view = new PacketView();

    @Test
    void aPriorityAndAWholeLinkAreStopped() {
        List<VectorFrame> frames = VectorFrame.read("eth-pfc-pause.pcap");
        Ethernet header =
                new Ethernet(
                        new MacAddress(0x0180_C200_0001L),
                        HandMade.MAC_A,
                        Optional.empty(),
                        0x8808);

        assertThat(frames.get(0).wrap(view)).isEqualTo(Verdict.OK);
        assertThat(view.kind()).isEqualTo(PacketKind.PFC);
        assertThat(Ethernet.parse(view.segment(), view.ethernetAt())).isEqualTo(header);
        Pfc pfc = Pfc.parse(view.segment(), view.controlAt());
        assertThat(pfc).isEqualTo(new Pfc(0x08, 0x0000_0000_0000_FFFFL, 0));
        assertThat(IntStream.range(0, 8).filter(pfc::isEnabled)).containsExactly(3);
        assertThat(IntStream.range(0, 8).map(pfc::quanta))
                .containsExactly(0, 0, 0, 65535, 0, 0, 0, 0);

        assertThat(frames.get(1).wrap(view)).isEqualTo(Verdict.OK);
        assertThat(view.kind()).isEqualTo(PacketKind.PAUSE);
        assertThat(Ethernet.parse(view.segment(), view.ethernetAt())).isEqualTo(header);
        assertThat(Pause.parse(view.segment(), view.controlAt())).isEqualTo(new Pause(65535));
    }

    @Test
    void aSwitchAnnouncesWhatItDoesForPriorityThree() {
        VectorFrame frame = VectorFrame.read("eth-lldp-dcbx.pcap").getFirst();
        Ets ets =
                new Ets(
                        List.of(0, 0, 0, 1, 2, 3, 4, 5),
                        List.of(50, 0, 0, 50, 0, 0, 0, 0),
                        List.of(2, 0, 0, 2, 0, 0, 0, 0));

        assertThat(frame.wrap(view)).isEqualTo(Verdict.OK);

        assertThat(view.kind()).isEqualTo(PacketKind.LLDP);
        assertThat(Ethernet.parse(view.segment(), view.ethernetAt()))
                .isEqualTo(Ethernet.of(new MacAddress(0x0180_C200_000EL), HandMade.MAC_A, 0x88CC));
        assertThat(Lldp.dcbx(view.segment(), view.controlAt(), view.controlLength()))
                .containsExactly(
                        new EtsConfiguration(true, false, 0, ets),
                        new EtsRecommendation(ets),
                        new PfcConfiguration(true, false, 8, 0x08),
                        new ApplicationPriority(
                                List.of(
                                        new Application(3, 3, 4791),
                                        new Application(3, 1, 0x8915),
                                        new Application(3, 5, 26))));
    }

    @Test
    void aPortThatFollowsNoneIsReadAsUnwilling() {
        MemorySegment tlv = tlv(6, 11, 0x48, 0x30);

        assertThat(Dcbx.fits(tlv, 0)).isTrue();
        assertThat(Dcbx.parse(tlv, 0)).contains(new PfcConfiguration(false, true, 8, 0x30));
    }

    @Test
    void aTlvOfItsFixedFieldsAloneFitsAndOneByteLessDoesNot() {
        assertThat(Dcbx.fits(tlv(5, 12), 0)).isTrue();
        assertThat(Dcbx.parse(tlv(5, 12), 0)).contains(new ApplicationPriority(List.of()));
        assertThat(Dcbx.fits(tlv(4, 12), 0)).isFalse();
        assertThat(Dcbx.fits(tlv(6, 11), 0)).isTrue();
        assertThat(Dcbx.fits(tlv(5, 11), 0)).isFalse();
        assertThat(Dcbx.fits(tlv(4, 11), 0)).isFalse();
        assertThat(Dcbx.fits(tlv(25, 9), 0)).isTrue();
        assertThat(Dcbx.fits(tlv(24, 9), 0)).isFalse();
    }

    /// A TLV of the organisation that DCBX is from, with a value of so many bytes.
    private static MemorySegment tlv(int length, int subtype, int... fields) {
        MemorySegment tlv = MemorySegment.ofArray(new byte[Lldp.TLV_HEADER + 32]);
        BigEndian.put16(tlv, 0, (Lldp.TYPE_ORGANISATION << 9) | length);
        BigEndian.put24(tlv, Lldp.TLV_HEADER, Dcbx.ORGANISATION);
        BigEndian.put8(tlv, Lldp.TLV_HEADER + 3, subtype);
        for (int i = 0; i < fields.length; i++) {
            BigEndian.put8(tlv, Lldp.TLV_HEADER + 4 + i, fields[i]);
        }
        return tlv;
    }
}
