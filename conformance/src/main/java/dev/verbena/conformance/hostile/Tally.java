package dev.verbena.conformance.hostile;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/// How often each thing was done, and how often it was refused.
final class Tally {
    private record Row(LongAdder done, LongAdder refused) {}

    private final Map<Act, Row> rows = new EnumMap<>(Act.class);

    Tally() {
        for (Act act : Act.values()) {
            rows.put(act, new Row(new LongAdder(), new LongAdder()));
        }
    }

    void done(Act act) {
        row(act).done.increment();
    }

    void refused(Act act) {
        row(act).refused.increment();
    }

    private Row row(Act act) {
        Row row = rows.get(act);
        if (row == null) {
            throw new AssertionError("every action has a row");
        }
        return row;
    }

    /// Those that were never done: a campaign without them shows nothing about them.
    List<Act> missing() {
        return rows.entrySet().stream()
                .filter(it -> it.getValue().done.sum() == 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    @Override
    public String toString() {
        StringBuilder table = new StringBuilder("action                  done    refused\n");
        rows.forEach(
                (act, row) ->
                        table.append(
                                "%-18s %,10d %,10d%n"
                                        .formatted(
                                                act.name()
                                                        .toLowerCase(Locale.ROOT)
                                                        .replace('_', ' '),
                                                row.done.sum(),
                                                row.refused.sum())));
        return table.toString();
    }
}
