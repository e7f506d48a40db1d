package dev.verbena.ibverbs.driver;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;

/// The layout of a structure of C on 64-bit Linux, made from its declaration.
///
/// A field is written as `u32 name`, with the types `u8`, `u16`, `u32`, `u64` and `ptr`, or as `u8
/// name[16]`. `@40` continues at offset 40, for the members of a union.
final class CStruct {
    private record Field(long offset, int bytes) {}

    /// All memory: structures lie wherever the caller has them.
    @SuppressWarnings("restricted")
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private final String name;
    private final Map<String, Field> fields = new HashMap<>();
    private final long size;

    CStruct(String name, String... declarations) {
        this.name = name;
        long at = 0;
        long end = 0;
        int alignment = 1;
        for (String declaration : declarations) {
            if (declaration.startsWith("@")) {
                at = Long.parseLong(declaration.substring(1));
                continue;
            }
            String[] words = declaration.split(" ", 2);
            int bytes = words[0].equals("ptr") ? 8 : Integer.parseInt(words[0].substring(1)) / 8;
            int bracket = words[1].indexOf('[');
            int count =
                    bracket < 0
                            ? 1
                            : Integer.parseInt(
                                    words[1].substring(bracket + 1, words[1].length() - 1));
            at = (at + bytes - 1) / bytes * bytes;
            fields.put(
                    bracket < 0 ? words[1] : words[1].substring(0, bracket), new Field(at, bytes));
            at += (long) bytes * count;
            end = Math.max(end, at);
            alignment = Math.max(alignment, bytes);
        }
        size = (end + alignment - 1) / alignment * alignment;
    }

    long size() {
        return size;
    }

    long offset(String field) {
        return field(field).offset;
    }

    private Field field(String title) {
        Field field = fields.get(title);
        if (field == null) {
            throw new AssertionError(name + " has no field " + title);
        }
        return field;
    }

    /// The value of a field of the structure at an address, without a sign.
    long get(long address, String title) {
        Field field = field(title);
        long at = address + field.offset;
        return switch (field.bytes) {
            case 1 -> ALL.get(ValueLayout.JAVA_BYTE, at) & 0xFFL;
            case 2 -> ALL.get(ValueLayout.JAVA_SHORT_UNALIGNED, at) & 0xFFFFL;
            case 4 -> ALL.get(ValueLayout.JAVA_INT_UNALIGNED, at) & 0xFFFF_FFFFL;
            default -> ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
        };
    }

    int getInt(long address, String title) {
        return (int) get(address, title);
    }

    void put(long address, String title, long value) {
        Field field = field(title);
        long at = address + field.offset;
        switch (field.bytes) {
            case 1 -> ALL.set(ValueLayout.JAVA_BYTE, at, (byte) value);
            case 2 -> ALL.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) value);
            case 4 -> ALL.set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) value);
            default -> ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, at, value);
        }
    }

    /// Memory by address.
    static MemorySegment memory(long address, long bytes) {
        return ALL.asSlice(address, bytes);
    }

    static long getLong(long address) {
        return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
    }

    static void putLong(long address, long value) {
        ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
    }

    static void putInt(long address, int value) {
        ALL.set(ValueLayout.JAVA_INT_UNALIGNED, address, value);
    }
}
