package dev.verbena.benchmarks.fabric;

import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.fabric.FlowRun;
import dev.verbena.fabric.Patterns;
import dev.verbena.verbs.LinkLayer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// Fabrics of growing size, each in a process of its own.
final class Growth {
    static final int[] SIZES = {128, 1024, 10_240, 131_072};

    private static final int RUN_MAX = 10_240;

    /// A subnet has no more unicast addresses.
    private static final int LIDS = 49_151;

    private static final long BYTES = 256 << 10;
    private static final double MIB = 1 << 20;
    private static final long NEVER_PS = 1_000_000_000_000_000L;

    private Growth() {}

    private static FatTree tree(int hosts) {
        return switch (hosts) {
            case 128 -> FatTree.threeTiers(4, 8);
            case 1024 -> FatTree.threeTiers(8, 16);
            case 10_240 -> FatTree.threeTiers(16, 40);
            default -> FatTree.threeTiers(32, 128);
        };
    }

    static List<String> rows(Path root, int hosts) throws IOException, InterruptedException {
        List<String> rows = new ArrayList<>();
        rows.addAll(process(root, hosts <= RUN_MAX ? "--run" : "--build", hosts));
        return rows;
    }

    private static List<String> process(Path root, String what, int hosts)
            throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(
                        root.resolve("bin/bench").toString(), "fabric", what, "" + hosts);
        builder.environment().put("JAVA_TOOL_OPTIONS", "-Xmx8g");
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(10, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            return List.of("| | %,d | failed | | | | |".formatted(hosts));
        }
        return text.lines().filter(line -> line.startsWith("|")).toList();
    }

    private static List<FabricSettings> kinds(int hosts) {
        return hosts <= LIDS
                ? List.of(FabricSettings.ROCE, FabricSettings.INFINIBAND)
                : List.of(FabricSettings.ROCE);
    }

    /// Prints rows for a fabric that is only built.
    static void printBuild(int hosts) {
        for (FabricSettings settings : kinds(hosts)) {
            long startNs = System.nanoTime();
            Fabric fabric = new Fabric(tree(hosts).topology(), settings);
            double builtS = (System.nanoTime() - startNs) / 1e9;
            System.out.println(
                    String.format(
                            Locale.ROOT,
                            "| %s | %,d | %.2f | %.0f | | | |",
                            name(settings),
                            hosts,
                            builtS,
                            heapMiB()));
            requireAlive(fabric);
        }
    }

    /// Prints rows for a fabric on which a permutation runs.
    static void printRun(int hosts) {
        for (FabricSettings settings : kinds(hosts)) {
            long startNs = System.nanoTime();
            Fabric fabric = new Fabric(tree(hosts).topology(), settings);
            double builtS = (System.nanoTime() - startNs) / 1e9;
            double heap = heapMiB();
            startNs = System.nanoTime();
            FlowRun run = new FlowRun(fabric, Patterns.permutation(hosts, BYTES, 1), options -> {});
            if (!run.run(NEVER_PS)) {
                throw new IllegalStateException(run.left() + " flows did not end");
            }
            double ranS = (System.nanoTime() - startNs) / 1e9;
            System.out.println(
                    String.format(
                            Locale.ROOT,
                            "| %s | %,d | %.2f | %.0f | %.2f | %,d | %.0f |",
                            name(settings),
                            hosts,
                            builtS,
                            heap,
                            ranS,
                            fabric.counts().hops(),
                            heapMiB()));
            requireAlive(fabric);
        }
    }

    private static String name(FabricSettings settings) {
        return settings.layer() == LinkLayer.ETHERNET ? "RoCE" : "InfiniBand";
    }

    private static double heapMiB() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) / MIB;
    }

    /// What is measured must not be collected before.
    private static void requireAlive(Fabric fabric) {
        if (fabric.topology().hosts() == 0) {
            throw new AssertionError(fabric);
        }
    }
}
