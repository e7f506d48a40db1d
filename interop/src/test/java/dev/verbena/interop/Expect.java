package dev.verbena.interop;

import dev.verbena.wire.Gid;
import dev.verbena.wire.WireException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What tshark must print of one frame: its fields by their display-filter names, in our values.
///
/// A field that is named twice is to be printed twice, in this order. A field that is not named is
/// not to be printed.
final class Expect {
    /// How a field is written, which differs between fields and between versions.
    enum Kind {
        /// Decimal or 0x…, or True and False.
        NUMBER,
        /// Hexadecimal digits, with or without colons.
        BYTES,
        /// An IPv6 address in one of its spellings.
        ADDRESS,
        /// Letters of either case.
        TEXT;

        String canonical(String printed) {
            String text = printed.toLowerCase(Locale.ROOT);
            return switch (this) {
                case NUMBER -> Long.toUnsignedString(number(text));
                case BYTES -> text.replace(":", "");
                case ADDRESS -> Gid.ofText(text).toString();
                case TEXT -> text;
            };
        }

        private static long number(String text) {
            return switch (text) {
                case "true" -> 1;
                case "false" -> 0;
                default ->
                        text.startsWith("0x")
                                ? Long.parseUnsignedLong(text, 2, text.length(), 16)
                                : Long.parseUnsignedLong(text);
            };
        }
    }

    /// One field and the values that it must have.
    ///
    /// @param repeated whether tshark may print the one value more than once
    /// @param optional whether tshark may leave the field out
    record Field(Kind kind, List<String> values, boolean repeated, boolean optional) {
        boolean agrees(List<String> printed) {
            if (printed.isEmpty() && optional) {
                return true;
            }
            List<String> canonical = canonical(printed);
            return values.equals(repeated ? canonical.stream().distinct().toList() : canonical);
        }

        private List<String> canonical(List<String> printed) {
            try {
                return printed.stream().map(kind::canonical).toList();
            } catch (NumberFormatException | WireException e) {
                // Not of this kind at all, so not what was expected either.
                return printed;
            }
        }
    }

    private final Map<String, Field> fields = new LinkedHashMap<>();

    Set<String> names() {
        return fields.keySet();
    }

    Optional<Field> field(String name) {
        return Optional.ofNullable(fields.get(name));
    }

    Expect number(String name, long value) {
        return add(name, Kind.NUMBER, Long.toUnsignedString(value), false, false);
    }

    /// A number of 32 bits, all of them its value.
    Expect word(String name, int value) {
        return number(name, Integer.toUnsignedLong(value));
    }

    Expect flag(String name, boolean value) {
        return number(name, value ? 1 : 0);
    }

    Expect bytes(String name, byte... value) {
        return add(name, Kind.BYTES, HexFormat.of().formatHex(value), false, false);
    }

    /// Bytes that tshark shows once for the header and once for its only field.
    Expect repeatedBytes(String name, byte... value) {
        return add(name, Kind.BYTES, HexFormat.of().formatHex(value), true, false);
    }

    /// Bytes that must be right if they are printed at all.
    Expect optionalBytes(String name, byte... value) {
        return add(name, Kind.BYTES, HexFormat.of().formatHex(value), false, true);
    }

    Expect address(String name, Gid value) {
        return add(name, Kind.ADDRESS, value.toString(), false, false);
    }

    /// An IPv4 address given as its 32 bits.
    Expect ipv4(String name, int value) {
        String text =
                "%d.%d.%d.%d"
                        .formatted(
                                value >>> 24,
                                (value >>> 16) & 0xFF,
                                (value >>> 8) & 0xFF,
                                value & 0xFF);
        return text(name, text);
    }

    Expect text(String name, String value) {
        return add(name, Kind.TEXT, value, false, false);
    }

    private Expect add(String name, Kind kind, String value, boolean repeated, boolean optional) {
        List<String> values = new ArrayList<>();
        field(name).ifPresent(known -> values.addAll(known.values()));
        values.add(value);
        fields.put(name, new Field(kind, List.copyOf(values), repeated, optional));
        return this;
    }

    /// The same expectation with one field changed to a single other value of its kind.
    Expect with(String name, String value) {
        Expect other = new Expect();
        other.fields.putAll(fields);
        Field field = field(name).orElseThrow();
        other.fields.put(
                name, new Field(field.kind(), List.of(value), field.repeated(), field.optional()));
        return other;
    }
}
