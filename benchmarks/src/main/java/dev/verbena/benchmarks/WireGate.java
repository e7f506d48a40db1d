package dev.verbena.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.openjdk.jmh.runner.RunnerException;

/// Runs the short selection of wire benchmarks in about a minute and a half, and fails when the
/// data path allocates.
///
/// Time is shown, not gated: on a shared machine it says too little. Figures are medians over
/// iterations; what is compared with each other takes turns, fork by fork, so that a busy moment
/// meets all of them.
public final class WireGate {
    /// What a benchmark may allocate per operation. It is not zero, because JMH counts all that the
    /// JVM allocates while an iteration runs; one object in a thousand packets is too much.
    static final double BYTES_MAX = 0.01;

    /// The share of the JDK's CRC-32 speed that an ICRC over 4 KiB is meant to reach.
    static final double RATIO_GOAL = 0.9;

    private static final int ROUNDS = 3;
    private static final String REFERENCE = "IcrcBenchmark.crc32";

    private final List<Measure> single = new ArrayList<>();
    private final List<Measure> inTurns = new ArrayList<>();

    private WireGate() {
        for (String memory : List.of("NATIVE", "HEAP")) {
            for (String name : List.of("parseTransport", "parseFrame", "emit")) {
                single.add(Measure.gated("HeaderBenchmark." + name, Map.of("memory", memory)));
            }
        }
        for (String name : List.of("writePcap", "writePcapng")) {
            single.add(Measure.gated("CaptureBenchmark." + name, Map.of("payload", "4096")));
        }
        single.add(Measure.shown("CaptureBenchmark.readPcapng", Map.of("payload", "4096")));
        for (String name : List.of("vcrc", "ipv4IdSolver")) {
            single.add(Measure.shown("ChecksumBenchmark." + name, Map.of("memory", "NATIVE")));
        }
        addIcrc("NATIVE", "4096", "crc32", "frame", "bare", "pieces");
        addIcrc("HEAP", "4096", "crc32", "frame", "bare");
        addIcrc("SHARED", "4096", "crc32", "bare");
    }

    private void addIcrc(String memory, String payload, String... names) {
        for (String name : names) {
            Map<String, String> parameters = Map.of("memory", memory, "payload", payload);
            inTurns.add(Measure.gated("IcrcBenchmark." + name, parameters));
        }
    }

    /// Takes the directory that the results go to.
    public static void main(String[] arguments) throws RunnerException, IOException {
        if (arguments.length != 1) {
            System.err.println("usage: WireGate <directory for the results>");
            System.exit(2);
        }
        WireGate gate = new WireGate();
        gate.measure();
        Path directory = Files.createDirectories(Path.of(arguments[0]));
        Files.writeString(directory.resolve("wire.json"), new Report(gate).json());
        Files.writeString(directory.resolve("benchmarks.md"), new Report(gate).page());
        System.exit(gate.judge() ? 0 : 1);
    }

    private void measure() throws RunnerException {
        for (Measure measure : single) {
            measure.run(3, 400);
            show(measure);
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (Measure measure : inTurns) {
                // Long enough for what the JVM itself allocates not to count.
                measure.run(3, 300);
            }
        }
        inTurns.forEach(this::show);
    }

    private void show(Measure measure) {
        System.out.printf(
                "%-32s %-32s %8.1f ns/op %8.4f B/op  %s%n",
                measure.benchmark,
                measure.parameters,
                measure.medianNs(),
                measure.medianBytes(),
                ratio(measure).map("%.2f of CRC32"::formatted).orElse(""));
    }

    private boolean judge() {
        boolean passed = true;
        for (Measure measure : measures()) {
            if (measure.mustNotAllocate && measure.medianBytes() > BYTES_MAX) {
                passed = false;
                System.out.printf(
                        "FAILED: %s %s allocates %.4f B/op; the most is %.2f%n",
                        measure.benchmark, measure.parameters, measure.medianBytes(), BYTES_MAX);
            }
            if (ratio(measure).orElse(1.0) < RATIO_GOAL) {
                System.out.printf(
                        "below the goal of %.1f: %s %s at %.2f of CRC32%n",
                        RATIO_GOAL,
                        measure.benchmark,
                        measure.parameters,
                        ratio(measure).orElse(0.0));
            }
        }
        return passed;
    }

    List<Measure> measures() {
        List<Measure> all = new ArrayList<>(single);
        all.addAll(inTurns);
        return all;
    }

    /// How fast an ICRC is beside the JDK's CRC-32 on the same memory, if the measure is one.
    Optional<Double> ratio(Measure measure) {
        if (!inTurns.contains(measure) || measure.benchmark.equals(REFERENCE)) {
            return Optional.empty();
        }
        return inTurns.stream()
                .filter(other -> other.benchmark.equals(REFERENCE))
                .filter(other -> other.parameters.equals(measure.parameters))
                .map(reference -> reference.medianNs() / measure.medianNs())
                .findFirst();
    }
}
