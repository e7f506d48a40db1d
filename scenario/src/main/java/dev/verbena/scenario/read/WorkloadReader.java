package dev.verbena.scenario.read;

import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.collectives.plan.Plans;
import dev.verbena.fabric.Flow;
import dev.verbena.fabric.Patterns;
import dev.verbena.fabric.Workload;
import dev.verbena.job.NcclOperation;
import dev.verbena.scenario.JobSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Reads the workloads of a scenario.
final class WorkloadReader {
    private static final long USUAL_BYTES = 1 << 20;
    private static final long USUAL_BUCKET = 4 << 20;
    private static final int SENDERS = 32;
    private static final long FLOWS_MAX = 1 << 20;
    private static final List<String> PATTERNS =
            List.of("permutation", "incast", "all_to_all", "shift", "flow", "storage");

    private final Section root;

    /// 0 where the topology is wrong.
    private final int hosts;

    private final long seed;
    private final boolean isFlowLevel;
    private final List<Workload> flows = new ArrayList<>();

    /// By name, its kind.
    private final Map<String, String> names = new TreeMap<>();

    private @Nullable JobSpec job;

    /// Flows of all workloads.
    private long count;

    WorkloadReader(Section root, int hosts, long seed, boolean isFlowLevel) {
        this.root = root;
        this.hosts = hosts;
        this.seed = seed;
        this.isFlowLevel = isFlowLevel;
        int number = 0;
        for (Section each : root.list("workloads")) {
            read(each, number++);
        }
    }

    List<Workload> flows() {
        return List.copyOf(flows);
    }

    Optional<JobSpec> job() {
        return Optional.ofNullable(job);
    }

    Map<String, String> names() {
        return names;
    }

    private void read(Section work, int number) {
        String name = work.text("name", "");
        String kind =
                List.of("collective", "training").stream().filter(work::has).findFirst().orElse("");
        String pattern = PATTERNS.stream().filter(work::has).findFirst().orElse("");
        if (!name.isEmpty() && names.put(name, kind + pattern) != null) {
            work.wrong("name", "another workload is called '%s'; use another name".formatted(name));
        }
        if (!kind.isEmpty()) {
            job(work, name, kind);
        } else if (!pattern.isEmpty()) {
            flows(work, name, pattern, number);
        }
    }

    private void flows(Section work, String name, String pattern, int number) {
        if (isFlowLevel) {
            work.wrongKey(
                    pattern, "level: flow has collectives and training only; use level: packet");
            return;
        }
        long startPs = work.ps("start", 0);
        long untilPs = work.ps("until", Flow.ONCE);
        boolean isTcp = work.text("protocol", "rdma").equals("tcp");
        if (work.has("until") && untilPs <= startPs) {
            work.wrong("until", "it ends before it starts; use a time after start");
            return;
        }
        if (isTcp && root.section("fabric").text("kind", "roce").equals("ib")) {
            work.wrong("protocol", "tcp runs on Ethernet only; use rdma, or kind: roce");
            return;
        }
        if (isTcp && work.has("until")) {
            work.wrong("until", "a TCP message is sent once; leave it out");
            return;
        }
        int level = work.integer("class", 0);
        if (hosts == 0 || level < 0 || level > 7 || count > FLOWS_MAX) {
            return;
        }
        List<Flow> all = new Patterned(work.section(pattern), pattern).flows(seed + number);
        count += all.size();
        if (count > FLOWS_MAX) {
            if (count - all.size() <= FLOWS_MAX) {
                work.wrongKey(
                        pattern,
                        "with this one all workloads have %,d flows; use at most %,d in all"
                                .formatted(count, FLOWS_MAX));
            }
            return;
        }
        if (!all.isEmpty()) {
            flows.add(
                    new Workload(
                            name,
                            all.stream()
                                    .map(it -> it.startingAt(startPs))
                                    .map(it -> it.repeatedUntil(untilPs).inClass(level))
                                    .toList(),
                            isTcp ? Workload.Protocol.TCP : Workload.Protocol.RDMA));
        }
    }

    private void job(Section work, String name, String kind) {
        for (String key : List.of("until", "class", "protocol")) {
            if (work.has(key)) {
                work.wrongKey(key, "it has no effect on a %s; leave it out".formatted(kind));
            }
        }
        if (job != null) {
            work.wrongKey(
                    kind,
                    "a scenario has one collective or training, and '%s' is one; leave one out"
                            .formatted(job.name()));
            return;
        }
        Section of = work.section(kind);
        int ranks = of.integer("ranks", Math.max(2, hosts));
        if (hosts > 0 && ranks > hosts) {
            of.wrong(
                    "ranks",
                    "%,d ranks do not fit on %,d hosts; use at most %,d, or more hosts"
                            .formatted(ranks, hosts, hosts));
            return;
        }
        if (hosts == 1) {
            work.wrongKey(kind, "a %s needs two hosts or more; use more hosts".formatted(kind));
            return;
        }
        Algorithm algorithm = algorithm(of.text("algorithm"));
        long startPs = work.ps("start", 0);
        job =
                kind.equals("training")
                        ? new JobSpec.Training(
                                name,
                                ranks,
                                startPs,
                                algorithm,
                                of.integer("steps", 3),
                                of.integer("buckets", 4),
                                of.bytes("bucket", USUAL_BUCKET),
                                of.ps("forward", 200_000_000) / 1000,
                                of.ps("backward", 400_000_000) / 1000)
                        : collective(of, name, ranks, startPs, algorithm);
    }

