package dev.verbena.scenario.run;

import dev.verbena.collectives.trace.Verdict;
import dev.verbena.fabric.Deadlock;
import dev.verbena.fabric.FabricKind;
import dev.verbena.scenario.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Finds what a run shows: the first of a list of causes that fits, the worst first.
final class Findings {
    private static final double PAUSED_PERCENT = 5;
    private static final double UNEQUAL = 1.5;
    private static final double LOADED = 0.6;
    private static final double FULL = 0.85;

    /// Uplinks are the limit when they are so busy, and hosts' cables so much less.
    private static final double CROWDED = 0.75;

    private static final double LESS = 0.7;
    private static final double SLOWER = 1.05;

    private final Outcome outcome;
    private final Measures measures;
    private final Ports ports;
    private final List<String> details = new ArrayList<>();

    private Findings(Outcome outcome, Measures measures) {
        this.outcome = outcome;
        this.measures = measures;
        ports = measures.ports();
    }

    static Finding of(Outcome outcome, Measures measures) {
        return new Findings(outcome, measures).find();
    }

    private Finding find() {
        Finding found =
                deadlock()
                        .or(this::failed)
                        .or(this::faults)
                        .or(this::judged)
                        .or(this::dropped)
                        .or(this::oversubscribed)
                        .or(this::paused)
                        .or(this::collided)
                        .or(this::full)
                        .orElseGet(this::nothing);
        if (!outcome.isPartial()) {
            return found;
        }
        return new Finding(
                "Stopped early. So far: " + found.headline(),
                found.culprit(),
                found.details(),
                found.remedy());
    }

    private Finding made(String headline, String culprit, String remedy) {
        return new Finding(headline, culprit, details, remedy);
    }

    private Optional<Finding> deadlock() {
        if (outcome.deadlock().isEmpty()) {
            return Optional.empty();
        }
        Deadlock found = outcome.deadlock().get();
        for (Deadlock.Wait each : found.cycle()) {
            details.add(
                    "%s port %d waits for %s, with %,d bytes"
                            .formatted(
                                    each.node(),
                                    each.port(),
                                    each.neighbour(),
                                    each.waitingBytes()));
        }
        return Optional.of(
                made(
                        "Deadlock: %,d ports wait for each other in a circle, for ever."
                                .formatted(found.cycle().size()),
                        found.cycle().getFirst().node(),
                        "Break the circle: routes that go up and then down only, or a second lane"
                                + " for the way around."));
    }

    private Optional<Finding> failed() {
        int failed = outcome.works().stream().mapToInt(WorkTimes::failed).sum();
        if (outcome.failed().isEmpty()) {
            return Optional.empty();
        }
        details.addAll(outcome.failed());
        errors();
        return Optional.of(
                made(
                        failed > 0
                                ? "%,d flow%s failed, whose queue pair gave up after seven tries."
                                        .formatted(failed, failed == 1 ? "" : "s")
                                : "The job failed: " + outcome.failed().getFirst() + ".",
                        ports.mostErrors().map(ports::cable).orElse(""),
                        "Find the cable or buffer that loses packets; a longer qp_timeout lets"
                                + " queue pairs survive a longer interruption."));
    }

    /// Where packets were lost or dropped the most.
    private void errors() {
        ports.mostErrors()
                .ifPresent(
                        it ->
                                details.add(
                                        ("%s counted %,d lost packets, drops and link"
                                                        + " failures, the most of all")
                                                .formatted(ports.text(it), ports.errors(it))));
    }

    private Optional<Finding> faults() {
        boolean isPlanned =
                !outcome.scenario().faults().isEmpty() || !outcome.scenario().slow().isEmpty();
        double slower = measures.of("", Metric.SLOWDOWN);
        if (!isPlanned || !outcome.scenario().hasBaseline() || Double.isNaN(slower)) {
            return Optional.empty();
        }
        outcome.scenario().faults().forEach(it -> details.add("planned: " + it.words()));
        outcome.scenario()
                .slow()
                .forEach(
                        it ->
                                details.add(
                                        "planned: rank %d takes %s"
                                                .formatted(
                                                        it.rank(),
                                                        slowness(it.factor(), it.moreNs()))));
        lost();
        double tookUs = measures.of("", Metric.MAX);
        String unit = unit();
        if (slower < SLOWER) {
            errors();
            return Optional.of(
                    made(
                            "The faults cost nothing that shows: the slowest %s took %s."
                                    .formatted(unit, us(tookUs)),
                            culprit(),
                            ""));
        }
        timeouts();
        errors();
        judgement().ifPresent(it -> details.add(it.sentence()));
        String name = culprit();
        return Optional.of(
                made(
                        "%s made the slowest %s %s times slower: %s instead of %s."
                                .formatted(
                                        subject(name),
                                        unit,
                                        number(slower),
                                        us(tookUs),
                                        us(tookUs / slower)),
                        name,
                        remedy()));
    }

