package dev.verbena.job.eyes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.collectives.trace.Verdict;
import dev.verbena.job.eyes.Planted.Fault;
import dev.verbena.testkit.Seed;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Faults that are planted by seed are named, 19 of 20 of them. All fifty of each kind:
/// `-Dcampaign=25`. Of a few runs one may miss, which says nothing against 19 of 20.
class CulpritTest {
    private static final long STEP = 1_000_003;

    /// In these, the cable of a host would be named for the one between leaf and spine.
    @ParameterizedTest
    @ValueSource(longs = {10_025_010, 19_025_037})
    void theLongestQueueShowsWhichCableIsSlow(long seed) {
        Planted planted = new Planted(Fault.SLOW_LINK, seed);
        Verdict verdict = planted.run();
        assertThat(verdict.culprit()).as(verdict.sentence()).isEqualTo(planted.culprit());
    }

    @ParameterizedTest
    @EnumSource
    void isNamed(Fault fault) {
        Seed seed = Seed.forTest("CulpritTest", 7_025_001);
        int runs = (int) Seed.campaign(2);
        int right = 0;
        int none = 0;
        for (int i = 0; i < runs; i++) {
            long own = seed.value() + i * STEP;
            Planted planted = new Planted(fault, own);
            Verdict verdict = planted.run();
            boolean isRight =
                    verdict.kind() == fault.kind && verdict.culprit().equals(planted.culprit());
            right += isRight ? 1 : 0;
            none += verdict.kind() == Verdict.Kind.NONE ? 1 : 0;
            if (!isRight) {
                System.out.printf("  -Dseed=%d: %s: %s%n", own, planted, verdict.sentence());
            }
        }
        System.out.printf(
                "CulpritTest: %-11s %3d runs, right %3d, nothing named %3d, wrong %3d%n",
                fault, runs, right, none, fault == Fault.NONE ? runs - right : runs - right - none);
        assertThat(runs - right).as("wrong").isLessThanOrEqualTo(Math.max(1, runs / 20));
    }
}
