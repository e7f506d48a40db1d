package dev.verbena.interop;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Compares the frames of one capture with what tshark printed of them.
final class Comparison {
    private final Set<String> fields;
    private final List<String> differences = new ArrayList<>();
    private final Map<KnownFault, Integer> faults = new EnumMap<>(KnownFault.class);
    private int malformed;
    private int compared;

    private Comparison(Set<String> fields) {
        this.fields = fields;
    }

    /// Every field that some frame of the capture has; of the others it must not be printed.
    static Set<String> fields(List<Frame> frames) {
        Set<String> fields = new LinkedHashSet<>();
        frames.forEach(frame -> fields.addAll(frame.expect().names()));
        return fields;
    }

    static Report of(
            String version,
            String capture,
            List<Frame> frames,
            List<Map<String, List<String>>> printed) {
        Comparison comparison = new Comparison(fields(frames));
        if (frames.size() != printed.size()) {
            comparison.differences.add(
                    "tshark sees %d frames of %d".formatted(printed.size(), frames.size()));
        }
        for (int i = 0; i < Math.min(frames.size(), printed.size()); i++) {
            comparison.add(i + 1, frames.get(i), printed.get(i));
        }
        return new Report(
                version,
                capture,
                frames.size(),
                comparison.malformed,
                comparison.compared,
                List.copyOf(comparison.differences),
                comparison.faults);
    }

    private void add(int number, Frame frame, Map<String, List<String>> row) {
        if (row.containsKey(Tshark.MALFORMED)) {
            malformed++;
            String words = "frame %d, %s, is malformed".formatted(number, frame.title());
            explain(KnownFault.ofMalformed(frame), words);
        }
        for (String name : fields) {
            List<String> printed = row.getOrDefault(name, List.of());
            Optional<Expect.Field> field = frame.expect().field(name);
            List<String> expected = field.map(Expect.Field::values).orElse(List.of());
            boolean counts = field.isPresent() && !(field.get().optional() && printed.isEmpty());
            compared += counts ? 1 : 0;
            if (!field.map(known -> known.agrees(printed)).orElse(printed.isEmpty())) {
                String words =
                        "frame %d, %s: %s is %s, tshark prints %s"
                                .formatted(number, frame.title(), name, expected, printed);
                explain(KnownFault.of(frame, name, printed), words);
            }
        }
    }

    private void explain(Optional<KnownFault> fault, String words) {
        fault.ifPresentOrElse(
                known -> faults.merge(known, 1, Integer::sum), () -> differences.add(words));
    }
}
