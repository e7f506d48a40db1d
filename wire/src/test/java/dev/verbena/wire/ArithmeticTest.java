package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// Small numbers with rules of their own: PSNs, P_Keys, MTUs, ports.
class ArithmeticTest {
    @Test
    void sequenceNumbersWrapAtTwentyFourBits() {
        assertThat(Psn.plus(0xFFFFFF, 1)).isZero();
        assertThat(Psn.plus(0, -1)).isEqualTo(0xFFFFFF);
        assertThat(Psn.distance(0, 0xFFFFFF)).isEqualTo(1);
        assertThat(Psn.distance(0xFFFFFF, 0)).isEqualTo(-1);
        assertThat(Psn.distance(0x7FFFFF, 0)).isEqualTo(0x7FFFFF);
        assertThat(Psn.distance(0x800000, 0)).isEqualTo(-0x800000);
    }

    @Test
    void partitionsMatchWhenOneSideIsAFullMember() {
        assertThat(Pkey.match(0xFFFF, 0x7FFF)).isTrue();
        assertThat(Pkey.match(0x7FFF, 0x7FFF)).isFalse();
        assertThat(Pkey.match(0x8001, 0x8002)).isFalse();
        assertThat(Pkey.match(0x8000, 0x8000)).isFalse();
        assertThat(Pkey.isFullMember(Pkey.DEFAULT_LIMITED)).isFalse();
    }

    @Test
    void onlyTheFivePathMtusAreFullPackets() {
        assertThat(PathMtu.values())
                .allSatisfy(mtu -> assertThat(PathMtu.isExactly(mtu.bytes())).isTrue());
        assertThat(PathMtu.MTU_256.code()).isEqualTo(1);
        assertThat(PathMtu.MTU_4096.code()).isEqualTo(5);
        for (int bytes : new int[] {0, 128, 255, 257, 1500, 8192}) {
            assertThat(PathMtu.isExactly(bytes)).isFalse();
        }
    }

    @Test
    void theSourcePortCarriesTheFlowLabelAsLinuxFoldsIt() {
        assertThat(Udp.sourcePortOf(0)).isEqualTo(0xC000);
        assertThat(Udp.sourcePortOf(0x3FFF)).isEqualTo(0xFFFF);
        assertThat(Udp.sourcePortOf(0xFC000)).isEqualTo(0xC03F);
    }

    @Test
    void aValueThatDoesNotFitItsFieldIsRefusedByName() {
        assertThatThrownBy(() -> Bth.of(Opcode.of(4), 0x1000000, 0))
                .isInstanceOf(WireException.class)
                .hasMessage(
                        "bth destination qp 0x1000000 does not fit 24 bits; the largest is"
                                + " 0xffffff");
    }

    @Test
    void noFieldOfLinkControlTakesMoreBitsThanItHas() {
        assertRefused(() -> new FlowControl(16, 0, 0, 0));
        assertRefused(() -> new FlowControl(0, 4096, 0, 0));
        assertRefused(() -> new FlowControl(0, 0, 16, 0));
        assertRefused(() -> new FlowControl(0, 0, 0, 4096));
        assertRefused(() -> Pfc.of(8, 0));
        assertRefused(() -> Pfc.of(0, 0x10000));
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(WireException.class)
                .hasMessageContaining("does not fit");
    }

    @Test
    void creditCountersRunModulo4096() {
        MemorySegment packet = MemorySegment.ofArray(new byte[FlowControl.LENGTH]);

        FlowControl.put(packet, 0, FlowControl.NORMAL, 5000, 3, 4096 + 17);

        assertThat(FlowControl.parse(packet, 0))
                .isEqualTo(new FlowControl(FlowControl.NORMAL, 5000 - 4096, 3, 17));
    }

    /// Options, fragments and checksums of others are no faults: IGMP carries a router alert.
    @Test
    void foreignIpv4IsNotBlamedForWhatRoceForbids() {
        String ethernet = "01005e000016 020000000001 0800";
        assertThat(judge(ethernet + "46c00028 00004000 0102 0000 0a000001 e0000016 94040000"))
                .isEqualTo(Verdict.IP_PROTOCOL_FOREIGN);
        assertThat(
                        judge(
                                ethernet
                                        + "4500001c 00012000 4011 0000 0a000001 0a000002"
                                        + " 03e807f100080000"))
                .isEqualTo(Verdict.IPV4_FRAGMENT);
        assertThat(
                        judge(
                                ethernet
                                        + "4500001c 00014000 4011 0000 0a000001 0a000002"
                                        + " 03e807f100080000"))
                .isEqualTo(Verdict.UDP_PORT_FOREIGN);
        assertThat(
                        judge(
                                ethernet
                                        + "4500001c 00014000 4011 0000 0a000001 0a000002"
                                        + " 03e812b700080000"))
                .isEqualTo(Verdict.IPV4_CHECKSUM);
        assertThat(Verdict.IPV4_FRAGMENT.category()).isEqualTo(Verdict.Category.FOREIGN);
    }

    private static Verdict judge(String hex) {
        MemorySegment frame = Hex.segment(hex);
        return new PacketView().wrapEthernet(frame, 0, (int) frame.byteSize());
    }

    @Test
    void pfcTimesStandInTheOrderOfThePriorities() {
        for (int priority = 0; priority < Pfc.PRIORITIES; priority++) {
            Pfc pfc = Pfc.of(priority, 0x1234);
            assertThat(pfc.isEnabled(priority)).isTrue();
            assertThat(Integer.bitCount(pfc.enabled())).isEqualTo(1);
            for (int other = 0; other < Pfc.PRIORITIES; other++) {
                assertThat(pfc.quanta(other)).isEqualTo(other == priority ? 0x1234 : 0);
            }
        }
    }
}
