package dev.verbena.benchmarks.fabric;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// `bin/bench fabric`: how the simulator grows and, with `--htsim PROGRAM`, what it does beside
/// another one. Prints the page that it writes.
public final class FabricBench {
    private static final int WARM_RUNS = 7;
    private static final int PAIRS = 3;
    private static final int TIMES = 100;

    private final Path root;
    private final Path directory;
    private final StringBuilder page = new StringBuilder();

    private FabricBench(Path root) throws IOException {
        this.root = root;
        directory = Files.createDirectories(root.resolve("benchmarks/target/fabric"));
    }

    /// Takes the root of the checkout, then flags.
    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(arguments));
        FabricBench bench = new FabricBench(Path.of(words.removeFirst()));
        String what = words.isEmpty() ? "--scale" : words.removeFirst();
        switch (what) {
            case "--scale" -> bench.scale();
            case "--htsim" -> bench.beside(Path.of(words.removeFirst()).toAbsolutePath());
            case "--once" -> {
                Scenario.Outcome outcome = Scenario.permutation1024().run(true);
                System.out.println(outcome.timesPs().size() + " flows");
            }
            case "--build" -> Growth.printBuild(Integer.parseInt(words.removeFirst()));
            case "--run" -> Growth.printRun(Integer.parseInt(words.removeFirst()));
            default -> {
                System.err.println("usage: bin/bench fabric [--scale | --htsim PROGRAM]");
                System.exit(2);
            }
        }
    }

    private void line(String text) {
        System.out.println(text);
        page.append(text).append('\n');
    }

    private void beside(Path program) throws IOException, InterruptedException {
        Htsim htsim = new Htsim(program, directory);
        line("<!-- Written by `bin/bench fabric --htsim PROGRAM`; run it, do not edit. -->");
        line("# Beside another simulator");
        line("");
        line("uet-htsim's `htsim_roce` (40ccb05), built with its own Release flags outside this");
        line("repository, and ours, in turns on one machine: the same flows, topology, link");
        line("times, thresholds and an acknowledgement for every packet. How flows are hashed");
        line("onto ways differs, so the times of single flows do as well.");
        line("");
        line("## Answers");
        line("");
        line(
                "| work | simulator | min [us] | median [us] | max [us] | data packets | over links"
                        + " |");
        line("|---|---|---:|---:|---:|---:|---:|");
        for (Scenario scenario :
                List.of(
                        Scenario.permutation128(1),
                        Scenario.incast32(1),
                        Scenario.permutation1024())) {
            answers(scenario, htsim);
        }
        line("");
        line("## Speed");
        line("");
        line("| work | htsim [s] | ours [s] | ratio | ours, our acknowledgements [s] |");
        line("|---|---:|---:|---:|---:|");
        cold(htsim);
        warm("128 hosts, loop alone, warmed", Scenario.permutation128(TIMES / 10), htsim);
        warm("incast, loop alone, warmed", Scenario.incast32(TIMES), htsim);
        write("docs/sim-speed.md");
    }

    private void answers(Scenario scenario, Htsim htsim) throws IOException, InterruptedException {
        List<Double> theirs = htsim.run(scenario).timesUs();
        Scenario.Outcome ours = scenario.run(true);
        List<Double> times = ours.timesPs().stream().map(ps -> ps / 1e6).toList();
        row(scenario.name(), "htsim", theirs, "", "");
        row(
                "",
                "Verbena",
                times,
                String.format(Locale.ROOT, "%,d", ours.dataPackets()),
                String.format(Locale.ROOT, "%,d", ours.hops()));
    }

    private void row(String work, String who, List<Double> times, String packets, String hops) {
        int count = times.size();
        line(
                String.format(
                        Locale.ROOT,
                        "| %s | %s | %.2f | %.2f | %.2f | %s | %s |",
                        work,
                        who,
                        count == 0 ? Double.NaN : times.getFirst(),
                        count == 0 ? Double.NaN : times.get(count / 2),
                        count == 0 ? Double.NaN : times.getLast(),
                        packets,
                        hops));
    }

    /// The whole process, with start and compiling.
    private void cold(Htsim htsim) throws IOException, InterruptedException {
        List<Double> theirs = new ArrayList<>();
        List<Double> ours = new ArrayList<>();
        for (int i = 0; i < PAIRS; i++) {
            theirs.add(htsim.run(Scenario.permutation1024()).wallS());
            ours.add(processS());
        }
        double they = median(theirs);
        double we = median(ours);
        line(
                String.format(
                        Locale.ROOT,
                        "| 1,024 hosts, whole process | %.2f | %.2f | %.1f | |",
                        they,
                        we,
                        they / we));
    }

    private double processS() throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        Process process =
                new ProcessBuilder(root.resolve("bin/bench").toString(), "fabric", "--once")
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        if (!process.waitFor(5, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException("the run did not end well");
        }
        return (System.nanoTime() - startNs) / 1e9;
    }

    private void warm(String work, Scenario scenario, Htsim htsim)
            throws IOException, InterruptedException {
        List<Double> theirs = new ArrayList<>();
        List<Double> ours = new ArrayList<>();
        List<Double> usual = new ArrayList<>();
        for (int i = 0; i < WARM_RUNS; i++) {
            double loopS = scenario.run(true).loopS();
            double usualS = scenario.run(false).loopS();
            if (i >= WARM_RUNS - PAIRS) {
                ours.add(loopS);
                usual.add(usualS);
                theirs.add(htsim.run(scenario).wallS() - htsim.setUpS(scenario));
            }
        }
        double they = median(theirs);
        double we = median(ours);
        line(
                String.format(
                        Locale.ROOT,
                        "| %s | %.2f | %.2f | %.1f | %.2f |",
                        work,
                        they,
                        we,
                        they / we,
                        median(usual)));
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private void scale() throws IOException, InterruptedException {
        line("<!-- Written by `bin/bench fabric --scale`; run it, do not edit. -->");
        line("# How the simulator grows");
        line("");
        line("Fat trees of three tiers at 400 Gb/s. A permutation is one message of 256 KiB from");
        line("each host, over a connection of its own, through all of the transport; each size is");
        line("a process of its own, with at most 8 GiB of heap. Memory is the heap in use after a");
        line("collection; the time of the run includes compiling.");
        line("");
        line(
                "| fabric | hosts | built in [s] | heap [MiB] | run in [s] | packets over links"
                        + " | heap after [MiB] |");
        line("|---|---:|---:|---:|---:|---:|---:|");
        for (int hosts : Growth.SIZES) {
            for (String row : Growth.rows(root, hosts)) {
                line(row);
            }
        }
        line("");
        line("Memory grows with ports, time with packets over links. A host's device is made");
        line("when it is opened, so the fabrics that are only built have none.");
        write("docs/scale.md");
    }

    private void write(String file) throws IOException {
        Files.writeString(root.resolve(file), page);
        System.out.println("written to " + file);
    }
}