    private static JobSpec collective(
            Section of, String name, int ranks, long startPs, @Nullable Algorithm algorithm) {
        NcclOperation operation = operation(of.text("operation", "all_reduce"));
        if (algorithm != null && !Plans.supports(operation.collective(), algorithm)) {
            List<String> others = new ArrayList<>();
            for (Algorithm each : Algorithm.values()) {
                if (each != Algorithm.HIERARCHICAL
                        && Plans.supports(operation.collective(), each)) {
                    others.add(each.toString());
                }
            }
            of.wrong(
                    "algorithm",
                    "%s is not carried out by %s; use %s"
                            .formatted(operation, algorithm, SchemaCheck.or(others)));
        }
        long bytes = of.bytes("size", USUAL_BYTES);
        return new JobSpec.Collective(
                name, ranks, startPs, algorithm, operation, bytes, of.integer("repeat", 1));
    }

    private static NcclOperation operation(String word) {
        for (NcclOperation each : NcclOperation.values()) {
            if (each.toString().equals(word)) {
                return each;
            }
        }
        return NcclOperation.ALL_REDUCE;
    }

    private static @Nullable Algorithm algorithm(@Nullable String word) {
        for (Algorithm each : Algorithm.values()) {
            if (each.toString().equals(word == null ? "" : word.toLowerCase(Locale.ROOT))) {
                return each;
            }
        }
        return null;
    }

    /// The flows of one pattern.
    private final class Patterned {
        private final Section of;
        private final String pattern;

        Patterned(Section of, String pattern) {
            this.of = of;
            this.pattern = pattern;
        }

        List<Flow> flows(long chance) {
            long bytes = Math.max(1, of.bytes("size", USUAL_BYTES));
            if (hosts < 2) {
                fail("it needs two hosts or more, and there is %d".formatted(hosts));
                return List.of();
            }
            return switch (pattern) {
                case "permutation" -> Patterns.permutation(hosts, bytes, chance);
                case "all_to_all" -> allToAll(bytes);
                case "incast" -> incast(bytes);
                case "shift" -> {
                    int by = of.integer("by", hosts / 2);
                    yield isBelow("by", by, 1, hosts - 1)
                            ? Patterns.shift(hosts, by, bytes)
                            : List.of();
                }
                case "flow" -> one(bytes);
                default -> storage(bytes);
            };
        }

        private void fail(String text) {
            of.wrongKey("", text + "; use a larger topology");
        }

        private boolean isBelow(String key, int value, int least, int most) {
            if (value >= least && value <= most) {
                return true;
            }
            of.wrong(
                    key,
                    "%,d does not fit %,d hosts; use %,d to %,d, or more hosts"
                            .formatted(value, hosts, least, most));
            return false;
        }

        private List<Flow> allToAll(long bytes) {
            long count = (long) hosts * (hosts - 1);
            if (count > FLOWS_MAX) {
                fail(
                        "%,d flows are more than %,d; use a collective with operation: alltoall"
                                .formatted(count, FLOWS_MAX));
                return List.of();
            }
            return Patterns.allToAll(hosts, bytes);
        }

        private List<Flow> incast(long bytes) {
            int senders = of.integer("senders", Math.min(SENDERS, hosts - 1));
            int to = of.integer("to", 0);
            boolean isRight = isBelow("senders", senders, 1, hosts - 1);
            isRight = isBelow("to", to, 0, hosts - 1) && isRight;
            return isRight ? Patterns.incast(hosts, senders, to, bytes) : List.of();
        }

        private List<Flow> one(long bytes) {
            int from = of.integer("from", 0);
            int to = of.integer("to", 1);
            boolean isRight = isBelow("from", from, 0, hosts - 1);
            isRight = isBelow("to", to, 0, hosts - 1) && isRight;
            if (isRight && from == to) {
                of.wrong("to", "host %d would write to itself; use another host".formatted(to));
            }
            return isRight && from != to ? List.of(Flow.of(from, to, bytes)) : List.of();
        }

        private List<Flow> storage(long bytes) {
            int servers = of.integer("servers", 1);
            if (!isBelow("servers", servers, 1, hosts - 1)) {
                return List.of();
            }
            boolean isRead = of.text("direction", "write").equals("read");
            List<Flow> all = new ArrayList<>();
            int clients = hosts - servers;
            for (int client = 0; client < clients; client++) {
                int server = clients + client % servers;
                all.add(isRead ? Flow.of(server, client, bytes) : Flow.of(client, server, bytes));
            }
            return all;
        }
    }
}
