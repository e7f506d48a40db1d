package dev.verbena.benchmarks.results;

import java.util.Locale;

/// One line of the log: a figure, or a word about what was measured.
public sealed interface Entry {
    String place();

    /// A line of JSON.
    String json();

    /// What one run of a program gave.
    record Figure(String place, String subject, String who, double value, String unit)
            implements Entry {
        @Override
        public String json() {
            return String.format(
                    Locale.ROOT,
                    "{\"figure\": %s, \"place\": %s, \"who\": %s, \"value\": %.6f, \"unit\": %s}",
                    Values.quoted(subject),
                    Values.quoted(place),
                    Values.quoted(who),
                    value,
                    Values.quoted(unit));
        }
    }

    /// Something a reader of the figures should know, such as the machine, or what failed.
    record Note(String place, String topic, String text) implements Entry {
        /// What machine it was, and how it was kept; one of these tells each property.
        public static final String MACHINE = "machine: ";

        boolean isOfMachine() {
            return topic.startsWith(MACHINE);
        }

        @Override
        public String json() {
            return "{\"note\": %s, \"place\": %s, \"text\": %s}"
                    .formatted(Values.quoted(topic), Values.quoted(place), Values.quoted(text));
        }
    }

    static Entry parse(String line) {
        String place = Values.word(line, "place");
        if (line.startsWith("{\"note\"")) {
            return new Note(place, Values.word(line, "note"), Values.word(line, "text"));
        }
        return new Figure(
                place,
                Values.word(line, "figure"),
                Values.word(line, "who"),
                Values.number(line, "value"),
                Values.word(line, "unit"));
    }
}
