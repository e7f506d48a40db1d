package dev.verbena.subnet.admin;

import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.SaRecord;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Counts questions by attribute and method. What a sender may choose freely falls under "other",
/// so that the kinds stay few.
public final class Questions {
    /// A kind of question.
    ///
    /// @param attribute such as `path`
    /// @param method such as `get_table`
    public record Kind(String attribute, String method) {}

    private static final int ATTRIBUTES = 0x100;
    private static final String OTHER = "other";
    private static final int OTHER_METHOD = 4;

    private final long[][] counts = new long[ATTRIBUTES][OTHER_METHOD + 1];

    Questions() {}

    void count(int attribute, int method) {
        counts[attribute < ATTRIBUTES ? attribute : 0][place(method)]++;
    }

    private static int place(int method) {
        return switch (method) {
            case MadMethod.GET -> 0;
            case MadMethod.GET_TABLE -> 1;
            case MadMethod.SET -> 2;
            case MadMethod.DELETE -> 3;
            default -> OTHER_METHOD;
        };
    }

    Map<Kind, Long> all() {
        Map<Kind, Long> all = new HashMap<>();
        for (int attribute = 0; attribute < ATTRIBUTES; attribute++) {
            Optional<SaRecord> record = SaRecord.of(attribute);
            String name = record.map(it -> it.name().toLowerCase(Locale.ROOT)).orElse(OTHER);
            for (int method = 0; method <= OTHER_METHOD; method++) {
                if (counts[attribute][method] > 0) {
                    all.merge(new Kind(name, method(method)), counts[attribute][method], Long::sum);
                }
            }
        }
        return all;
    }

    private static String method(int place) {
        return switch (place) {
            case 0 -> "get";
            case 1 -> "get_table";
            case 2 -> "set";
            case 3 -> "delete";
            default -> OTHER;
        };
    }
}
