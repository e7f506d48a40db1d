package dev.verbena.fabric;

import java.util.List;

/// What is known of deadlocks, storms and bit errors; see [Validation].
final class PathologyValidation {
    private static final double MS = 1e9;

    private PathologyValidation() {}

    static void validate(List<Validation> all) {
        String model = "theory: a slotted model of the ring";
        all.add(
                exact(
                        "ring of 3, flows of 0.50, packets that arrive",
                        "all of 3 * 20,000",
                        60_000,
                        DeadlockTest.arriving(0.5, false),
                        model));
        all.add(
                exact(
                        "the same with flows of 0.51: deadlock",
                        "1 if nothing gets on",
                        1,
                        DeadlockTest.arriving(0.51, false) == 0 ? 1 : 0,
                        model));
        all.add(
                exact(
                        "flows of 1, inputs served in turn",
                        "all of 3 * 20,000",
                        60_000,
                        DeadlockTest.arriving(1, true),
                        model));
        storms(all);
    }

    private static void storms(List<Validation> all) {
        List<WatchdogEvent> seen =
                PfcWatchdogTest.storm(WatchdogSettings.SONIC, 100_000_000_000L, 800_000_000_000L);
        all.add(
                new Validation(
                        "pause storm until the watchdog cuts it off",
                        "200 to 400 ms",
                        "ms",
                        300,
                        seen.getFirst().timePs() / MS - 100,
                        1.0 / 3,
                        "SONiC's rules and defaults"));
        all.add(
                new Validation(
                        "last pause until the queue is served again",
                        "200 to 400 ms",
                        "ms",
                        300,
                        seen.getLast().timePs() / MS - 800,
                        1.0 / 3,
                        "SONiC's rules and defaults"));
        all.add(
                new Validation(
                        "codewords that KP4 loses at a BER of 2.4e-4, of 1e13",
                        "1e13 sum of C(544,k) s^k (1-s)^(544-k), k > 15",
                        "",
                        8.2,
                        1e13 * Kp4.codewordLoss(2.4e-4),
                        0.01,
                        "theory: independent errors"));
        all.add(
                new Validation(
                        "victim of a 7:1 incast, adaptive routing, switches drop",
                        "all of its link",
                        "",
                        1,
                        VictimTest.besideSevenToOne(FabricKind.Spread.ADAPTIVE, false),
                        0.03,
                        "order only: published as no loss"));
        all.add(
                new Validation(
                        "the same with pauses",
                        "as each of the seven, 1/7",
                        "",
                        1 / 7.0,
                        VictimTest.besideSevenToOne(FabricKind.Spread.ADAPTIVE, true),
                        0.5,
                        "order only: published as a loss of 75 to 92 %"));
    }

    private static Validation exact(
            String subject, String form, long expected, long simulated, String rest) {
        return new Validation(subject, form, "", expected, simulated, 0, rest);
    }
}
