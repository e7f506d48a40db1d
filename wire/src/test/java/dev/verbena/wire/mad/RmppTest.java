package dev.verbena.wire.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.Seed;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.WireException;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Answers of several datagrams, cut and put together.
class RmppTest {
    private static final int RECORD = SaRecord.NODE.bytes();
    private static final long TRANSACTION = 42;

    private final MemorySegment head = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
    private final MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);

    RmppTest() {
        new Mad(
                        ManagementClass.SUBNET_ADMINISTRATION,
                        SaHeader.CLASS_VERSION,
                        MadMethod.GET_TABLE_RESPONSE,
                        0,
                        0,
                        TRANSACTION,
                        SaRecord.NODE.attributeId(),
                        0)
                .emit(head, 0);
        SaHeader.ATTRIBUTE_OFFSET.write(head, 0, RECORD / 8);
    }

    private static RmppAssembly assembly(int most) {
        return new RmppAssembly(TRANSACTION, SaRecord.NODE.attributeId(), most);
    }

    private static MemorySegment records(SplittableRandom random, int count) {
        byte[] bytes = new byte[count * RECORD];
        random.nextBytes(bytes);
        return MemorySegment.ofArray(bytes);
    }

    @Test
    void bringsEveryRecordWhateverTheirNumber() {
        SplittableRandom random = Seed.forTest("rmpp round trips", 0x2339).random();
        for (int count = 0; count < 60; count++) {
            MemorySegment records = records(random, count);
            RmppAssembly assembly = assembly(1 << 16);
            int segments = Rmpp.segments(records.byteSize());
            for (int number = 1; number <= segments; number++) {
                assertThat(assembly.isComplete()).isFalse();
                Rmpp.segment(head, records, number, mad, 0);
                assertThat(take(assembly)).isEqualTo(MadVerdict.OK);
                // Once more, as when an acknowledgement was lost.
                assertThat(take(assembly)).isEqualTo(MadVerdict.OK);
                assertThat(assembly.last()).isEqualTo(number);
            }
            assertThat(assembly.isComplete()).isTrue();
            assertThat(assembly.records()).isEqualTo(count);
            for (int i = 0; i < count; i++) {
                MemorySegment wanted = records.asSlice((long) i * RECORD, RECORD);
                assertThat(assembly.record(i).mismatch(wanted)).isEqualTo(-1);
                assertThat(assembly.lid(i)).isEqualTo(BigEndian.u16(wanted, 0));
            }
        }
    }

    private MadVerdict take(RmppAssembly assembly) {
        return assembly.take(mad, 0, Mad.LENGTH_TOTAL);
    }

    /// IBA 13.6.2: the first segment has the length of all, the last one its own; both count the
    /// SA's header.
    @Test
    void saysHowLongTheWholeIsAndHowLongTheLast() {
        MemorySegment records = records(new SplittableRandom(1), 4);

        Rmpp.segment(head, records, 1, mad, 0);
        assertThat(SaHeader.PAYLOAD_LENGTH.read(mad, 0)).isEqualTo(4 * 112 + 3 * 20);
        assertThat(SaHeader.RMPP_FLAGS.read(mad, 0)).isEqualTo(3);
        Rmpp.segment(head, records, 2, mad, 0);
        assertThat(SaHeader.PAYLOAD_LENGTH.read(mad, 0)).isZero();
        assertThat(SaHeader.RMPP_FLAGS.read(mad, 0)).isEqualTo(1);
        Rmpp.segment(head, records, 3, mad, 0);
        assertThat(SaHeader.PAYLOAD_LENGTH.read(mad, 0)).isEqualTo(48 + 20);
        assertThat(SaHeader.RMPP_FLAGS.read(mad, 0)).isEqualTo(5);
        assertThatThrownBy(() -> Rmpp.segment(head, records, 4, mad, 0))
                .isInstanceOf(WireException.class)
                .hasMessage("no segment 4: there are 3");
    }

    @Test
    void refusesSegmentsThatDoNotFollow() {
        MemorySegment records = records(new SplittableRandom(2), 4);
        RmppAssembly assembly = assembly(1 << 16);
        Rmpp.segment(head, records, 2, mad, 0);
        assertThat(take(assembly)).isEqualTo(MadVerdict.SEGMENT_NUMBER);
        SaHeader.SEGMENT_NUMBER.write(mad, 0, 1);
        assertThat(take(assembly)).isEqualTo(MadVerdict.SEGMENT_FLAGS);
        SaHeader.SEGMENT_NUMBER.write(mad, 0, 0);
        assertThat(take(assembly)).isEqualTo(MadVerdict.SEGMENT_NUMBER);

        Rmpp.segment(head, records, 1, mad, 0);
        BigEndian.put64(mad, 8, 43);
        assertThat(take(assembly)).isEqualTo(MadVerdict.SEGMENT_FOREIGN);
        BigEndian.put64(mad, 8, TRANSACTION);
        SaHeader.RMPP_VERSION.write(mad, 0, 2);
        assertThat(take(assembly)).isEqualTo(MadVerdict.RMPP_VERSION);
        SaHeader.RMPP_VERSION.write(mad, 0, 1);
        SaHeader.RMPP_TYPE.write(mad, 0, 5);
        assertThat(take(assembly)).isEqualTo(MadVerdict.RMPP_TYPE);
        SaHeader.RMPP_TYPE.write(mad, 0, Rmpp.ACKNOWLEDGE);
        assertThat(take(assembly)).isEqualTo(MadVerdict.RMPP_TYPE);
        SaHeader.RMPP_FLAGS.write(mad, 0, 0);
        assertThat(take(assembly)).isEqualTo(MadVerdict.RMPP_INACTIVE);
        assertThat(assembly.last()).isZero();
    }

    @Test
    void takesNoMoreThanItWasAllowed() {
        MemorySegment records = records(new SplittableRandom(3), 4);
        RmppAssembly assembly = assembly(3 * RECORD);

        for (int number = 1; number <= 1; number++) {
            Rmpp.segment(head, records, number, mad, 0);
            assertThat(take(assembly)).isEqualTo(MadVerdict.OK);
        }
        Rmpp.segment(head, records, 2, mad, 0);
        assertThat(take(assembly)).isEqualTo(MadVerdict.TOO_LONG);
        assertThat(assembly.isComplete()).isFalse();
        assertThatThrownBy(() -> assembly.record(0)).isInstanceOf(WireException.class);
    }

    @Test
    void refusesALastSegmentWhoseLengthIsNotItsOwn() {
        MemorySegment records = records(new SplittableRandom(4), 1);
        for (long length : new long[] {0, 19, 221, 0xFFFF_FFFFL}) {
            Rmpp.segment(head, records, 1, mad, 0);
            SaHeader.PAYLOAD_LENGTH.write(mad, 0, length);
            assertThat(take(assembly(1 << 16))).isEqualTo(MadVerdict.PAYLOAD_LENGTH);
        }
        Rmpp.segment(head, records, 1, mad, 0);
        SaHeader.ATTRIBUTE_OFFSET.write(mad, 0, 0);
        assertThat(take(assembly(1 << 16))).isEqualTo(MadVerdict.RECORD_LENGTH);
        SaHeader.ATTRIBUTE_OFFSET.write(mad, 0, 15);
        assertThat(take(assembly(1 << 16))).isEqualTo(MadVerdict.RECORD_LENGTH);
    }

    @Test
    void acknowledgesWithTheWindow() {
        Rmpp.segment(head, records(new SplittableRandom(5), 4), 2, mad, 0);
        MemorySegment answer = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);

        Rmpp.acknowledge(mad, 0, 2, 7, answer, 0);

        assertThat(Rmpp.check(answer, 0, 256)).isEqualTo(MadVerdict.OK);
        assertThat(Mad.transactionId(answer, 0)).isEqualTo(TRANSACTION);
        assertThat(SaHeader.RMPP_TYPE.read(answer, 0)).isEqualTo(Rmpp.ACKNOWLEDGE);
        assertThat(SaHeader.SEGMENT_NUMBER.read(answer, 0)).isEqualTo(2);
        assertThat(SaHeader.PAYLOAD_LENGTH.read(answer, 0)).isEqualTo(7);
        Rmpp.abort(mad, 0, Rmpp.ABORT_TOO_LONG, answer, 0);
        assertThat(SaHeader.RMPP_TYPE.read(answer, 0)).isEqualTo(Rmpp.ABORT);
        assertThat(SaHeader.RMPP_STATUS.read(answer, 0)).isEqualTo(118);
    }

    /// Bytes that differ in a few places from good ones reach further than random ones.
    @Test
    void everyDatagramEndsInAVerdict() {
        SplittableRandom random = Seed.forTest("rmpp hostile", 0xBAD).random();
        Map<MadVerdict, Integer> reached = new EnumMap<>(MadVerdict.class);
        for (long round = 0; round < Seed.campaign(20_000); round++) {
            MemorySegment records = records(random, random.nextInt(8));
            RmppAssembly assembly = assembly(700);
            int segments = Rmpp.segments(records.byteSize());
            for (int number = 1; number <= segments; number++) {
                Rmpp.segment(head, records, number, mad, 0);
                for (int i = random.nextInt(3); i > 0; i--) {
                    BigEndian.put8(mad, random.nextInt(SaHeader.DATA), random.nextInt(256));
                }
                int size = random.nextInt(50) == 0 ? random.nextInt(300) : Mad.LENGTH_TOTAL;
                MadVerdict verdict = assembly.take(mad, 0, size);
                reached.merge(verdict, 1, Integer::sum);
                assertThat(assembly.last()).isLessThanOrEqualTo(number);
            }
            for (int i = 0; i < (assembly.isComplete() ? assembly.records() : 0); i++) {
                assertThat(assembly.record(i).byteSize()).isEqualTo(assembly.recordLength());
            }
        }
        Set<MadVerdict> all = EnumSet.allOf(MadVerdict.class);
        // That one is about routes.
        all.remove(MadVerdict.HOPS);
        assertThat(reached.keySet()).isEqualTo(all);
    }

    @Test
    void knowsRecordsByTheirNumbers() {
        assertThat(SaRecord.of(0x35)).contains(SaRecord.PATH);
        assertThat(SaRecord.of(0x99)).isEmpty();
        for (SaRecord record : SaRecord.values()) {
            assertThat(record.bytes() % 8).as("%s", record).isZero();
            assertThat(record.attributeAt()).isLessThan(record.bytes());
        }
    }
}
