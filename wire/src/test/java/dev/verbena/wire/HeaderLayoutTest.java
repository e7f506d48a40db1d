package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Holds every header field against a table of bit positions written from the layouts of the
/// specification, not from the code: setting one field to all ones must change exactly its bits.
class HeaderLayoutTest {
    /// Type, field, first bit counted from the start of the header, width.
    private static final String LAYOUT =
            """
            Lrh virtualLane 0 4
            Lrh version 4 4
            Lrh serviceLevel 8 4
            Lrh nextHeader 14 2
            Lrh destLid 16 16
            Lrh lengthWords 37 11
            Lrh sourceLid 48 16
            Grh version 0 4
            Grh trafficClass 4 8
            Grh flowLabel 12 20
            Grh payloadLength 32 16
            Grh nextHeader 48 8
            Grh hopLimit 56 8
            Grh source 64 128
            Grh destination 192 128
            Bth opcode 0 8
            Bth solicited 8 1
            Bth migration 9 1
            Bth padCount 10 2
            Bth version 12 4
            Bth pkey 16 16
            Bth fecn 32 1
            Bth becn 33 1
            Bth destQp 40 24
            Bth ackRequest 64 1
            Bth psn 72 24
            Rdeth endToEndContext 8 24
            Deth qkey 0 32
            Deth sourceQp 40 24
            XrcEth sharedReceiveQueue 8 24
            Feth selectivity 26 2
            Feth placement 28 4
            SackEth start 8 24
            SackEth seen 40 24
            SackEth first 64 64
            SackEth second 128 64
            SackEth third 192 64
            SackEth fourth 256 64
            Reth address 0 64
            Reth rkey 64 32
            Reth lengthBytes 96 32
            AtomicEth address 0 64
            AtomicEth rkey 64 32
            AtomicEth swapOrAdd 96 64
            AtomicEth compare 160 64
            Aeth syndrome 0 8
            Aeth msn 8 24
            AtomicAckEth original 0 64
            ImmDt data 0 32
            Ieth rkey 0 32
            Ethernet destination 0 48
            Ethernet source 48 48
            Ethernet etherType 96 16
            Vlan priority 0 3
            Vlan dropEligible 3 1
            Vlan id 4 12
            Ipv4 trafficClass 8 8
            Ipv4 totalLength 16 16
            Ipv4 id 32 16
            Ipv4 fragment 48 16
            Ipv4 timeToLive 64 8
            Ipv4 protocol 72 8
            Ipv4 checksum 80 16
            Ipv4 source 96 32
            Ipv4 destination 128 32
            Ipv6 trafficClass 4 8
            Ipv6 flowLabel 12 20
            Ipv6 payloadLength 32 16
            Ipv6 nextHeader 48 8
            Ipv6 hopLimit 56 8
            Ipv6 source 64 128
            Ipv6 destination 192 128
            Udp sourcePort 0 16
            Udp destPort 16 16
            Udp lengthBytes 32 16
            Udp checksum 48 16
            Pause quanta 16 16
            Pfc enabled 24 8
            Pfc quanta0to3 32 64
            Pfc quanta4to7 96 64
            """;

