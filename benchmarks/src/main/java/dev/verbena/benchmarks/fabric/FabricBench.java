package dev.verbena.benchmarks.fabric;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;

/// `bin/bench fabric`: how the simulator grows and, with `--htsim PROGRAM`, what it does beside
/// another one. Prints the page that it writes.
public final class FabricBench {
    private static final int WARM_RUNS = 3;
    private static final int WARM_TIMES = 25;
    private static final int COLD_PAIRS = 7;
    private static final int PAIRS = 3;
    private static final int TIMES = 100;
    private static final int LIMIT_MINUTES = 5;

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
            case "--loop" -> loop(work(words.removeFirst()), words.removeFirst().equals("each"));
            case "--train" -> Scenario.permutation128(2).run(true);
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
        line("Two simulators run in turns on one machine: uet-htsim's `htsim_roce` (40ccb05),");
        line("built with its own Release flags outside this repository, and ours. Both have the");
        line("same flows, topology, link times, thresholds and an acknowledgement for every");
        line("packet. They hash flows onto paths in different ways, so the times of single flows");
        line("differ. The packets of htsim are computed from the flows and the shortest paths;");
        line("ours are counted. Like `bin/verbena`, ours starts with classes and profiles that a");
        line("short run of 128 hosts left in a file after the build. Times are medians of runs:");
        line(COLD_PAIRS + " of the whole process, " + PAIRS + " of the loop.");
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
        line(
                "| work | htsim [s] | ours [s] | ratio | htsim [M hops/s] | ours [M hops/s]"
                        + " | ours, our acknowledgements [s] |");
        line("|---|---:|---:|---:|---:|---:|---:|");
        String memory = cold(htsim);
        warm("128 hosts, 100 times as long, loop alone", "permutation", htsim);
        warm("incast, 100 times as long, loop alone", "incast", htsim);
        line("");
        line(memory);
        line("resident. Ours reserves a heap of 1 GiB at the start, and uses a part of it.");
        line("A hop is a packet or an acknowledgement over one link; pauses are not counted.");
        write("docs/sim-speed.md");
    }

    private void answers(Scenario scenario, Htsim htsim) throws IOException, InterruptedException {
        List<Double> theirs = htsim.run(scenario).timesUs();
        Scenario.Outcome ours = scenario.run(true);
        List<Double> times = ours.timesPs().stream().map(ps -> ps / 1e6).toList();
        row(scenario.name(), "htsim", theirs, ours.dataPackets(), scenario.traversals());
        row("", "Verbena", times, ours.dataPackets(), ours.hops());
    }

    private void row(String work, String who, List<Double> times, long packets, long hops) {
        int count = times.size();
        line(
                String.format(
                        Locale.ROOT,
                        "| %s | %s | %.2f | %.2f | %.2f | %,d | %,d |",
                        work,
                        who,
                        count == 0 ? Double.NaN : times.getFirst(),
                        count == 0 ? Double.NaN : times.get(count / 2),
                        count == 0 ? Double.NaN : times.getLast(),
                        packets,
                        hops));
    }

    /// The whole process, with start and compiling; returns what it has of memory.
    private String cold(Htsim htsim) throws IOException, InterruptedException {
        List<Double> theirs = new ArrayList<>();
        List<Double> ours = new ArrayList<>();
        long theirMib = 0;
        long ourMib = 0;
        Scenario scenario = Scenario.permutation1024();
        for (int i = 0; i < COLD_PAIRS; i++) {
            Htsim.Outcome outcome = htsim.run(scenario);
            theirs.add(outcome.wallS());
            theirMib = Math.max(theirMib, outcome.memoryMib());
            long startNs = System.nanoTime();
            ourMib = Math.max(ourMib, process());
            ours.add((System.nanoTime() - startNs) / 1e9);
        }
        speed("1,024 hosts, whole process", scenario, median(theirs), median(ours), "");
        return "Memory of the whole process, 1,024 hosts, at most: htsim %,d MiB, ours %,d MiB,"
                .formatted(theirMib, ourMib);
    }

    private void speed(String work, Scenario scenario, double they, double we, String usual) {
        double millions = scenario.traversals() / 1e6;
        line(
                String.format(
                        Locale.ROOT,
                        "| %s | %.2f | %.2f | %.1f | %.1f | %.1f | %s |",
                        work,
                        they,
                        we,
                        they / we,
                        millions / they,
                        millions / we,
                        usual));
    }

    private long process() throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(root.resolve("bin/bench").toString(), "fabric", "--once")
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        return Peak.await(process, LIMIT_MINUTES);
    }

    /// Each run in a virtual machine of its own, which has run nothing else.
    private void warm(String title, String name, Htsim htsim)
            throws IOException, InterruptedException {
        Scenario scenario = work(name).apply(TIMES);
        List<Double> theirs = new ArrayList<>();
        List<Double> ours = new ArrayList<>();
        List<Double> usual = new ArrayList<>();
        for (int i = 0; i < PAIRS; i++) {
            ours.add(Double.parseDouble(child("--loop", name, "each")));
            theirs.add(htsim.run(scenario).wallS() - htsim.setUpS(scenario));
            usual.add(Double.parseDouble(child("--loop", name, "own")));
        }
        String ownWay = String.format(Locale.ROOT, "%.2f", median(usual));
        speed(title, scenario, median(theirs), median(ours), ownWay);
    }

    private static IntFunction<Scenario> work(String name) {
        return name.equals("incast") ? Scenario::incast32 : Scenario::permutation128;
    }

    /// Prints the seconds of the loop when all of it is compiled.
    private static void loop(IntFunction<Scenario> work, boolean isEach) {
        for (int i = 0; i < WARM_RUNS; i++) {
            work.apply(WARM_TIMES).run(isEach);
        }
        System.out.println(work.apply(TIMES).run(isEach).loopS());
    }

    private String child(String... words) throws IOException, InterruptedException {
        Path output = directory.resolve("child.log");
        List<String> command = new ArrayList<>();
        command.add(root.resolve("bin/bench").toString());
        command.add("fabric");
        command.addAll(List.of(words));
        Process process =
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .redirectOutput(output.toFile())
                        .start();
        Peak.await(process, LIMIT_MINUTES);
        return Files.readString(output).strip();
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
