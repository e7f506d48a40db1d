package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.BenchException;
import dev.verbena.benchmarks.results.Command;
import dev.verbena.benchmarks.results.Values;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Ours: `verbena coll all_reduce` with a rank at each end, joined by environment.
final class VerbenaRanks implements AllReduceProgram {
    static final String DEFAULT = "Verbena, default";
    static final String CALLER = "Verbena, caller mode";

    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final int PORT = 29_517;

    /// Both ends spin on few processors, and the compiler must find its time between them.
    private static final String WARM_UP_MS = "8000";

    /// Columns of the table: size, count, type, operation, root, time, two rates, wrong elements.
    private static final int TIME = 5;

    private static final int WRONG = 8;

    private final Path command;
    private final String name;
    private final String query;

    VerbenaRanks(Path root, boolean isCaller) {
        command = root.resolve("bin/verbena");
        name = isCaller ? CALLER : DEFAULT;
        query = isCaller ? "?progress=caller" : "";
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Map<Long, Double> run(AllReduceGroup group, WireEnds place) {
        List<String> other = place.right().words(words(group, place.right()));
        List<String> first = place.left().words(words(group, place.left()));
        try (Command right = Command.start(environment(1, place), other)) {
            String printed = Command.run(LIMIT, environment(0, place), first);
            right.finish(LIMIT);
            return times(printed);
        }
    }

    private static Map<String, String> environment(int rank, WireEnds place) {
        return Map.of(
                "RANK",
                "" + rank,
                "WORLD_SIZE",
                "2",
                "MASTER_ADDR",
                place.left().address(),
                "MASTER_PORT",
                "" + PORT);
    }

    private List<String> words(AllReduceGroup group, WireEnds.Host host) {
        List<String> words = new ArrayList<>(List.of(command.toString(), "coll", "all_reduce"));
        words.addAll(List.of("-b", "" + group.first(), "-e", "" + group.last()));
        words.addAll(List.of("-f", "" + group.factor(), "-w", "" + group.warmup()));
        words.addAll(List.of("-n", "" + group.iterations(), "--warm_up_ms", WARM_UP_MS));
        words.addAll(List.of("--device", "roce://" + host.address() + query));
        return words;
    }

    /// The times out of place, from the table.
    static Map<Long, Double> times(String table) {
        Map<Long, Double> times = new LinkedHashMap<>();
        for (String line : table.lines().toList()) {
            String[] cells = line.strip().split("\\s+", -1);
            if (line.startsWith("#") || cells.length <= WRONG) {
                continue;
            }
            if (!cells[WRONG].equals("0")) {
                throw new BenchException("wrong elements: " + line.strip());
            }
            times.put(Long.parseLong(cells[0]), Double.parseDouble(cells[TIME]));
        }
        if (times.isEmpty()) {
            throw new BenchException("no table in: " + Values.shortened(table));
        }
        return times;
    }
}
