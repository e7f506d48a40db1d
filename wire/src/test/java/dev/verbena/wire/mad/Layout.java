package dev.verbena.wire.mad;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What a format is said to look like, in a table apart from the code that reads and writes it.
///
/// A line of the table is a field and where it lies: `byte:width` or `byte.bit:width`, bits counted
/// from the most significant one; a field in pieces has several, high bits first; a reserved place
/// has the name `-`.
record Layout(
        String name, int from, int length, int firstByte, Parse parse, Emit emit, String table) {
    interface Parse {
        Record at(MemorySegment segment, long at);
    }

    interface Emit {
        void at(Record value, MemorySegment segment, long at);
    }

    /// Where tests put a format: neither at the start of a segment nor aligned.
    static final int AT = 7;

    private static final byte UNTOUCHED = 0x5A;

    @Override
    public String toString() {
        return name;
    }

    /// The bits of each field; fails when a bit is named twice or not at all.
    Map<String, BitSet> fields() {
        Map<String, BitSet> fields = new LinkedHashMap<>();
        BitSet seen = new BitSet();
        for (String line : table.lines().toList()) {
            List<String> words = List.of(line.strip().split(" +", -1));
            BitSet bits = new BitSet();
            for (String place : words.subList(1, words.size())) {
                bits.or(bits(place));
            }
            assertThat(seen.intersects(bits)).as("%s overlaps: %s", name, line).isFalse();
            seen.or(bits);
            if (!words.getFirst().equals("-")) {
                fields.put(words.getFirst(), bits);
            }
        }
        assertThat(seen.cardinality()).as("%s covers all bits", name).isEqualTo(length * 8);
        assertThat(seen.length()).as("%s ends in time", name).isEqualTo(length * 8);
        return fields;
    }

    private static BitSet bits(String place) {
        String[] parts = place.split("[.:]", -1);
        int start = Integer.parseInt(parts[0]) * 8;
        if (parts.length == 3) {
            start += Integer.parseInt(parts[1]);
        }
        BitSet bits = new BitSet();
        bits.set(start, start + Integer.parseInt(parts[parts.length - 1]));
        return bits;
    }

    Record read(byte[] bytes) {
        byte[] around = new byte[AT + from + length];
        System.arraycopy(bytes, 0, around, AT + from, length);
        return parse.at(MemorySegment.ofArray(around), AT);
    }

    /// Emits into bytes of another value, and checks that all of the format's are written and no
    /// others.
    byte[] write(Record value) {
        byte[] around = new byte[AT + from + length + 9];
        Arrays.fill(around, UNTOUCHED);
        emit.at(value, MemorySegment.ofArray(around), AT);
        byte[] written = Arrays.copyOfRange(around, AT + from, AT + from + length);

        Arrays.fill(around, AT + from, AT + from + length, UNTOUCHED);
        assertThat(around).as("%s stays in its bounds", name).containsOnly(UNTOUCHED);
        return written;
    }

    /// What is left of bytes that were read and written again: fields, but nothing reserved.
    byte[] withoutReserved(byte[] bytes) {
        BitSet mask = new BitSet();
        fields().values().forEach(mask::or);
        byte[] left = new byte[length];
        for (int bit = mask.nextSetBit(0); bit >= 0; bit = mask.nextSetBit(bit + 1)) {
            left[bit / 8] |= (byte) (bytes[bit / 8] & (0x80 >>> (bit % 8)));
        }
        left[0] |= (byte) firstByte;
        return left;
    }

    /// The bits in which two images differ.
    static BitSet difference(byte[] one, byte[] other) {
        BitSet bits = new BitSet();
        for (int bit = 0; bit < one.length * 8; bit++) {
            bits.set(bit, ((one[bit / 8] ^ other[bit / 8]) & (0x80 >>> (bit % 8))) != 0);
        }
        return bits;
    }
}
