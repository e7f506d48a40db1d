package dev.verbena.wire.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Gid;
import dev.verbena.wire.Payload;
import dev.verbena.wire.WireException;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Reasons, statuses, timeouts, service IDs and the bytes that users add.
class CmValuesTest {
    @Test
    void knowsTheRejectReasonsOfTheSpecification() {
        assertThat(
                        IntStream.rangeClosed(0, 0xFFFF)
                                .filter(code -> new RejectReason(code).isKnown()))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 35).filter(code -> code != 34).boxed().toList());
        assertThat(new RejectReason(28)).isEqualTo(RejectReason.CONSUMER_DEFINED);
        assertThat(RejectReason.INVALID_SERVICE_ID)
                .hasToString("8: no program listens on the service ID");
        assertThat(new RejectReason(0x1234))
                .hasToString("4660: no meaning is known for this reason");
    }

    @Test
    void knowsTheSixStatusesOfAResolution() {
        assertThat(IntStream.rangeClosed(0, 0xFF).filter(code -> new SidrStatus(code).isKnown()))
                .containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(SidrStatus.NO_QP).hasToString("3: no queue pair is available");
        assertThat(new SidrStatus(6)).hasToString("6: no meaning is known for this status");
    }

    @Test
    void onlyAPathOfZerosIsNone() {
        MemorySegment bytes = MemorySegment.ofArray(new byte[64]);
        assertThat(CmPath.parse(bytes, 3).isNone()).isTrue();

        BigEndian.put8(bytes, 3 + 41, 1); // the hop limit
        assertThat(CmPath.parse(bytes, 3).isNone()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0, 4096", "1, 8192", "19, 2147483648", "20, 4294967296", "31, 8796093022208"})
    void doublesATimeoutWithEachCode(int code, long ns) {
        assertThat(CmTimeout.nanos(code)).isEqualTo(ns);
        assertThat(CmTimeout.ofNanos(ns)).isEqualTo(code);
        assertThat(CmTimeout.ofNanos(ns - 1)).isEqualTo(code);
        assertThat(CmTimeout.ofNanos(ns + 1)).isEqualTo(Math.min(code + 1, 31));
    }

    @Test
    void hasNoTimeoutBeyondFiveBits() {
        assertThatThrownBy(() -> CmTimeout.nanos(32)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> CmTimeout.nanos(-1)).isInstanceOf(WireException.class);
        assertThat(CmTimeout.ofNanos(Long.MAX_VALUE)).isEqualTo(31);
        assertThat(CmTimeout.ofNanos(-1)).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "0x0000000001061C06, true, tcp port 7174",
        "0x0000000001110001, true, udp port 1",
        "0x000000000002FFFF, true, ipoib port 65535",
        "0x00000000013F0000, true, ib port 0",
        "0x0000000101061C06, false, service id 0x0000000101061c06",
        "0x0000000001071C06, false, service id 0x0000000001071c06",
    })
    void namesServiceIds(String id, boolean rdmaCm, String name) {
        assertThat(ServiceId.isRdmaCm(Long.decode(id))).isEqualTo(rdmaCm);
        assertThat(ServiceId.name(Long.decode(id))).isEqualTo(name);
    }

    @Test
    void turnsAPortIntoAServiceIdAndBack() {
        assertThat(ServiceId.ofTcp(7174)).isEqualTo(0x0106_1C06L);
        assertThat(ServiceId.ofUdp(65_535)).isEqualTo(0x0111_FFFFL);
        assertThat(ServiceId.port(ServiceId.ofUdp(65_535))).isEqualTo(65_535);
        assertThat(ServiceId.portSpace(ServiceId.ofTcp(1))).isEqualTo(ServiceId.PORT_SPACE_TCP);
        assertThatThrownBy(() -> ServiceId.ofTcp(65_536)).isInstanceOf(WireException.class);
    }

    @Test
    void putsIpv4BehindTwelveZerosAndNotInTheMappedForm() {
        RdmaCmHeader header =
                RdmaCmHeader.between(7, Gid.ofIpv4(0xFF00_0001), Gid.ofIpv4(0x0A00_0002));

        byte[] bytes = header.with(Payload.of((byte) 9)).toArray();

        assertThat(bytes).hasSize(37).startsWith(0, 0x40, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0);
        assertThat(bytes).containsSequence(0, 0, 0, 0, 0xFF, 0, 0, 1, 0, 0);
        assertThat(bytes).endsWith(0x0A, 0, 0, 2, 9);
        assertThat(header.source()).isEqualTo(Gid.ofIpv4(0xFF00_0001));
        assertThat(header.destination()).isEqualTo(Gid.ofIpv4(0x0A00_0002));
    }

    @Test
    void carriesIpv6AddressesInARequestAndInAResolution() {
        RdmaCmHeader header = RdmaCmHeader.between(7, Gid.ofText("fd00::1"), Gid.ofText("fd00::2"));
        Payload data = header.with(Payload.of((byte) 9));
        CmReq req = CmReq.builder().privateData(data).build();
        CmSidrReq sidr = new CmSidrReq(1, 0xFFFF, ServiceId.ofUdp(7), data);

        assertThat(header.ipVersion()).isEqualTo(6);
        assertThat(RdmaCmHeader.of(req.privateData())).isEqualTo(header);
        assertThat(RdmaCmHeader.of(sidr.privateData())).isEqualTo(header);
        assertThat(header.destination()).isEqualTo(Gid.ofText("fd00::2"));
        assertThat(RdmaCmHeader.consumerData(req.privateData()).length()).isEqualTo(56);
        assertThat(RdmaCmHeader.consumerData(sidr.privateData()).length()).isEqualTo(180);
        assertThat(RdmaCmHeader.consumerData(sidr.privateData()).toArray()).startsWith(9, 0);
    }

    @Test
    void supportsOnlyVersionZeroOfIpv4AndIpv6() {
        assertThat(new RdmaCmHeader(0, 0, 4, 0, Gid.ZERO, Gid.ZERO).isSupported()).isTrue();
        assertThat(new RdmaCmHeader(0, 0, 6, 0, Gid.ZERO, Gid.ZERO).isSupported()).isTrue();
        assertThat(new RdmaCmHeader(0, 0, 5, 0, Gid.ZERO, Gid.ZERO).isSupported()).isFalse();
        assertThat(new RdmaCmHeader(1, 0, 4, 0, Gid.ZERO, Gid.ZERO).isSupported()).isFalse();
        assertThat(new RdmaCmHeader(0, 1, 4, 0, Gid.ZERO, Gid.ZERO).isSupported()).isFalse();
    }

    @Test
    void refusesAnRdmaCmHeaderThatCannotBe() {
        assertThatThrownBy(() -> RdmaCmHeader.between(1, Gid.ofIpv4(1), Gid.ofText("fd00::1")))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("different IP versions");
        assertThatThrownBy(() -> RdmaCmHeader.of(Payload.of(new byte[35])))
                .isInstanceOf(WireException.class)
                .hasMessage("private data of 35 bytes holds no rdma_cm header; it takes 36");
    }

    @Test
    void keepsPrivateDataFromLaterChanges() {
        byte[] bytes = {1, 2, 3};
        Payload data = Payload.of(bytes);

        bytes[0] = 9;
        data.toArray()[1] = 9;

        assertThat(data).isEqualTo(Payload.of((byte) 1, (byte) 2, (byte) 3));
        assertThat(data.segment().isReadOnly()).isTrue();
        assertThat(data).isNotEqualTo(Payload.of((byte) 1, (byte) 2));
        assertThat(data).hasToString("3 bytes [010203]");
        assertThat(Payload.of((byte) 1, (byte) 0)).hasToString("2 bytes [01]");
        assertThat(data.from(3)).isEqualTo(Payload.EMPTY);
        assertThatThrownBy(() -> data.from(4)).isInstanceOf(WireException.class);
    }
}
