package dev.verbena.wire.mad;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.Gid;
import dev.verbena.wire.Payload;
import dev.verbena.wire.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Stored captures: one written by hand from the specification, two of Linux kernels.
class CmVectorsTest {
    private static final String WRITTEN = "rocev2-cm.pcap";
    private static final String KERNEL = "rxe-kernel-ipv4.pcap";

    @ParameterizedTest
    @CsvSource({
        "rocev2-cm.pcap, REQ MRA REP RTU DREQ DREP REJ",
        "rxe-kernel-ipv4.pcap, REQ REP RTU DREQ DREP",
        "rxe-kernel-ipv6.pcap, REQ REP RTU DREQ DREP",
    })
    void readsEveryMessageAndWritesItBackByteForByte(String file, String messages) {
        List<byte[]> mads = Capture.mads(file);
        assertThat(mads).extracting(CmVectorsTest::name).containsExactly(messages.split(" ", -1));
        for (byte[] mad : mads) {
            MemorySegment segment = MemorySegment.ofArray(mad);
            assertThat(CmMessage.check(segment, 0, mad.length)).isEqualTo(Verdict.OK);

            byte[] written = new byte[Mad.LENGTH_TOTAL];
            Arrays.fill(written, (byte) 0x5A);
            CmMad.parse(segment, 0).emit(MemorySegment.ofArray(written), 0);

            assertThat(written).isEqualTo(mad);
        }
    }

    private static String name(byte[] mad) {
        String title = Mad.parse(MemorySegment.ofArray(mad), 0).title();
        assertThat(title).startsWith("CM ");
        return title.substring("CM ".length());
    }

    @Test
    void readsTheRequestWrittenByHand() {
        CmReq req = (CmReq) message(WRITTEN, 0);

        assertThat(req)
                .isEqualTo(
                        CmReq.builder()
                                .localCommunicationId(0x0A0B_0C0D)
                                .serviceId(ServiceId.ofTcp(7174))
                                .localCaGuid(0x0200_00FF_FE00_0001L)
                                .localQpn(0x11)
                                .responderResources(1)
                                .initiatorDepth(1)
                                .remoteResponseTimeout(20)
                                .transportServiceType(CmReq.SERVICE_RC)
                                .startingPsn(0x100)
                                .localResponseTimeout(20)
                                .retryCount(7)
                                .pkey(0xFFFF)
                                .pathMtu(3)
                                .rnrRetryCount(7)
                                .maxCmRetries(15)
                                .primary(path("10.0.0.1", "10.0.0.2", 0x12345))
                                .privateData(
                                        header(40_000, "10.0.0.1", "10.0.0.2")
                                                .with(text("userdata")))
                                .build());
        assertThat(req.paths().alternate().isNone()).isTrue();
    }

    @Test
    void readsTheAnswersWrittenByHand() {
        int active = 0x0A0B_0C0D;
        int passive = 0x1A1B_1C1D;

        assertThat(message(WRITTEN, 1)).isEqualTo(new CmMra(passive, active, 0, 24, Payload.EMPTY));
        assertThat(message(WRITTEN, 2))
                .isEqualTo(
                        CmRep.builder()
                                .localCommunicationId(passive)
                                .remoteCommunicationId(active)
                                .localQpn(0x12)
                                .startingPsn(0x200)
                                .responderResources(1)
                                .initiatorDepth(1)
                                .targetAckDelay(15)
                                .rnrRetryCount(7)
                                .localCaGuid(0x0200_00FF_FE00_0002L)
                                .privateData(text("repd"))
                                .build());
        assertThat(message(WRITTEN, 3)).isEqualTo(new CmRtu(active, passive, Payload.EMPTY));
        assertThat(message(WRITTEN, 4)).isEqualTo(new CmDreq(active, passive, 0x12, Payload.EMPTY));
        assertThat(message(WRITTEN, 5)).isEqualTo(new CmDrep(passive, active, Payload.EMPTY));
        assertThat(message(WRITTEN, 6))
                .isEqualTo(
                        new CmRej(
                                0,
                                active,
                                0,
                                0,
                                RejectReason.INVALID_SERVICE_ID,
                                Payload.EMPTY,
                                Payload.EMPTY));
    }

    @Test
    void readsTheRequestOfAKernel() {
        CmReq req = (CmReq) message(KERNEL, 0);

        assertThat(req)
                .isEqualTo(
                        CmReq.builder()
                                .localCommunicationId(0xF8E0_BE12)
                                .serviceId(ServiceId.ofTcp(7174))
                                .localCaGuid(0x0099_00FF_FE00_0011L)
                                .localQpn(0x1C)
                                .responderResources(1)
                                .initiatorDepth(1)
                                .remoteResponseTimeout(20)
                                .startingPsn(0x58_D5C3)
                                .localResponseTimeout(20)
                                .retryCount(7)
                                .pkey(0xFFFF)
                                .pathMtu(3)
                                .rnrRetryCount(7)
                                .maxCmRetries(15)
                                .primary(path("10.99.0.11", "10.99.0.12", 0x9D213))
                                .privateData(
                                        header(54_355, "10.99.0.11", "10.99.0.12")
                                                .with(Payload.EMPTY))
                                .build());
        RdmaCmHeader header = RdmaCmHeader.of(req.privateData());
        assertThat(header.isSupported()).isTrue();
        assertThat(header.source()).isEqualTo(req.paths().primary().localGid());
        assertThat(header.destination()).isEqualTo(req.paths().primary().remoteGid());
        assertThat(RdmaCmHeader.consumerData(req.privateData()))
                .isEqualTo(Payload.of(new byte[56]));
    }

    @Test
    void readsTheReplyOfAKernel() {
        assertThat(message(KERNEL, 1))
                .isEqualTo(
                        CmRep.builder()
                                .localCommunicationId(0x3870_B9D1)
                                .remoteCommunicationId(0xF8E0_BE12)
                                .localQpn(0x1C)
                                .startingPsn(0xEA_D7AC)
                                .responderResources(1)
                                .initiatorDepth(1)
                                .targetAckDelay(15)
                                .rnrRetryCount(7)
                                .localCaGuid(0x0099_00FF_FE00_0012L)
                                .build());
        assertThat(message(KERNEL, 3))
                .isEqualTo(new CmDreq(0xF8E0_BE12, 0x3870_B9D1, 0x1C, Payload.EMPTY));
    }

    /// A kernel makes the ID from its communication ID, so that disconnecting does not change it.
    @Test
    void seesOneTransactionIdInTheWholeLifeOfAKernelsConnection() {
        assertThat(Capture.mads(KERNEL))
                .extracting(mad -> Mad.transactionId(MemorySegment.ofArray(mad), 0))
                .containsOnly(0x0000_0002_12BE_E0F8L);
    }

    private static CmMessage message(String file, int index) {
        return CmMessage.parse(MemorySegment.ofArray(Capture.mads(file).get(index)), 0);
    }

    private static CmPath path(String local, String remote, int flowLabel) {
        return new CmPath(
                0xFFFF, 0xFFFF, gid(local), gid(remote), flowLabel, 0, 0, 64, 0, false, 19);
    }

    private static RdmaCmHeader header(int port, String source, String destination) {
        return RdmaCmHeader.between(port, gid(source), gid(destination));
    }

    private static Gid gid(String ipv4) {
        return Gid.ofText("::ffff:" + ipv4);
    }

    private static Payload text(String text) {
        return Payload.of(text.getBytes(US_ASCII));
    }
}