    /// What a job lost in all: the slowest step is not the only one that may have.
    private void lost() {
        double lostUs = measures.of("", Metric.LOST_TIME);
        if (lostUs > 0) {
            WorkTimes job = outcome.works().getLast();
            double tookUs = job.timesUs().stream().mapToDouble(it -> it).sum();
            details.add(
                    "%s lost %s: %,d %ss took %s in all instead of %s"
                            .formatted(
                                    job.name(),
                                    us(lostUs),
                                    job.timesUs().size(),
                                    unit(),
                                    us(tookUs),
                                    us(tookUs - lostUs)));
        }
    }

    private String unit() {
        return outcome.job()
                .map(it -> Double.isNaN(it.exposedPercent()) ? "operation" : "step")
                .orElse("flow");
    }

    private static String subject(String culprit) {
        if (culprit.isEmpty()) {
            return "What goes wrong";
        }
        return culprit.contains(" port ") ? "The cable " + culprit : capital(culprit);
    }

    private static String slowness(double factor, long moreNs) {
        return factor > 1 ? number(factor) + " times as long" : moreNs + " ns more a message";
    }

    private void timeouts() {
        double timeouts = measures.of("", Metric.TIMEOUTS);
        if (timeouts > 0) {
            double us = 4.096 * (1L << outcome.scenario().network().qpTimeout());
            details.add(
                    "%,.0f waits for an acknowledgement ran out, after %s each"
                            .formatted(timeouts, us(us)));
        }
    }

    private Optional<Verdict> judgement() {
        return outcome.job()
                .flatMap(it -> Optional.ofNullable(it.verdict()))
                .filter(it -> it.kind() != Verdict.Kind.NONE);
    }

    /// What the counters and traces show, not what was planned.
    private String culprit() {
        Optional<Verdict> judged = judgement();
        return judged.map(Verdict::culprit)
                .orElseGet(() -> ports.mostErrors().map(ports::cable).orElse(""));
    }

    private String remedy() {
        if (judgement().filter(it -> it.kind() == Verdict.Kind.SLOW_RANK).isPresent()) {
            return "Take this host out of the job, then look at its clocks, its temperature and"
                    + " what else runs there.";
        }
        if (measures.of("", Metric.TIMEOUTS) > 0) {
            return "Replace the cable or its optics. A shorter qp_timeout ends the wait after a"
                    + " loss sooner; more queue pairs put less on one path.";
        }
        return "Replace the cable or its optics, or take it out of the routes until then.";
    }

    private Optional<Finding> judged() {
        return judgement()
                .map(
                        it -> {
                            details.addAll(it.reasons());
                            return made(capital(it.sentence()) + ".", it.culprit(), remedy());
                        });
    }

    private Optional<Finding> dropped() {
        long drops = outcome.counts().drops();
        if (drops == 0) {
            return Optional.empty();
        }
        errors();
        timeouts();
        String where = ports.mostErrors().map(ports::cable).orElse("");
        return Optional.of(
                made(
                        ("Switches dropped %,d packets because their buffers were full, the"
                                        + " most at %s.")
                                .formatted(drops, where.isEmpty() ? "one port" : where),
                        where,
                        "Pause the priority before it drops (pfc), slow the senders down"
                                + " (congestion_control), or give the switch a larger buffer."));
    }

