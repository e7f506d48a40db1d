package dev.verbena.subnet;

import dev.verbena.fabric.CableFault;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.fabric.manage.MadEnvelope;
import dev.verbena.fabric.manage.ManagementPort;
import dev.verbena.wire.mad.Mad;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Measures a manager on simulated fat trees: bring-up, and one link that goes down and returns.
/// Arguments are names of fabrics, `ft2-128` and others of that form, and `parallel` to compute
/// routes on all processors.
///
/// The manager and the agents of all nodes share one thread, and their times are told apart by the
/// clock around each datagram that is sent.
final class Measure {
    private static final List<String> USUAL =
            List.of("ft2-128", "ft3-1024", "ft3-5488", "ft3-11664");
    private static final RouteRunner PARALLEL =
            (tasks, task) -> IntStream.range(0, tasks).parallel().forEach(task);

    private record Incoming(int lid, MemorySegment mad) {}

    private final Fabric fabric;
    private final ManagementPort port;
    private final ArrayDeque<Incoming> inbox = new ArrayDeque<>();
    private final ArrayDeque<MemorySegment> free = new ArrayDeque<>();
    private @Nullable SubnetManager manager;
    private long agentsNs;

    private Measure(FatTree tree) {
        fabric = new Fabric(tree.topology(), FabricSettings.INFINIBAND);
        port = fabric.subnet().port(0);
        port.receiver(
                (envelope, mad) -> {
                    MemorySegment known = free.poll();
                    MemorySegment copy =
                            known == null
                                    ? MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL])
                                    : known;
                    copy.copyFrom(mad);
                    inbox.add(new Incoming(envelope.sourceLid(), copy));
                    return true;
                });
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
                new Measure(tree(name)).run(name, isParallel, run == 1);
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

    private void run(String name, boolean isParallel, boolean isShown) {
        manager =
                new SubnetManager(
                        ManagerSettings.DEFAULT.withWindow(64),
                        isParallel ? PARALLEL : RouteRunner.IN_PLACE);
        step(name, "bring-up", isShown, () -> manager().start(nowNs()));
        int cable = fabric.topology().cables() - 1;
        long nowPs = fabric.nowPs();
        fabric.fault(CableFault.down(cable, nowPs + 1_000, nowPs + 1_000_000_000));
        step(name, "link down", isShown, () -> fabric.run(nowPs + 2_000));
        step(name, "link up", isShown, () -> fabric.run(nowPs + 1_000_001_000L));
        long with = usedBytes();
        manager = null;
        long before = usedBytes();
        if (isShown) {
            System.out.printf(
                    Locale.ROOT,
                    "%-10s memory of the manager %.1f MB, of the fabric and its agents %.1f MB%n",
                    name,
                    (with - before) / 1e6,
                    before / 1e6);
        }
    }

    private SubnetManager manager() {
        return Objects.requireNonNull(manager, "a manager");
    }

    private long nowNs() {
        return fabric.nowPs() / 1_000;
    }

    private void step(String name, String what, boolean isShown, Runnable cause) {
        agentsNs = 0;
        Duration cpu = cpu();
        long start = System.nanoTime();
        cause.run();
        SweepReport report = settle();
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

    private SweepReport settle() {
        SubnetManager at = manager();
        boolean hasMore = true;
        while (hasMore) {
            hasMore = at.transmit(nowNs(), this::send);
            while (!inbox.isEmpty()) {
                Incoming next = inbox.remove();
                at.handle(nowNs(), next.lid, next.mad);
                free.add(next.mad);
                hasMore = true;
            }
        }
        return at.pollReport().orElseThrow(() -> new AssertionError("a report"));
    }

    private void send(int lid, MemorySegment mad) {
        long start = System.nanoTime();
        port.send(
                lid == DatagramSink.DIRECTED ? MadEnvelope.DIRECTED : new MadEnvelope(lid, 0, 0, 0),
                mad);
        agentsNs += System.nanoTime() - start;
    }
}
