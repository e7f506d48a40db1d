package dev.verbena.scenario.read;

import dev.verbena.fabric.CableFault;
import dev.verbena.fabric.FaultText;
import dev.verbena.fabric.Topology;
import dev.verbena.job.HostWork;
import dev.verbena.scenario.JobSpec;
import dev.verbena.scenario.Scenario;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads what goes wrong in a scenario: faults of cables, and slow hosts.
final class FaultReader {
    private static final double PS_PER_US = 1e6;

    private final Section root;
    private final long seed;
    private final boolean isFlowLevel;
    private final Optional<JobSpec> job;

    FaultReader(Section root, long seed, boolean isFlowLevel, Optional<JobSpec> job) {
        this.root = root;
        this.seed = seed;
        this.isFlowLevel = isFlowLevel;
        this.job = job;
    }

    List<Scenario.Fault> faults(Optional<Topology> topology) {
        if (isFlowLevel && root.has("faults")) {
            root.wrongKey(
                    "faults",
                    "flows know no faults of cables; use level: packet, or leave them out");
            return List.of();
        }
        List<Scenario.Fault> all = new ArrayList<>();
        for (Section each : root.list("faults")) {
            String text = text(each);
            if (!text.isEmpty() && topology.isPresent()) {
                List<CableFault> cables = cables(each, text, topology.get());
                all.add(new Scenario.Fault(text, words(each), cables));
            }
        }
        return all;
    }

    /// The form of [FaultText]; empty where something is wrong.
    private String text(Section fault) {
        long fromPs = fault.ps("from", 0);
        long untilPs = fault.ps("until", CableFault.FOR_EVER);
        if (fault.has("until") && untilPs <= fromPs) {
            fault.wrong("until", "it is over before it begins; use a time after from");
            return "";
        }
        if (fault.has("down") && !fault.isTrue("down", true)) {
            fault.wrong("down", "a cable that is not down is no fault; use true, or leave it out");
            return "";
        }
        String what = what(fault);
        if (what.startsWith("flap") && !fault.has("until")) {
            fault.wrongKey("flap", "a cable flaps from a time until a time; add until");
            return "";
        }
        String when =
                fault.has("until") || fault.has("from")
                        ? "@" + us(fromPs) + "-" + (fault.has("until") ? us(untilPs) : "")
                        : "";
        return what.isEmpty() ? "" : fault.text("where", "") + "=" + what + when;
    }

    private static String what(Section fault) {
        if (fault.has("down")) {
            return "down";
        }
        if (fault.has("loss")) {
            return "loss:" + plain(fault.number("loss", 0));
        }
        if (fault.has("slow")) {
            return "slow:" + plain(fault.number("slow", 0));
        }
        Section flap = fault.section("flap");
        return flap.has("down") && flap.has("up")
                ? "flap:%s/%s".formatted(us(flap.ps("down", 1)), us(flap.ps("up", 1)))
                : "";
    }

    private static String words(Section fault) {
        Section flap = fault.section("flap");
        String what =
                fault.has("down")
                        ? "is down"
                        : fault.has("loss")
                                ? "loses %s %% of packets"
                                        .formatted(plain(100 * fault.number("loss", 0)))
                                : fault.has("slow")
                                        ? "has %s %% of its rate"
                                                .formatted(plain(100 * fault.number("slow", 0)))
                                        : "flaps, %s down and %s up"
                                                .formatted(
                                                        flap.text("down", ""), flap.text("up", ""));
        String from = fault.has("from") ? " from " + fault.text("from", "") : "";
        String until = fault.has("until") ? " until " + fault.text("until", "") : "";
        return "%s %s%s%s".formatted(fault.text("where", ""), what, from, until);
    }

    private static String us(long ps) {
        return plain(ps / PS_PER_US);
    }

    private static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    private List<CableFault> cables(Section fault, String text, Topology topology) {
        try {
            return FaultText.parse(text, topology, seed);
        } catch (IllegalArgumentException wrong) {
            String told = String.valueOf(wrong.getMessage());
            String start = "fault " + text + ": ";
            fault.wrong("where", told.startsWith(start) ? told.substring(start.length()) : told);
            return List.of();
        }
    }

    List<HostWork.SlowRank> slow() {
        List<HostWork.SlowRank> all = new ArrayList<>();
        for (Section each : root.list("slow_hosts")) {
            if (job.isEmpty()) {
                root.wrongKey(
                        "slow_hosts",
                        "only ranks of a collective or training can be slow; add one, or make the"
                                + " cable of the host slow by faults");
                return List.of();
            }
            int host = each.integer("host", 0);
            if (host >= job.get().ranks()) {
                each.wrong(
                        "host",
                        "no rank is on host %,d; use 0 to %,d"
                                .formatted(host, job.get().ranks() - 1));
                continue;
            }
            double factor = each.number("factor", 1);
            long delayNs = each.ps("delay", 0) / 1000;
            if (factor <= 1 && delayNs == 0) {
                each.wrongKey("host", "it would not be slow; add factor: 4, or delay: 20us");
                continue;
            }
            if (host >= 0) {
                each.made("factor", all, () -> with(all, host, factor, delayNs));
            }
        }
        return all;
    }

    private static List<HostWork.SlowRank> with(
            List<HostWork.SlowRank> all, int host, double factor, long delayNs) {
        all.add(new HostWork.SlowRank(host, Math.max(1, factor), delayNs));
        return all;
    }
}
