package dev.verbena.scenario.compare;

import dev.verbena.scenario.Metric;
import dev.verbena.scenario.compare.Comparison.Side;
import dev.verbena.scenario.run.Measures;
import dev.verbena.scenario.run.Outcome;
import dev.verbena.scenario.run.Ports;
import dev.verbena.scenario.run.WorkTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Why one of two runs takes longer: the counters in which the slower one is clearly worse, causes
/// before their effects.
final class Reasons {
    /// Below it, times are the same.
    private static final double SAME = 1.01;

    private static final double CROWDED = 0.75;
    private static final double CLEARLY = 1.25;
    private static final double TWICE = 2;
    private static final double POINTS = 3;
    private static final double MARK_POINTS = 1;
    private static final double FULL = 60;
    private static final double QUEUE_LEAST = 65_536;
    private static final double PERCENT = 100;

    private final Side slow;
    private final Side fast;
    private final String name;
    private final double slowUs;
    private final double fastUs;
    private final List<String> all = new ArrayList<>();

    /// The workload whose longest time differs the most decides which is the slower one.
    Reasons(Side a, Side b) {
        String chosen = "";
        double most = 0;
        List<WorkTimes> works = a.result().outcome().works();
        for (WorkTimes each : works) {
            double ratio = Math.abs(Math.log(longest(a, each.name()) / longest(b, each.name())));
            if (ratio >= most) {
                most = ratio;
                chosen = each.name();
            }
        }
        double aUs = longest(a, chosen);
        double bUs = longest(b, chosen);
        slow = bUs >= aUs ? b : a;
        fast = bUs >= aUs ? a : b;
        slowUs = Math.max(aUs, bUs);
        fastUs = Math.min(aUs, bUs);
        name = works.size() > 1 ? chosen + ": " : "";
        failures();
        losses();
        crowding();
        holding();
        control();
        hottest();
        rest(works);
    }

    String headline() {
        int slowLeft = left(slow);
        int fastLeft = left(fast);
        if (slowLeft != fastLeft) {
            boolean isSlow = slowLeft > fastLeft;
            return "%s%s does not finish %,d of its work, %s does not finish %,d."
                    .formatted(
                            name,
                            (isSlow ? slow : fast).label(),
                            Math.max(slowLeft, fastLeft),
                            (isSlow ? fast : slow).label(),
                            Math.min(slowLeft, fastLeft));
        }
        if (Double.isNaN(slowUs)) {
            return "%s%s and %s cannot be compared: in one of them nothing is over."
                    .formatted(name, fast.label(), slow.label());
        }
        if (!(slowUs >= SAME * fastUs)) {
            return "%s%s and %s take the same time: %s and %s."
                    .formatted(name, fast.label(), slow.label(), us(fastUs), us(slowUs));
        }
        return "%s%s takes %s times as long as %s: %s instead of %s for the slowest %s."
                .formatted(
                        name,
                        slow.label(),
                        number(slowUs / fastUs),
                        fast.label(),
                        us(slowUs),
                        us(fastUs),
                        unit());
    }

    List<String> all() {
        return all;
    }

    private static int left(Side side) {
        return side.result().outcome().works().stream()
                .mapToInt(it -> it.wanted() - it.timesUs().size())
                .sum();
    }

    private String unit() {
        return outcome(slow)
                .job()
                .map(it -> Double.isNaN(it.exposedPercent()) ? "operation" : "step")
                .orElse("message");
    }

    private static double longest(Side side, String work) {
        return side.result().measures().of(work, Metric.MAX);
    }

    private static Outcome outcome(Side side) {
        return side.result().outcome();
    }

    private static Ports ports(Side side) {
        return side.result().measures().ports();
    }

    private static double value(Side side, Metric metric) {
        return side.result().measures().of("", metric);
    }

    /// A count of which the slower run has more.
    private void more(Metric metric, String sentence) {
        double one = value(slow, metric);
        double other = value(fast, metric);
        if (one > CLEARLY * other) {
            all.add(
                    sentence.formatted(
                            slow.label(),
                            Measures.text(metric, one),
                            fast.label(),
                            Measures.text(metric, other)));
        }
    }

    private void failures() {
        if (outcome(slow).deadlock().isPresent() && outcome(fast).deadlock().isEmpty()) {
            all.add("ports of %s wait for each other in a circle".formatted(slow.label()));
        }
        more(Metric.FAILED, "queue pairs gave up: %s %s, %s %s");
    }

    private void losses() {
        int before = all.size();
        more(Metric.DROPS, "packets that full buffers dropped: %s %s, %s %s");
        more(Metric.LOST, "packets that cables lost: %s %s, %s %s");
        boolean isMore = all.size() > before;
        Optional<Integer> worst = ports(slow).mostErrors();
        if (isMore && worst.isPresent()) {
            all.add(
                    "in %s most of them at %s"
                            .formatted(slow.label(), ports(slow).cable(worst.get())));
        }
        more(Metric.TIMEOUTS, "waits for an acknowledgement that ran out: %s %s, %s %s");
        more(Metric.RETRANSMITS, "packets sent again: %s %s, %s %s");
    }

