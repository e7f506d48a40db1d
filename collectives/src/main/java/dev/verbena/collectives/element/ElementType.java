package dev.verbena.collectives.element;

import java.util.Locale;

/// Types of elements in memory, in the byte order of the machine.
public enum ElementType {
    FLOAT64(8, "double"),
    FLOAT32(4, "float"),
    /// IEEE 754 binary16. Each addition is rounded to it.
    FLOAT16(2, "half"),
    /// The upper half of a FLOAT32. Each addition is rounded to it, ties to even.
    BFLOAT16(2, "bfloat16"),
    INT64(8, "int64"),
    INT32(4, "int32");

    private final int bytes;
    private final String text;

    ElementType(int bytes, String text) {
        this.bytes = bytes;
        this.text = text;
    }

    /// Bytes of an element.
    public int bytes() {
        return bytes;
    }

    /// As nccl-tests calls it.
    @Override
    public String toString() {
        return text;
    }

    /// The name in small letters, `float32`, as programs have it in options.
    public String option() {
        return name().toLowerCase(Locale.ROOT);
    }
}
