package dev.verbena.subnet;

import dev.verbena.fabric.CableFault;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/// Measures a manager on simulated fat trees: bring-up, and one link that goes down and returns.
/// Arguments are names of fabrics, `ft2-128` and others of that form, and `parallel` to compute
/// routes on all processors.
///
/// The manager and the agents of all nodes share one thread, and their times are separated by the
/// clock around each datagram that is sent.
final class Measure {
    private static final List<String> USUAL =
            List.of("ft2-128", "ft3-1024", "ft3-5488", "ft3-11664");
    private static final RouteRunner PARALLEL =
            (tasks, task) -> IntStream.range(0, tasks).parallel().forEach(task);

    private final FabricLab lab;

    private Measure(FatTree tree, boolean isParallel) {
        Fabric fabric = new Fabric(tree.topology(), FabricSettings.INFINIBAND);
        ManagerSettings settings = ManagerSettings.DEFAULT.withWindow(64);
        RouteRunner runner = isParallel ? PARALLEL : RouteRunner.IN_PLACE;
        lab = new FabricLab(fabric, new SubnetManager(settings, runner));
    }

    public static void main(String[] arguments) {
        boolean isParallel = List.of(arguments).contains("parallel");
        List<String> names = List.of(arguments).stream().filter(it -> it.startsWith("ft")).toList();
        System.out.println(
                "fabric     what       wall ms   cpu ms  manager ms  agents ms   requests   blocks"
                        + "  destinations");
        for (String name : names.isEmpty() ? USUAL : names) {
            // The first run warms the compiler up.
            for (int run = 0; run < 2; run++) {
                new Measure(tree(name), isParallel).run(name, run == 1);
            }
        }
    }

    /// `ft2-H`: full trees of two tiers; `ft3-H`: of three.
    private static FatTree tree(String name) {
        int hosts = Integer.parseInt(name.substring(4));
        boolean isFlat = name.startsWith("ft2-");
        for (int radix = 2; radix < 128; radix += 2) {
            int half = radix / 2;
            if (isFlat && radix * half == hosts) {
                return FatTree.twoTiers(half, radix, half);
            }
            if (!isFlat && half * half * radix == hosts) {
                return FatTree.threeTiers(half, radix);
            }
        }
        throw new IllegalArgumentException(name + ": use ft2-128, ft3-1024, ft3-5488, ft3-11664");
    }

    private void run(String name, boolean isShown) {
        Fabric fabric = lab.fabric;
        step(name, "bring-up", isShown, () -> lab.manager().start(lab.nowNs()));
        int cable = fabric.topology().cables() - 1;
        long nowPs = fabric.nowPs();
        fabric.fault(CableFault.down(cable, nowPs + 1_000, nowPs + 1_000_000_000));
        step(name, "link down", isShown, () -> fabric.run(nowPs + 2_000));
        step(name, "link up", isShown, () -> fabric.run(nowPs + 1_000_001_000L));
        long with = usedBytes();
        lab.replace(new SubnetManager(ManagerSettings.DEFAULT));
        long without = usedBytes();
        if (isShown) {
            System.out.printf(
                    Locale.ROOT,
                    "%-10s memory of the manager %.1f MB, of the fabric and its agents %.1f MB%n",
                    name,
                    (with - without) / 1e6,
                    without / 1e6);
        }
    }

    private void step(String name, String what, boolean isShown, Runnable cause) {
        long agentsBefore = lab.agentsNs();
        Duration cpu = cpu();
        long start = System.nanoTime();
        cause.run();
        SweepReport report = lab.exchange().orElseThrow(() -> new AssertionError("a report"));
        long agentsNs = lab.agentsNs() - agentsBefore;
        long wall = System.nanoTime() - start;
        long cpuNs = cpu().minus(cpu).toNanos();
        if (isShown) {
            System.out.printf(
                    Locale.ROOT,
                    "%-10s %-9s %8.1f %8.0f %11.1f %10.1f %10d %8d %13d  %s, failures %d%n",
                    name,
                    what,
                    wall / 1e6,
                    cpuNs / 1e6,
                    (wall - agentsNs) / 1e6,
                    agentsNs / 1e6,
                    report.requests(),
                    report.blocks(),
                    report.routing().destinations(),
                    report.routing().engine(),
                    report.failures());
        }
    }

    private static Duration cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static long usedBytes() {
        System.gc();
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