    private void crowding() {
        double one = ports(slow).meanUplink();
        double other = ports(fast).meanUplink();
        if (one > CROWDED && one > CLEARLY * other) {
            all.add(
                    "the uplinks of %s are busy %.0f %% of the time on average, those of %s %.0f %%"
                            .formatted(slow.label(), PERCENT * one, fast.label(), PERCENT * other));
        }
        Optional<Ports.Imbalance> uneven = ports(slow).imbalance();
        double before = ports(fast).imbalance().map(Ports.Imbalance::factor).orElse(1.0);
        if (uneven.isPresent() && uneven.get().factor() > CLEARLY * before) {
            Ports.Imbalance it = uneven.get();
            all.add(
                    ("%s puts %s times the mean of the %d uplinks of %s on one of them,"
                                    + " %s at most %s")
                            .formatted(
                                    slow.label(),
                                    number(it.factor()),
                                    it.of(),
                                    it.node(),
                                    fast.label(),
                                    number(before)));
        }
    }

    private void hottest() {
        Optional<Integer> one = ports(slow).busiest();
        Optional<Integer> other = ports(fast).busiest();
        if (one.isEmpty() || other.isEmpty()) {
            return;
        }
        double slowBusy = PERCENT * ports(slow).busy(one.get());
        double fastBusy = PERCENT * ports(fast).busy(other.get());
        if (Math.max(slowBusy, fastBusy) < FULL) {
            return;
        }
        all.add(
                "the hottest link of %s, %s, is busy %.0f %% of the time; that of %s, %s, %.0f %%"
                        .formatted(
                                slow.label(),
                                ports(slow).text(one.get()),
                                slowBusy,
                                fast.label(),
                                ports(fast).text(other.get()),
                                fastBusy));
    }

    /// Pauses and missing credits.
    private void holding() {
        double one = heldPercent(slow);
        double other = heldPercent(fast);
        if (one < other + POINTS) {
            return;
        }
        int port = ports(slow).longestHeld().orElseThrow();
        all.add(
                "%s held %s of %s back for %.0f %% of the time; in %s no port longer than %.0f %%"
                        .formatted(
                                isInfiniBand(slow) ? "missing credits" : "pauses",
                                ports(slow).text(port),
                                slow.label(),
                                one,
                                fast.label(),
                                other));
        more(Metric.PAUSES, "pause frames: %s %s, %s %s");
    }

    private static boolean isInfiniBand(Side side) {
        return outcome(side).scenario().network().isInfiniBand();
    }

    private static double heldPercent(Side side) {
        return PERCENT * ports(side).longestHeld().map(ports(side)::held).orElse(0.0);
    }

    private void control() {
        double one = value(slow, Metric.MARKED);
        double other = value(fast, Metric.MARKED);
        if (one > other + MARK_POINTS) {
            all.add(
                    "switches of %s marked %.1f %% of the packets and senders slowed down, of %s"
                                    .formatted(slow.label(), one, fast.label())
                            + " %.1f %%".formatted(other));
        }
        double deep = value(slow, Metric.PEAK_QUEUE);
        double flat = value(fast, Metric.PEAK_QUEUE);
        if (deep > QUEUE_LEAST && deep > TWICE * flat) {
            more(Metric.PEAK_QUEUE, "the fullest buffer: %s %s, %s %s");
        }
    }

    /// What is no counter of packets.
    private void rest(List<WorkTimes> works) {
        for (WorkTimes each : works) {
            double ratio = longest(fast, each.name()) / longest(slow, each.name());
            if (ratio > CLEARLY) {
                all.add(
                        "the other way round, %s takes %s times as long in %s"
                                .formatted(each.name(), number(ratio), fast.label()));
            }
        }
        String one = algorithm(slow);
        String other = algorithm(fast);
        if (!one.equals(other)) {
            all.add(
                    "%s combines by %s, %s by %s"
                            .formatted(slow.label(), one, fast.label(), other));
        }
        long slowNs = outcome(slow).scenario().network().line().roundTripNs();
        long fastNs = outcome(fast).scenario().network().line().roundTripNs();
        if (slowNs > CLEARLY * fastNs) {
            all.add(
                    "a packet and its answer need %s across an idle fabric of %s, %s in %s"
                            .formatted(
                                    us(slowNs / 1e3),
                                    slow.label(),
                                    us(fastNs / 1e3),
                                    fast.label()));
        }
        if (all.isEmpty()) {
            all.add("no counter differs enough to explain it");
        }
    }

    private static String algorithm(Side side) {
        return outcome(side).job().map(it -> it.algorithm()).orElse("");
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
}
