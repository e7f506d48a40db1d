package dev.verbena.benchmarks.fabric;

import dev.verbena.fabric.Flow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// uet-htsim's `htsim_roce`, which must have been built elsewhere.
final class Htsim {
    private static final Pattern FINISHED = Pattern.compile("finished at ([0-9.]+)");
    private static final long LIMIT_MINUTES = 30;

    private final Path program;
    private final Path directory;

    Htsim(Path program, Path directory) {
        this.program = program;
        this.directory = directory;
    }

    /// What one run showed.
    record Outcome(double wallS, List<Double> timesUs, long memoryMib) {}

    Outcome run(Scenario scenario) throws IOException, InterruptedException {
        return run(scenario, scenario.endUs());
    }

    /// Reading, building, and nothing else.
    double setUpS(Scenario scenario) throws IOException, InterruptedException {
        return run(scenario, 1).wallS;
    }

    private Outcome run(Scenario scenario, int endUs) throws IOException, InterruptedException {
        Path matrix = directory.resolve("flows.cm");
        Files.write(matrix, matrix(scenario));
        Path output = directory.resolve("htsim.log");
        List<String> words = new ArrayList<>(List.of(program.toString(), "-tm", matrix.toString()));
        words.addAll(List.of("-nodes", "" + scenario.hosts(), "-linkspeed", "400000"));
        words.addAll(List.of("-mtu", "4096", "-hop_latency", "0.5", "-switch_latency", "0.5"));
        words.addAll(List.of("-pfc_thresholds", "100", "120", "-q", "1000"));
        words.addAll(List.of("-strat", "ecmp_host", "-paths", "" + scenario.paths()));
        words.addAll(List.of("-end", "" + endUs));
        long startNs = System.nanoTime();
        Process process =
                new ProcessBuilder(words)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        long memoryMib = Peak.await(process, LIMIT_MINUTES);
        double wallS = (System.nanoTime() - startNs) / 1e9;
        List<Double> times = new ArrayList<>();
        for (String line : Files.readAllLines(output)) {
            Matcher matcher = FINISHED.matcher(line);
            if (matcher.find()) {
                times.add(Double.parseDouble(matcher.group(1)));
            }
        }
        return new Outcome(wallS, times.stream().sorted().toList(), memoryMib);
    }

    private static List<String> matrix(Scenario scenario) {
        List<String> lines = new ArrayList<>();
        lines.add("Nodes " + scenario.hosts());
        lines.add("Connections " + scenario.flows().size());
        for (int i = 0; i < scenario.flows().size(); i++) {
            Flow flow = scenario.flows().get(i);
            lines.add(
                    "%d->%d id %d start 0 size %d"
                            .formatted(flow.source(), flow.destination(), i + 1, flow.bytes()));
        }
        return lines;
    }
}
