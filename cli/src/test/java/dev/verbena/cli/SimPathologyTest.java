package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Storms, circles and routing, from the command line to the result.
class SimPathologyTest {
    private static final String RING = "--topology torus:6 --pattern shift --by 2 --size 2M ";

    @ParameterizedTest
    @ValueSource(strings = {"--xoff 200K", "--fabric ib"})
    void aRingInOneLaneLocksAndASecondLaneCuresIt(String kind) throws IOException {
        SimRun locked = SimRun.of(RING + kind + " --one-lane");
        assertThat(locked.value("deadlock.ports")).isEqualTo("6");
        SimRun cured = SimRun.of(RING + kind);
        assertThat(cured.values()).doesNotContainKey("deadlock.ports");
        assertThat(cured.command().status()).isZero();
    }

    @Test
    void aWatchdogLetsTheVictimOfAStormGetOn() throws IOException {
        String storm =
                "--hosts 4 --tiers 1 --qp-timeout 18 --limit 450000 --xoff 100K"
                        + " --workload stuck:from=1,to=0,size=1M"
                        + " --workload victim:from=1,to=2,size=1M"
                        + " --fault host-0=storm@0- --watchdog ";
        SimRun alert = SimRun.of(storm + "alert");
        assertThat(alert.value("watchdog[0].neighbour")).isEqualTo("host 0");
        assertThat(alert.value("watchdog[0].time_ms")).isEqualTo("400.0");
        SimRun drop = SimRun.of(storm + "drop");
        assertThat(drop.number("packets_lost")).isPositive();
        assertThat(drop.number("flows_pending")).isEqualTo(1);
        assertThat(alert.number("flows_pending")).isEqualTo(2);
    }
}
