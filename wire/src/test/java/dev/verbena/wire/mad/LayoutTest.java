package dev.verbena.wire.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.Seed;
import dev.verbena.wire.Payload;
import dev.verbena.wire.WireException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every format against its table, bit by bit.
class LayoutTest {
    static List<Layout> layouts() {
        return Layouts.all();
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void namesExactlyTheFieldsOfTheTable(Layout layout) {
        Record zero = layout.read(new byte[layout.length()]);

        assertThat(RecordFields.names(zero.getClass()))
                .containsExactlyInAnyOrderElementsOf(layout.fields().keySet());
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void changesExactlyTheBitsOfTheFieldThatIsSet(Layout layout) {
        Record zero = layout.read(new byte[layout.length()]);
        byte[] before = layout.write(zero);
        System.out.println(layout);
        layout.fields()
                .forEach(
                        (field, bits) -> {
                            Class<?> type = RecordFields.type(zero.getClass(), field);
                            Object ones = RecordFields.ones(type, bits.cardinality());
                            byte[] after = layout.write(RecordFields.with(zero, field, ones));
                            BitSet changed = Layout.difference(before, after);
                            System.out.println("  " + field + " " + runs(changed));
                            assertThat(changed).as("%s %s", layout, field).isEqualTo(bits);
                        });
    }

    /// All ones cannot tell the pieces or the bits of a field apart; single bits can.
    @ParameterizedTest
    @MethodSource("layouts")
    void keepsTheOrderOfBitsInAField(Layout layout) {
        Record zero = layout.read(new byte[layout.length()]);
        byte[] before = layout.write(zero);
        layout.fields()
                .forEach(
                        (field, bits) -> {
                            Class<?> type = RecordFields.type(zero.getClass(), field);
                            int width = bits.cardinality();
                            int[] places = bits.stream().toArray();
                            // The order of a split field is that of its pieces, here by place too.
                            for (int bit = 0; bit < width && type.isPrimitive(); bit++) {
                                Object value = single(type, width - 1 - bit);
                                byte[] after = layout.write(RecordFields.with(zero, field, value));
                                assertThat(Layout.difference(before, after).stream().toArray())
                                        .as("%s %s bit %d", layout, field, bit)
                                        .containsExactly(places[bit]);
                            }
                        });
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void refusesAValueOneBitTooLarge(Layout layout) {
        Record zero = layout.read(new byte[layout.length()]);
        layout.fields()
                .forEach(
                        (field, bits) -> {
                            Class<?> type = RecordFields.type(zero.getClass(), field);
                            int width = bits.cardinality();
                            if (type == int.class && width < 32) {
                                refuses(zero, field, 1 << width);
                                refuses(zero, field, -1);
                            } else if (type == Payload.class) {
                                refuses(zero, field, Payload.of(new byte[width / 8 + 1]));
                            }
                        });
    }

    private static void refuses(Record zero, String field, Object value) {
        assertThatThrownBy(() -> RecordFields.with(zero, field, value))
                .as("%s %s", zero.getClass().getSimpleName(), field)
                .isInstanceOf(WireException.class)
                .hasMessageContaining("does not fit");
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void keepsAllOnesAndAllZerosOutsideReservedPlaces(Layout layout) {
        byte[] zeros = new byte[layout.length()];
        byte[] ones = new byte[layout.length()];
        Arrays.fill(ones, (byte) 0xFF);

        survives(layout, zeros);
        survives(layout, ones);
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void readsAnyBytesAndWritesTheirFieldsBack(Layout layout) {
        SplittableRandom random = Seed.forTest(layout + " reads any bytes", 0x3AD).random();
        byte[] bytes = new byte[layout.length()];
        for (long round = 0; round < Seed.campaign(2_000); round++) {
            random.nextBytes(bytes);
            survives(layout, bytes);
        }
    }

    private static void survives(Layout layout, byte[] bytes) {
        Record value = layout.read(bytes);
        byte[] written = layout.write(value);
        assertThat(written).isEqualTo(layout.withoutReserved(bytes));
        assertThat(layout.read(written)).isEqualTo(value).hasSameHashCodeAs(value);
    }

    private static Object single(Class<?> type, int shift) {
        if (type == boolean.class) {
            return true;
        }
        if (type == long.class) {
            return 1L << shift;
        }
        return 1 << shift;
    }

    private static String runs(BitSet bits) {
        StringBuilder text = new StringBuilder();
        for (int from = bits.nextSetBit(0); from >= 0; from = bits.nextSetBit(from)) {
            int to = bits.nextClearBit(from);
            text.append("%d.%d:%d ".formatted(from / 8, from % 8, to - from));
            from = to;
        }
        return text.toString().strip();
    }
}
