package dev.verbena.lint;

import dev.verbena.fabric.BufferSettings;
import dev.verbena.fabric.Thresholds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// Do switches mark packets of lossless queues, early enough and not too early?
final class MarkingRule implements Rule {
    /// Two inputs are the fewest that can fill an output.
    private static final int INPUTS = 2;

    /// The parts of a bandwidth-delay product between which queues of the Ultra Ethernet reference
    /// simulator mark.
    private static final double LEAST_PART = 0.2;

    private static final double MOST_PART = 0.8;
    private static final double BYTES_PER_MEGABIT_US = 1 / 8.0;

    @Override
    public void check(Scene scene, Findings findings) {
        for (SwitchConfig config : scene.switches()) {
            for (SwitchPort port : config.pausing()) {
                for (int priority : config.hasBuffers() ? port.lossless() : port.pfc) {
                    queue(config, port, priority, scene.assumptions(), findings);
                }
            }
        }
    }

    private static void queue(
            SwitchConfig config,
            SwitchPort port,
            int priority,
            Assumptions assumptions,
            Findings findings) {
        int queue = port.queueOf(priority);
        MarkingProfile profile = port.marking.get(queue);
        if (profile == null) {
            findings.ofPort(
                    Code.VL401,
                    port.name,
                    port.place,
                    "queue %d of lossless priority %d has no wred_profile"
                            .formatted(queue, priority),
                    List.of(port.place.says("no QUEUE row with a wred_profile for " + queue)),
                    "Give it a profile with ecn_all.");
        } else if (!profile.marks()) {
            drops(port, queue, profile, findings);
        } else if (isOff(profile)) {
            findings.ofPort(
                    Code.VL406,
                    port.name,
                    profile.place(),
                    "profile %s marks no green packets".formatted(Shown.word(profile.name())),
                    offEvidence(profile),
                    "Set wred_green_enable to true and a green_drop_probability above 0.");
        } else if (profile.least().isPresent() && profile.most().isPresent()) {
            thresholds(config, port, priority, profile, assumptions, findings);
        }
    }

    private static void drops(
            SwitchPort port, int queue, MarkingProfile profile, Findings findings) {
        String ecn = profile.ecn().map(Setting::text).orElse("is not there");
        findings.ofPort(
                Code.VL402,
                port.name,
                profile.ecn().map(Setting::place).orElse(profile.place()),
                "profile %s of lossless queue %d drops, since its ecn is no kind that marks"
                        .formatted(Shown.word(profile.name()), queue),
                List.of(
                        profile.ecn()
                                .map(Setting::place)
                                .orElse(profile.place())
                                .says("ecn " + Shown.word(ecn))),
                "Set ecn to ecn_all.");
    }

    private static boolean isOff(MarkingProfile profile) {
        return profile.greenEnable().filter(it -> it.text().equals("false")).isPresent()
                || profile.percent().filter(it -> it.value() == 0).isPresent();
    }

    private static List<String> offEvidence(MarkingProfile profile) {
        List<String> evidence = new ArrayList<>();
        profile.greenEnable()
                .ifPresent(it -> evidence.add(it.place().says("wred_green_enable " + it.text())));
        profile.percent()
                .ifPresent(
                        it ->
                                evidence.add(
                                        it.place().says("green_drop_probability " + it.value())));
        return evidence;
    }

    private static void thresholds(
            SwitchConfig config,
            SwitchPort port,
            int priority,
            MarkingProfile profile,
            Assumptions assumptions,
            Findings findings) {
        Figure least = profile.least().orElseThrow();
        Figure most = profile.most().orElseThrow();
        List<String> evidence =
                List.of(
                        least.place().says("green_min_threshold %,d".formatted(least.value())),
                        most.place().says("green_max_threshold %,d".formatted(most.value())));
        if (least.value() > most.value()) {
            findings.ofPort(
                    Code.VL403,
                    port.name,
                    least.place(),
                    "profile %s begins to mark above its end".formatted(Shown.word(profile.name())),
                    evidence,
                    "Make green_min_threshold the smaller one.");
            return;
        }
        OptionalDouble pause = pausesFrom(port, priority);
        if (pause.isEmpty()) {
            findings.unjudged(
                    config.place(),
                    "whether switches mark before they pause",
                    "size of the pool, and dynamic_th or static_th of the lossless profile");
        } else if (least.value() >= pause.getAsDouble()) {
            findings.ofPort(
                    Code.VL404,
                    port.name,
                    least.place(),
                    "marks from %,d bytes, and pauses from %,.0f in a queue of two inputs"
                            .formatted(least.value(), pause.getAsDouble()),
                    evidence,
                    "Lower both thresholds, or raise the share of the lossless profile.");
            return;
        }
        roundTrip(config, port, profile, assumptions, evidence, findings);
    }

    private static OptionalDouble pausesFrom(SwitchPort port, int priority) {
        Optional<BufferProfile> profile =
                port.group(port.groupOf(priority)).flatMap(BufferProfile.Use::profile);
        Optional<Figure> fixed = profile.flatMap(BufferProfile::staticTh);
        if (fixed.isPresent() && fixed.get().value() > 0) {
            int xoff = (int) Math.min(fixed.get().value(), Integer.MAX_VALUE);
            return OptionalDouble.of(
                    Thresholds.pausesFrom(BufferSettings.fixed(xoff, 0, 0), INPUTS));
        }
        Optional<Figure> power = profile.flatMap(BufferProfile::dynamicTh);
        Optional<Figure> size = profile.flatMap(BufferProfile::pool).flatMap(BufferPool::size);
        if (power.isEmpty() || size.isEmpty() || size.get().value() < 1) {
            return OptionalDouble.empty();
        }
        double alpha = Math.scalb(1.0, power.get().asInt());
        BufferSettings buffer = new BufferSettings(size.get().value(), 1, 0, 0, 0, alpha);
        return OptionalDouble.of(Thresholds.pausesFrom(buffer, INPUTS));
    }

    private static void roundTrip(
            SwitchConfig config,
            SwitchPort port,
            MarkingProfile profile,
            Assumptions assumptions,
            List<String> evidence,
            Findings findings) {
        if (assumptions.roundTripUs().isEmpty() || port.speedMbits.isEmpty()) {
            findings.unjudged(
                    config.place(),
                    "whether marks come so early that links run empty",
                    "the round trip of an empty network: --round-trip");
            return;
        }
        long mbits = port.speedMbits.get().value();
        double product = mbits * assumptions.roundTripUs().getAsDouble() * BYTES_PER_MEGABIT_US;
        double least = profile.least().orElseThrow().value();
        double most = profile.most().orElseThrow().value();
        if (least < LEAST_PART * product || most < MOST_PART * product) {
            findings.ofPort(
                    Code.VL405,
                    port.name,
                    profile.place(),
                    "marks from %,.0f to %,.0f bytes, and a round trip at %d Gb/s holds %,.0f"
                            .formatted(least, most, mbits / 1_000, product),
                    evidence,
                    "Use at least %,.0f and %,.0f bytes."
                            .formatted(LEAST_PART * product, MOST_PART * product));
        }
    }
}
