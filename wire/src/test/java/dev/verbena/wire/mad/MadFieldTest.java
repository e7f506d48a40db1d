package dev.verbena.wire.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.Seed;
import dev.verbena.wire.WireException;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Fields of attributes, in their places and in no others.
class MadFieldTest {
    private static final int AT = 3;

    /// An attribute, its fields, and its length.
    record Attribute(String name, List<MadField> fields, int length) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Attribute> attributes() {
        return List.of(
                of(NodeInfo.values(), NodeInfo.LENGTH),
                of(SwitchInfo.values(), SwitchInfo.LENGTH),
                of(PortInfo.values(), PortInfo.LENGTH),
                of(SmInfo.values(), SmInfo.LENGTH),
                of(Notice.values(), Notice.LENGTH),
                of(ClassPortInfo.values(), ClassPortInfo.LENGTH),
                of(PortCounters.values(), PortCounters.LENGTH),
                of(PortCountersExtended.values(), PortCountersExtended.LENGTH),
                of(SaHeader.values(), SaHeader.LENGTH),
                of(PathRecord.values(), PathRecord.LENGTH),
                of(McMemberRecord.values(), McMemberRecord.LENGTH),
                of(ServiceRecord.values(), ServiceRecord.LENGTH),
                of(InformInfo.values(), InformInfo.LENGTH),
                of(LinkRecord.values(), LinkRecord.LENGTH),
                of(DirectedRoute.values(), DirectedRoute.LENGTH));
    }

    private static Attribute of(MadField[] fields, int length) {
        return new Attribute(fields[0].getClass().getSimpleName(), List.of(fields), length);
    }

    @ParameterizedTest
    @MethodSource("attributes")
    void haveNoBitInCommonAndEndInTime(Attribute attribute) {
        BitSet seen = new BitSet();
        for (MadField field : attribute.fields()) {
            BitSet own = new BitSet();
            own.set(field.bit(), field.bit() + field.width());
            assertThat(seen.intersects(own)).as("%s %s", attribute, field).isFalse();
            seen.or(own);
        }
        assertThat(seen.length()).isLessThanOrEqualTo(attribute.length() * 8);
    }

    @ParameterizedTest
    @MethodSource("attributes")
    void areReadAsTheyWereWrittenAndLeaveTheOthers(Attribute attribute) {
        SplittableRandom random = Seed.forTest(attribute + " fields", 0xF1E1D).random();
        byte[] bytes = new byte[AT + attribute.length() + 5];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        for (long round = 0; round < Seed.campaign(200); round++) {
            random.nextBytes(bytes);
            for (MadField field : attribute.fields()) {
                long before = outside(bytes, field);
                long value = random.nextLong() >>> (64 - field.width());
                field.write(segment, AT, value);

                assertThat(field.read(segment, AT)).as("%s", field).isEqualTo(value);
                assertThat(outside(bytes, field)).as("%s", field).isEqualTo(before);
                assertThat(plain(bytes, field)).as("%s", field).isEqualTo(value);
            }
        }
    }

    /// A field bit by bit, in the order in which the specification counts.
    private static long plain(byte[] bytes, MadField field) {
        long value = 0;
        for (int bit = field.bit(); bit < field.bit() + field.width(); bit++) {
            value = value << 1 | (bytes[AT + bit / 8] >> (7 - bit % 8) & 1);
        }
        return value;
    }

    private static long outside(byte[] bytes, MadField field) {
        long hash = 7;
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            int inside = bit - 8 * AT - field.bit();
            if (inside < 0 || inside >= field.width()) {
                hash = hash * 31 + (bytes[bit / 8] >> (7 - bit % 8) & 1);
            }
        }
        return hash;
    }

    @Test
    void refuseAValueWithTooManyBits() {
        MemorySegment segment = MemorySegment.ofArray(new byte[PortInfo.LENGTH]);

        assertThatThrownBy(() -> PortInfo.LMC.write(segment, 0, 8))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("LMC 0x8 does not fit 3 bits");
        assertThatThrownBy(() -> PortInfo.LID.write(segment, 0, -1))
                .isInstanceOf(WireException.class);
        assertThat(PortInfo.LMC.read(segment, 0)).isZero();
    }

    @ParameterizedTest
    @MethodSource("attributes")
    void beginWhereTheirBitsFit(Attribute attribute) {
        for (MadField field : attribute.fields()) {
            assertThat(field.width() <= 56 || field.bit() % 8 == 0).as("%s", field).isTrue();
        }
    }
}
