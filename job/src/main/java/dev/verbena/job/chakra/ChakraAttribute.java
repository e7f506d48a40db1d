package dev.verbena.job.chakra;

import dev.verbena.job.chakra.ProtoMessage.MalformedException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An attribute of a node: a name, and a whole number or a text. Values of other kinds are skipped.
///
/// @param text null for a number
record ChakraAttribute(String name, long number, @Nullable String text, boolean isKnown) {
    private static final int STRING = 29;

    /// int32, int64, uint32, uint64, and bool.
    private static final Set<Integer> NUMBERS = Set.of(7, 9, 11, 13, 27);

    /// sint32 and sint64, whose sign is in the last bit.
    private static final Set<Integer> SIGNED = Set.of(15, 17);

    /// fixed32, fixed64, sfixed32, sfixed64.
    private static final Set<Integer> FIXED = Set.of(19, 21, 23, 25);

    static ChakraAttribute read(ProtoMessage message) throws MalformedException {
        String name = "";
        String text = null;
        long number = 0;
        boolean isKnown = false;
        while (message.next()) {
            int field = message.field();
            if (field == 1) {
                name = message.text();
            } else if (field == STRING) {
                text = message.text();
                isKnown = true;
            } else if (NUMBERS.contains(field) || FIXED.contains(field)) {
                number = message.number();
                isKnown = true;
            } else if (SIGNED.contains(field)) {
                long value = message.number();
                number = (value >>> 1) ^ -(value & 1);
                isKnown = true;
            } else {
                message.skip();
            }
        }
        return new ChakraAttribute(name, number, text, isKnown);
    }

    /// The value as a text, also where it is a number.
    String value() {
        return text == null ? Long.toString(number) : text;
    }
}