    /// One line of the table.
    record Row(Class<?> type, String field, int bit, int width) {
        static Row parse(String line) {
            String[] words = line.split(" ", -1);
            try {
                return new Row(
                        Class.forName("dev.verbena.wire." + words[0]),
                        words[1],
                        Integer.parseInt(words[2]),
                        Integer.parseInt(words[3]));
            } catch (ClassNotFoundException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public String toString() {
            return type.getSimpleName() + "." + field;
        }
    }

    static Stream<Row> rows() {
        return LAYOUT.lines().map(Row::parse);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aFieldOfOnesChangesExactlyItsOwnBits(Row row) throws ReflectiveOperationException {
        byte[] zeros = emit(header(row, false));
        byte[] ones = emit(header(row, true));

        BitSet changed = new BitSet();
        for (int bit = 0; bit < 8 * zeros.length; bit++) {
            int difference = zeros[bit / 8] ^ ones[bit / 8];
            changed.set(bit, ((difference >> (7 - bit % 8)) & 1) != 0);
        }

        BitSet expected = new BitSet();
        expected.set(row.bit, row.bit + row.width);
        assertThat(changed).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aFieldOfOnesIsReadBackFromItsBits(Row row) throws ReflectiveOperationException {
        Object header = header(row, true);

        byte[] bytes = emit(header);
        Method parse = row.type.getDeclaredMethod("parse", MemorySegment.class, long.class);

        assertThat(parse.invoke(null, MemorySegment.ofArray(bytes), 0L)).isEqualTo(header);
    }

    /// IBA 7.7, 9.2 and others: a receiver ignores reserved bits, whatever they hold.
    @ParameterizedTest
    @MethodSource("rows")
    void reservedBitsNeverLeakIntoAField(Row row) throws ReflectiveOperationException {
        byte[] ones = new byte[64];
        Arrays.fill(ones, (byte) 0xFF);
        Method parse = row.type.getDeclaredMethod("parse", MemorySegment.class, long.class);
        Object header = parse.invoke(null, MemorySegment.ofArray(ones), 0L);

        RecordComponent field = component(row);
        assertThat(field.getAccessor().invoke(header)).isEqualTo(value(field.getType(), row.width));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void onesInAllOtherBitsLeaveAFieldZero(Row row) throws ReflectiveOperationException {
        byte[] bytes = new byte[64];
        Arrays.fill(bytes, (byte) 0xFF);
        for (int bit = row.bit; bit < row.bit + row.width; bit++) {
            bytes[bit / 8] &= (byte) ~(0x80 >> (bit % 8));
        }
        Method parse = row.type.getDeclaredMethod("parse", MemorySegment.class, long.class);
        Object header = parse.invoke(null, MemorySegment.ofArray(bytes), 0L);

        RecordComponent field = component(row);
        assertThat(field.getAccessor().invoke(header)).isEqualTo(value(field.getType(), 0));
    }

    @ParameterizedTest
    @MethodSource("narrow")
    void aValueOneBitTooWideForItsFieldIsRefused(Row row) {
        assertThatThrownBy(() -> header(row, 1L << row.width))
                .hasRootCauseInstanceOf(WireException.class)
                .rootCause()
                .hasMessageContaining("does not fit " + row.width + " bits");
    }

    /// Fields of numbers with fewer bits than their Java type.
    static Stream<Row> narrow() {
        return rows().filter(
                        row -> {
                            Class<?> type = component(row).getType();
                            return (type == int.class && row.width < Integer.SIZE)
                                    || (type == long.class && row.width < Long.SIZE);
                        });
    }

    private static RecordComponent component(Row row) {
        return Arrays.stream(row.type.getRecordComponents())
                .filter(part -> part.getName().equals(row.field))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theTableNamesEveryFieldOfEveryHeader() {
        Stream<Class<?>> types = rows().map(Row::type).distinct().<Class<?>>map(type -> type);
        Stream<String> fields =
                types.flatMap(
                        type ->
                                Arrays.stream(type.getRecordComponents())
                                        .map(part -> type.getSimpleName() + "." + part.getName()));

        assertThat(rows().map(Row::toString).toList())
                .containsAll(fields.filter(name -> !name.equals("Ethernet.vlan")).toList());
        assertThat(rows().map(row -> row.type.getSimpleName()).distinct().count()).isEqualTo(21);
    }

    private static Object header(Row row, boolean ones) throws ReflectiveOperationException {
        return header(row, value(component(row).getType(), ones ? row.width : 0));
    }

    private static Object header(Row row, long number) throws ReflectiveOperationException {
        Object value = component(row).getType() == int.class ? (Object) (int) number : number;
        return header(row, value);
    }

    private static Object header(Row row, Object value) throws ReflectiveOperationException {
        RecordComponent[] parts = row.type.getRecordComponents();
        Object[] values = new Object[parts.length];
        for (int i = 0; i < parts.length; i++) {
            boolean set = parts[i].getName().equals(row.field);
            values[i] = set ? value : value(parts[i].getType(), 0);
        }
        Class<?>[] types =
                Arrays.stream(parts).map(RecordComponent::getType).toArray(Class<?>[]::new);
        return row.type.getDeclaredConstructor(types).newInstance(values);
    }

    private static Object value(Class<?> type, int width) {
        long ones = width >= 64 ? -1 : (1L << width) - 1;
        if (type == int.class) {
            return (int) ones;
        }
        if (type == long.class) {
            return ones;
        }
        if (type == boolean.class) {
            return width > 0;
        }
        if (type == Gid.class) {
            return new Gid(ones, ones);
        }
        if (type == MacAddress.class) {
            return new MacAddress(ones);
        }
        assertThat(type).isEqualTo(Optional.class);
        return Optional.empty();
    }

    private static byte[] emit(Object header) throws ReflectiveOperationException {
        byte[] bytes = new byte[64];
        try {
            Method emit =
                    header.getClass().getDeclaredMethod("emit", MemorySegment.class, long.class);
            emit.invoke(header, MemorySegment.ofArray(bytes), 0L);
        } catch (InvocationTargetException e) {
            throw new AssertionError(e.getCause());
        }
        return bytes;
    }
}
