package dev.verbena.cli.ibsim;

import dev.verbena.cli.metrics.MetricSink;
import dev.verbena.cli.metrics.MetricText;
import dev.verbena.subnet.ManagerCounts;
import dev.verbena.subnet.RouteRunner;
import dev.verbena.subnet.SubnetManager;
import dev.verbena.subnet.SweepReport;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Figures of a subnet manager for Prometheus, at most once a second. All calls come from the
/// thread of the manager.
public final class ManagerMetrics implements AutoCloseable {
    private static final long EVERY_NS = 1_000_000_000L;
    private static final double NS_PER_SECOND = 1e9;

    private final MetricSink sink;
    private Optional<SweepReport> last = Optional.empty();
    private Consumer<MetricText> more = _ -> {};
    private long nextNs = System.nanoTime();
    private long routingNs;

    public ManagerMetrics(MetricSink sink) {
        this.sink = sink;
    }

    /// Figures besides those of the subnet manager.
    public void more(Consumer<MetricText> writer) {
        more = writer;
    }

    /// Takes the time of route computations.
    public RouteRunner timed(RouteRunner runner) {
        return (tasks, task) -> {
            long startNs = System.nanoTime();
            runner.run(tasks, task);
            routingNs += System.nanoTime() - startNs;
        };
    }

    /// Takes what was found and done.
    public void report(SweepReport report) {
        last = Optional.of(report);
        nextNs = System.nanoTime();
    }

    /// Publishes, if it is time.
    ///
    /// @param manager empty while another one manages the subnet
    public void look(Optional<SubnetManager> manager) {
        if (System.nanoTime() - nextNs >= 0) {
            publish(manager);
        }
    }

    private void publish(Optional<SubnetManager> manager) {
        nextNs = System.nanoTime() + EVERY_NS;
        MetricText text = new MetricText();
        manager.ifPresent(it -> write(text, it.counts()));
        if (manager.isEmpty()) {
            last = Optional.empty();
        }
        more.accept(text);
        sink.publish(text);
    }

    private void write(MetricText text, ManagerCounts counts) {
        text.gauge("verbena_sm_up", "1 if the routes of the subnet are written.")
                .sample(counts.isUp() ? 1 : 0)
                .counter("verbena_sm_sweeps_total", "Looks at the subnet that have ended.")
                .sample(counts.fullSweeps(), "kind", "full")
                .sample(counts.partialSweeps(), "kind", "partial")
                .counter("verbena_sm_requests_total", "Requests to nodes, with those sent again.")
                .sample(counts.requests())
                .counter("verbena_sm_retries_total", "Requests to nodes that were sent again.")
                .sample(counts.retries())
                .counter("verbena_sm_failures_total", "Requests to nodes that have failed.")
                .sample(counts.failures())
                .counter("verbena_sm_blocks_written_total", "Blocks of forwarding tables written.")
                .sample(counts.blocks())
                .counter("verbena_sm_routing_seconds_total", "Time of route computations.")
                .sample(routingNs / NS_PER_SECOND);
        last.ifPresent(it -> write(text, it));
        text.counter("verbena_sm_datagrams_total", "Datagrams that came, by what became of them.");
        new TreeMap<>(counts.verdicts())
                .forEach((it, count) -> text.sample(count, "verdict", word(it.name())));
        text.counter("verbena_sm_traps_total", "Traps of nodes, by number.");
        new TreeMap<>(counts.traps())
                .forEach((it, count) -> text.sample(count, "number", number(it)));
        text.counter(
                "verbena_sm_administration_requests_total", "Questions to subnet administration.");
        for (Map.Entry<ManagerCounts.Question, Long> it : counts.questions().entrySet()) {
            String attribute = it.getKey().attribute();
            text.sample(it.getValue(), "attribute", attribute, "method", it.getKey().method());
        }
    }

    private static String number(int trap) {
        return trap == ManagerCounts.OTHER_TRAP ? "other" : Integer.toString(trap);
    }

    private static String word(String constant) {
        return constant.toLowerCase(Locale.ROOT);
    }

    private static void write(MetricText text, SweepReport report) {
        text.gauge("verbena_sm_nodes", "Nodes that the last look has found.")
                .sample(report.hosts(), "kind", "host")
                .sample(report.switches(), "kind", "switch")
                .gauge("verbena_sm_links", "Links that the last look has found.")
                .sample(report.links())
                .gauge("verbena_sm_last_sweep_seconds", "How long the last look took.")
                .sample((report.endNs() - report.startNs()) / NS_PER_SECOND)
                .gauge("verbena_sm_routing_engine_info", "The engine that routes come from.")
                .sample(1, "engine", engine(report))
                .gauge("verbena_sm_routing_unreachable", "Pairs of switches without a route.")
                .sample(report.routing().unreachable());
    }

    private static String engine(SweepReport report) {
        return report.routing().isRefused() ? "none" : report.routing().engine();
    }

    @Override
    public void close() throws IOException {
        sink.close();
    }
}
