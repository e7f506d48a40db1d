package dev.verbena.wire.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.Seed;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Payload;
import dev.verbena.wire.Verdict;
import dev.verbena.wire.WireException;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CmMessageTest {
    private static final int AT = 5;

    private final MemorySegment segment = MemorySegment.ofArray(new byte[AT + Mad.LENGTH_TOTAL]);

    @Test
    void acceptsWhatItWrites() {
        CmMad.of(1, new CmRtu(2, 3, Payload.EMPTY)).emit(segment, AT);

        assertThat(check()).isEqualTo(Verdict.OK);
        assertThat(Mad.check(segment, AT, 256)).isEqualTo(Verdict.OK);
    }

    @Test
    void namesTheFirstReasonToRefuseADatagram() {
        CmMad.of(1, new CmRtu(2, 3, Payload.EMPTY)).emit(segment, AT);

        BigEndian.put16(segment, AT + 16, 0x1B);
        assertThat(check()).isEqualTo(Verdict.CM_ATTRIBUTE_UNKNOWN);
        BigEndian.put8(segment, AT + 3, MadMethod.GET);
        assertThat(check()).isEqualTo(Verdict.CM_METHOD);
        BigEndian.put8(segment, AT + 2, 1);
        assertThat(check()).isEqualTo(Verdict.CM_CLASS_VERSION);
        BigEndian.put8(segment, AT + 1, ManagementClass.SUBNET_ADMINISTRATION);
        assertThat(check()).isEqualTo(Verdict.CM_CLASS_FOREIGN);
        assertThat(Mad.check(segment, AT, 256)).isEqualTo(Verdict.OK);
        BigEndian.put8(segment, AT, 2);
        assertThat(check()).isEqualTo(Verdict.MAD_VERSION);
        assertThat(Mad.check(segment, AT, 256)).isEqualTo(Verdict.MAD_VERSION);
    }

    @Test
    void refusesAnyOtherLengthWithoutReading() {
        for (int length : new int[] {0, 24, 255, 257, 2048}) {
            assertThat(CmMessage.check(MemorySegment.NULL, 0, length))
                    .isEqualTo(Verdict.MAD_LENGTH);
        }
    }

    @Test
    void knowsExactlyTheElevenMessages() {
        CmMad.of(1, new CmRtu(2, 3, Payload.EMPTY)).emit(segment, AT);
        for (int attributeId = 0; attributeId <= 0xFFFF; attributeId++) {
            BigEndian.put16(segment, AT + 16, attributeId);
            boolean known = attributeId >= 0x10 && attributeId <= 0x1A;
            assertThat(check()).isEqualTo(known ? Verdict.OK : Verdict.CM_ATTRIBUTE_UNKNOWN);
            if (known) {
                assertThat(CmMessage.parse(segment, AT).attributeId()).isEqualTo(attributeId);
            }
        }
    }

    @Test
    void refusesToParseWhatTheDoorDidNotAccept() {
        assertThatThrownBy(() -> CmMessage.parse(segment, AT))
                .isInstanceOf(WireException.class)
                .hasMessage("attribute 0x0000 is no connection-management message");
    }

    @Test
    void survivesAsAWholeDatagram() {
        SplittableRandom random = Seed.forTest("cm datagram survives", 0xC3).random();
        byte[] bytes = new byte[Mad.LENGTH_TOTAL];
        for (long round = 0; round < Seed.campaign(2_000); round++) {
            random.nextBytes(bytes);
            MemorySegment.copy(MemorySegment.ofArray(bytes), 0, segment, AT, bytes.length);
            BigEndian.put16(segment, AT + 16, random.nextInt(0x10, 0x1B));
            CmMad mad = CmMad.parse(segment, AT);

            mad.emit(segment, AT);

            assertThat(check()).isEqualTo(Verdict.OK);
            assertThat(CmMad.parse(segment, AT)).isEqualTo(mad);
            assertThat(Mad.parse(segment, AT)).isEqualTo(mad.header());
        }
    }

    @Test
    void readsInPlaceWhatParseReads() {
        SplittableRandom random = Seed.forTest("cm accessors agree with parse", 0xACC).random();
        byte[] bytes = new byte[Mad.LENGTH_TOTAL];
        for (long round = 0; round < Seed.campaign(200); round++) {
            random.nextBytes(bytes);
            MemorySegment.copy(MemorySegment.ofArray(bytes), 0, segment, AT, bytes.length);

            CmRep rep = CmRep.parse(segment, AT);
            assertThat(CmIds.local(segment, AT)).isEqualTo(rep.localCommunicationId());
            assertThat(CmIds.remote(segment, AT)).isEqualTo(rep.remoteCommunicationId());
            assertThat(CmRep.localQpn(segment, AT)).isEqualTo(rep.queuePair().qpn());
            assertThat(CmRep.startingPsn(segment, AT)).isEqualTo(rep.queuePair().startingPsn());
            assertThat(CmRep.localCaGuid(segment, AT)).isEqualTo(rep.localCaGuid());
            CmReq req = CmReq.parse(segment, AT);
            assertThat(CmReq.localCommunicationId(segment, AT))
                    .isEqualTo(req.localCommunicationId());
            assertThat(CmReq.serviceId(segment, AT)).isEqualTo(req.serviceId());
            assertThat(CmReq.localCaGuid(segment, AT)).isEqualTo(req.localCaGuid());
            assertThat(CmReq.localQpn(segment, AT)).isEqualTo(req.queuePair().qpn());
        }
    }

    @Test
    void fillsShortPrivateDataWithZeros() {
        CmRtu rtu = new CmRtu(1, 2, Payload.of((byte) 7));

        assertThat(rtu.privateData().length()).isEqualTo(CmRtu.PRIVATE_DATA_LENGTH);
        assertThat(rtu.privateData().toArray()).startsWith(7, 0, 0).endsWith(0);
    }

    private Verdict check() {
        return CmMessage.check(segment, AT, Mad.LENGTH_TOTAL);
    }
}
