package dev.verbena.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/// Runs the short selection of wire benchmarks in about a minute and a half, and fails when the
/// data path allocates.
///
/// Time is shown, not gated: on a shared machine it says too little. Figures are medians over
/// iterations. Ratios are [IcrcInTurns]'s, and fail the gate only far below the goal.
public final class WireGate {
    /// What a benchmark may allocate per operation. It is not zero, because JMH counts all that the
    /// JVM allocates while an iteration runs; one small object in some hundred packets is too much.
    static final double BYTES_MAX = 0.05;

    /// What JMH itself allocates: 10 KB/s were seen. On a machine that is busy with other work
    /// there are few operations in a second to share it.
    private static final double OWN_BYTES_PER_NS = 2e-5;

    /// The share of the JDK's CRC-32 speed that an ICRC over 4 KiB is meant to reach.
    static final double RATIO_GOAL = 0.9;

    /// Below this a change has made the ICRC of a socket's packet slower, whatever the machine
    /// does.
    static final double RATIO_LEAST = 0.6;

    private static final String REFERENCE = "crc32";
    private static final String GATED_RATIO = "bare";

    private final List<Measure> single = new ArrayList<>();
    private final List<Icrc> icrcs = new ArrayList<>();

    /// A way to compute the ICRC, and its speed beside CRC-32, unless it is CRC-32 itself.
    record Icrc(Measure measure, String name, String memory) {}

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
        addIcrc("NATIVE", "crc32", "frame", "bare", "pieces");
        addIcrc("HEAP", "crc32", "frame", "bare");
        addIcrc("SHARED", "crc32", "bare");
    }

    private void addIcrc(String memory, String... names) {
        for (String name : names) {
            Map<String, String> parameters = Map.of("memory", memory, "payload", "4096");
            Measure measure = Measure.gated("IcrcBenchmark." + name, parameters);
            icrcs.add(new Icrc(measure, name, memory));
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

    private void measure() throws RunnerException, IOException {
        for (Measure measure : single) {
            measure.run(3, 400);
            show(measure);
        }
        for (Icrc icrc : icrcs) {
            // Long enough for what the JVM itself allocates not to count.
            icrc.measure.run(3, 400);
            if (!icrc.name.equals(REFERENCE)) {
                icrc.measure.ratio(IcrcInTurns.forked(icrc.name, icrc.memory));
            }
            show(icrc.measure);
        }
    }

    private void show(Measure measure) {
        System.out.printf(
                "%-32s %-32s %8.1f ns/op %8.4f B/op  %s%n",
                measure.benchmark,
                measure.parameters,
                measure.medianNs(),
                measure.medianBytes(),
                measure.ratio().map("%.2f of CRC32"::formatted).orElse(""));
    }

    /// How many bytes an operation may seem to allocate; an object of its own has at least 16.
    static double bytesMax(Measure measure) {
        return Math.max(BYTES_MAX, OWN_BYTES_PER_NS * measure.medianNs());
    }

    private boolean judge() {
        boolean passed = true;
        for (Measure measure : measures()) {
            double most = bytesMax(measure);
            if (measure.mustNotAllocate && measure.medianBytes() > most) {
                passed = false;
                System.out.printf(
                        "FAILED: %s %s allocates %.4f B/op; the most is %.2f%n",
                        measure.benchmark, measure.parameters, measure.medianBytes(), most);
            }
        }
        for (Icrc icrc : icrcs) {
            double ratio = icrc.measure.ratio().orElse(1.0);
            boolean tooSlow = icrc.name.equals(GATED_RATIO) && ratio < RATIO_LEAST;
            passed &= !tooSlow;
            if (ratio < RATIO_GOAL) {
                System.out.printf(
                        "%s: %s in %s memory at %.2f of CRC32; the goal is %.1f%n",
                        tooSlow ? "FAILED" : "below the goal",
                        icrc.name,
                        icrc.memory,
                        ratio,
                        RATIO_GOAL);
            }
        }
        return passed;
    }

    List<Measure> measures() {
        List<Measure> all = new ArrayList<>(single);
        icrcs.forEach(icrc -> all.add(icrc.measure));
        return all;
    }
}