    private Optional<Finding> paused() {
        boolean isInfiniBand = outcome.scenario().network().isInfiniBand();
        double percent = measures.of("", isInfiniBand ? Metric.CREDIT_WAIT : Metric.PAUSED_SHARE);
        if (percent < PAUSED_PERCENT || ports.longestHeld().isEmpty()) {
            return Optional.empty();
        }
        int held = ports.longestHeld().get();
        int busiest = ports.busiest().orElse(held);
        details.add(
                "the busiest link is %s, %.0f %% of the time"
                        .formatted(ports.text(busiest), 100 * ports.busy(busiest)));
        if (!isInfiniBand) {
            details.add(
                    "pause frames %,d, packets marked %s"
                            .formatted(
                                    outcome.counts().pauses(),
                                    Measures.text(Metric.MARKED, measures.of("", Metric.MARKED))));
        }
        return Optional.of(
                made(
                        "%s held %s back for %.0f %% of the time; %s %s."
                                .formatted(
                                        isInfiniBand ? "Missing credits" : "Pauses",
                                        ports.text(held),
                                        percent,
                                        ports.busy(busiest) >= FULL
                                                ? "the cause is the full link"
                                                : "the busiest link is",
                                        ports.text(busiest)),
                        ports.text(busiest),
                        isInfiniBand
                                ? "Fewer senders at once to one host, or a service level of its"
                                        + " own for traffic that must not wait."
                                : outcome.scenario().network().congestion().isOn()
                                        ? "Mark earlier, by ecn: many marks and few pauses are"
                                                + " healthy."
                                        : "Turn congestion_control on: many marks and few pauses"
                                                + " are healthy, the reverse is an alarm."));
    }

    private Optional<Finding> collided() {
        Optional<Ports.Imbalance> found = ports.imbalance();
        if (found.isEmpty()
                || found.get().factor() < UNEQUAL
                || ports.busy(found.get().port()) < LOADED) {
            return Optional.empty();
        }
        Ports.Imbalance worst = found.get();
        boolean isHashed =
                outcome.scenario().network().settings().kind() instanceof FabricKind.Ethernet roce
                        && roce.spread() == FabricKind.Spread.ECMP;
        details.add(
                "it was busy %.0f %% of the time, %s times the mean of the %d uplinks of %s"
                        .formatted(
                                100 * ports.busy(worst.port()),
                                number(worst.factor()),
                                worst.of(),
                                worst.node()));
        if (worst.idle() > 0) {
            details.add("%d of these uplinks were almost idle".formatted(worst.idle()));
        }
        return Optional.of(
                made(
                        "%s share %s while other uplinks of %s have room."
                                .formatted(
                                        isHashed ? "The hash lets flows" : "Flows",
                                        ports.text(worst.port()),
                                        worst.node()),
                        ports.text(worst.port()),
                        "More queue pairs for each connection give the hash more to spread;"
                                + " adaptive routing or fixed routes avoid it."));
    }

    private Optional<Finding> oversubscribed() {
        double uplinks = ports.meanUplink();
        double hosts = ports.meanHost();
        if (uplinks < CROWDED || hosts > LESS * uplinks) {
            return Optional.empty();
        }
        int busiest = ports.busiest().orElse(0);
        details.add(
                "uplinks were busy %.0f %% of the time on average, hosts' cables %.0f %%"
                        .formatted(100 * uplinks, 100 * hosts));
        return Optional.of(
                made(
                        "The uplinks are the limit: hosts could send more than they carry.",
                        ports.text(busiest),
                        "More uplinks for each leaf (a lower oversubscription), or place what"
                                + " talks to each other under one leaf."));
    }

    private Optional<Finding> full() {
        Optional<Integer> busiest = ports.busiest().filter(it -> ports.busy(it) >= FULL);
        if (busiest.isEmpty()) {
            return Optional.empty();
        }
        String where = ports.text(busiest.get());
        boolean isToHost = ports.isHost(ports.get(busiest.get()).neighbour());
        details.add("no packet was dropped, and no port was held back for long");
        return Optional.of(
                made(
                        "%s is the limit: it was busy %.0f %% of the time%s."
                                .formatted(
                                        capital(where),
                                        100 * ports.busy(busiest.get()),
                                        isToHost ? ", as it must be where many send to one" : ""),
                        where,
                        ""));
    }

    private Finding nothing() {
        WorkTimes all = Measures.merged(outcome, "");
        ports.busiest()
                .ifPresent(
                        it ->
                                details.add(
                                        "the busiest link, %s, was busy %.0f %% of the time"
                                                .formatted(ports.text(it), 100 * ports.busy(it))));
        boolean isAll = all.timesUs().size() == all.wanted();
        String headline =
                isAll
                        ? "Nothing stands out: everything came to its end."
                        : "%,d of %,d are not over when the time ends."
                                .formatted(all.wanted() - all.timesUs().size(), all.wanted());
        return made(headline, "", isAll ? "" : "Allow more time with limit.");
    }

    private static String us(double us) {
        if (us >= 1e6) {
            return number(us / 1e6) + " s";
        }
        return us >= 1000 ? number(us / 1000) + " ms" : number(us) + " us";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value);
    }

    private static String capital(String text) {
        return text.isEmpty()
                ? text
                : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }
}
