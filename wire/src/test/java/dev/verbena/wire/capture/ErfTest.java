package dev.verbena.wire.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.Seed;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.WireException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ErfTest {
    private static final long NS_BOUND = (1L << 32) * 1_000_000_000;

    @ParameterizedTest
    @ValueSource(strings = {"rc", "smp", "gsi"})
    void findsTheSamePacketsAsInAFileWithoutErf(String kind) throws IOException {
        CaptureReader erf = Captures.open(Captures.vector("ib-native-" + kind + "-erf.pcap"));
        CaptureReader bare = Captures.open(Captures.vector("ib-native-" + kind + "-dlt247.pcap"));
        while (bare.next() == CaptureStatus.PACKET) {
            assertThat(erf.next()).isEqualTo(CaptureStatus.PACKET);
            MemorySegment record = erf.packet();
            assertThat(Erf.check(record, 0, record.byteSize())).isEqualTo(ErfVerdict.OK);
            assertThat(Erf.type(record, 0)).isEqualTo(Erf.INFINIBAND);
            assertThat(bytes(payload(record))).isEqualTo(bytes(bare.packet()));
        }
        assertThat(erf.next()).isEqualTo(CaptureStatus.END);
    }

    @Test
    void anEmittedRecordIsWholeWhateverTheMemoryHeld() {
        MemorySegment target = MemorySegment.ofArray(new byte[64]);
        target.fill((byte) 0x55);
        MemorySegment frame = MemorySegment.ofArray(new byte[] {1, 2, 3, 4, 5});

        int length = Erf.emit(target, 3, Erf.ETHERNET, 2_500_000_000L, frame, 0, 5);

        assertThat(length).isEqualTo(24);
        assertThat(bytes(target.asSlice(0, 29)))
                .containsExactly(
                        0x55, 0x55, 0x55, 0, 0, 0, 0x80, 2, 0, 0, 0, 2, 4, 0, 24, 0, 0, 0, 5, 0, 0,
                        1, 2, 3, 4, 5, 0, 0x55, 0x55);
    }

    @ParameterizedTest
    @CsvSource({
        "21, 16, 15, HEADER_TRUNCATED",
        "21, 16, 16, OK",
        "21, 15, 24, RECORD_LENGTH",
        "149, 23, 24, EXTENSION_TRUNCATED",
        "149, 24, 24, OK",
        "149, 24, 16, RECORD_TRUNCATED",
        "2, 17, 24, PAD_TRUNCATED",
        "2, 18, 18, OK",
        "2, 24, 24, OK",
        "2, 24, 23, RECORD_TRUNCATED",
        "21, 24, 24, OK",
        "21, 24, 23, RECORD_TRUNCATED",
    })
    void aRecordIsWholeAtExactlyItsLength(
            int type, int recordLength, int length, ErfVerdict expected) {
        MemorySegment record = MemorySegment.ofArray(new byte[64]);
        BigEndian.put8(record, 5 + Erf.TYPE, type);
        BigEndian.put16(record, 5 + Erf.RECORD_LENGTH, recordLength);
        BigEndian.put16(record, 5 + Erf.WIRE_LENGTH, 100); // the packet was cut

        assertThat(Erf.check(record, 5, length)).isEqualTo(expected);
    }

    @Test
    void aCutPacketIsAsLongAsItsRecordHasRoomFor() {
        MemorySegment record = MemorySegment.ofArray(new byte[64]);
        BigEndian.put8(record, 5 + Erf.TYPE, Erf.ETHERNET);
        BigEndian.put16(record, 5 + Erf.RECORD_LENGTH, 32);
        BigEndian.put16(record, 5 + Erf.WIRE_LENGTH, 100);

        assertThat(Erf.payloadAt(record, 5)).isEqualTo(5 + 18);
        assertThat(Erf.payloadLength(record, 5)).isEqualTo(14);
    }

    @Test
    void theCountOfLostPacketsIsRead() {
        MemorySegment record = MemorySegment.ofArray(new byte[24]);
        BigEndian.put16(record, 3 + Erf.LOSS_COUNTER, 0xBEEF);

        assertThat(Erf.lossCounter(record, 3)).isEqualTo(0xBEEF);
    }

    @Test
    void aRecordHasRoomForItsLimitAndNotForAByteMore() {
        int most = Erf.RECORD_BYTES_MAX - Erf.LENGTH;

        assertThat(Erf.recordLength(Erf.INFINIBAND, most)).isEqualTo(Erf.RECORD_BYTES_MAX);
        assertThat(Erf.recordLength(Erf.INFINIBAND, 0)).isEqualTo(Erf.LENGTH);
        assertThatThrownBy(() -> Erf.recordLength(Erf.INFINIBAND, most + 1))
                .isInstanceOf(WireException.class);
        assertThatThrownBy(() -> Erf.recordLength(Erf.INFINIBAND, -1))
                .isInstanceOf(WireException.class);
        assertThatThrownBy(() -> Erf.recordLength(0x80, 8)).isInstanceOf(WireException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ib-native-rc", "ib-native-smp", "ib-native-gsi", "ib-link"})
    void emitsTheRecordsOfTheVectorsByteForByte(String name) throws IOException {
        CaptureReader reader = Captures.open(Captures.vector(name + "-erf.pcap"));
        while (reader.next() == CaptureStatus.PACKET) {
            MemorySegment record = reader.packet();
            MemorySegment payload = payload(record);
            ErfHeader header = ErfHeader.parse(record, 0);
            MemorySegment emitted = MemorySegment.ofArray(new byte[reader.length() + 8]);
            emitted.fill((byte) 0x55);
            int length =
                    Erf.emit(
                            emitted,
                            3,
                            header.type(),
                            header.timestampNs(),
                            payload,
                            0,
                            (int) payload.byteSize());
            // The vectors count in units of the fraction, which no nanosecond meets.
            header.emit(emitted, 3);
            assertThat(length).isEqualTo(reader.length());
            assertThat(bytes(emitted.asSlice(3, length))).isEqualTo(bytes(record));
        }
        assertThat(reader.next()).isEqualTo(CaptureStatus.END);
    }

    @Test
    void seesSixBytesInALinkPacketThatWasFilledUp() throws IOException {
        CaptureReader reader = Captures.open(Captures.vector("ib-link-erf.pcap"));
        assertThat(reader.next()).isEqualTo(CaptureStatus.PACKET);
        MemorySegment record = reader.packet();
        assertThat(Erf.type(record, 0)).isEqualTo(Erf.INFINIBAND_LINK);
        assertThat(Erf.wireLength(record, 0)).isEqualTo(Erf.LINK_PACKET_BYTES_PADDED);
        assertThat(bytes(payload(record))).isEqualTo(new byte[] {1, 0x23, 4, 0x56, 0x1C, -0x4D});
    }

    @Test
    void stepsOverExtensionHeadersAndTheEthernetPad() {
        MemorySegment record = MemorySegment.ofArray(new byte[48]);
        new ErfHeader(0, Erf.ETHERNET, true, Erf.FLAG_VARYING_LENGTH, 48, 0, 11).emit(record, 0);
        BigEndian.put8(record, 16, 0x80 | 3);
        BigEndian.put8(record, 24, 4);
        assertThat(Erf.check(record, 0, 48)).isEqualTo(ErfVerdict.OK);
        assertThat(Erf.payloadAt(record, 0)).isEqualTo(34);
        assertThat(Erf.payloadLength(record, 0)).isEqualTo(11);
        BigEndian.put16(record, Erf.WIRE_LENGTH, 1500);
        assertThat(Erf.payloadLength(record, 0)).isEqualTo(14);
    }

    @Test
    void keepsEveryNanosecondThroughItsTimestamp() {
        SplittableRandom random = Seed.forTest("ErfTest timestamps", 0xE4F).random();
        for (long ns : new long[] {0, 1, 999_999_999, 1_000_000_000, NS_BOUND - 1}) {
            assertThat(Erf.toNs(Erf.fromNs(ns))).isEqualTo(ns);
        }
        for (long i = Seed.campaign(1_000_000); i > 0; i--) {
            long ns = random.nextLong(NS_BOUND);
            if (Erf.toNs(Erf.fromNs(ns)) != ns) {
                assertThat(Erf.toNs(Erf.fromNs(ns))).isEqualTo(ns);
            }
        }
        assertThat(Erf.fromNs(1_500_000_000)).isEqualTo(0x1_8000_0000L);
        assertThatThrownBy(() -> Erf.fromNs(-1)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> Erf.fromNs(NS_BOUND)).isInstanceOf(WireException.class);
    }

    @Test
    void readsBackWhatItEmits() {
        SplittableRandom random = Seed.forTest("ErfTest emission", 0xE4F0).random();
        int[] types = {Erf.ETHERNET, Erf.INFINIBAND, Erf.INFINIBAND_LINK};
        MemorySegment target = MemorySegment.ofArray(new byte[Erf.RECORD_BYTES_MAX]);
        for (long i = Seed.campaign(2_000); i > 0; i--) {
            int type = types[random.nextInt(types.length)];
            int length = type == Erf.INFINIBAND_LINK ? 6 : random.nextInt(5000);
            MemorySegment payload = MemorySegment.ofArray(Captures.random(random, length));
            long ns = random.nextLong(NS_BOUND);
            int recordLength = Erf.emit(target, 0, type, ns, payload, 0, length);
            assertThat(recordLength).isEqualTo(Erf.recordLength(type, length));
            assertThat(recordLength % 8).isZero();
            assertThat(Erf.check(target, 0, recordLength)).isEqualTo(ErfVerdict.OK);
            ErfHeader header = ErfHeader.parse(target, 0);
            assertThat(header.timestampNs()).isEqualTo(ns);
            assertThat(header.type()).isEqualTo(type);
            assertThat(payload(target).mismatch(payload)).isEqualTo(-1);
        }
    }

    @Test
    void refusesRecordsThatNeedMoreThanSixteenBitsOfLength() {
        assertThat(Erf.recordLength(Erf.INFINIBAND, 0xFFE8)).isEqualTo(Erf.RECORD_BYTES_MAX);
        assertThatThrownBy(() -> Erf.recordLength(Erf.INFINIBAND, 0xFFE9))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("65536 bytes; the limit is 65528");
        assertThatThrownBy(() -> Erf.recordLength(Erf.ETHERNET, Integer.MAX_VALUE))
                .isInstanceOf(WireException.class);
    }

    @Test
    void givesEveryHostileRecordAVerdictAndReachesEachOfThem() {
        SplittableRandom random = Seed.forTest("ErfTest hostile", 0xBAD).random();
        Map<ErfVerdict, Long> reached = new EnumMap<>(ErfVerdict.class);
        for (long i = Seed.campaign(100_000); i > 0; i--) {
            int length = random.nextInt(64);
            MemorySegment record = MemorySegment.ofArray(Captures.random(random, length));
            if (length >= Erf.LENGTH) {
                bend(record, random);
            }
            ErfVerdict verdict = Erf.check(record, 0, length);
            reached.merge(verdict, 1L, Long::sum);
            if (verdict.isOk()) {
                long payloadAt = Erf.payloadAt(record, 0);
                assertThat(payloadAt).isBetween((long) Erf.LENGTH, (long) length);
                assertThat(Erf.payloadLength(record, 0)).isBetween(0, (int) (length - payloadAt));
            }
        }
        System.out.println("ErfTest: " + reached);
        assertThat(reached).containsOnlyKeys(ErfVerdict.values());
    }

    private static void bend(MemorySegment record, SplittableRandom random) {
        int[] types = {Erf.ETHERNET, Erf.INFINIBAND, Erf.INFINIBAND_LINK, random.nextInt(128)};
        int extension = random.nextBoolean() ? 0x80 : 0;
        BigEndian.put8(record, Erf.TYPE, types[random.nextInt(types.length)] | extension);
        BigEndian.put16(record, Erf.RECORD_LENGTH, random.nextInt(80));
        BigEndian.put16(record, Erf.WIRE_LENGTH, random.nextInt(80));
    }

    private static MemorySegment payload(MemorySegment record) {
        return record.asSlice(Erf.payloadAt(record, 0), Erf.payloadLength(record, 0));
    }

    private static byte[] bytes(MemorySegment segment) {
        return segment.toArray(ValueLayout.JAVA_BYTE);
    }
}
