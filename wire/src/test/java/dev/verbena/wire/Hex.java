package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;

/// Hexadecimal text with spaces, as fact sheets print it.
final class Hex {
    private Hex() {}

    static byte[] bytes(String text) {
        return HexFormat.of().parseHex(text.replaceAll("\\s", ""));
    }

    static MemorySegment segment(String text) {
        return MemorySegment.ofArray(bytes(text));
    }
}
