package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.testkit.Seed;
import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.CompletionStatus;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A peer that stands still for a while, as one that collects garbage does: `SIGSTOP` in
/// mid-transfer, then `SIGCONT`.
@Tag("long")
@Tag("peers")
class PausedPeerTest {
    private static final int DEFAULT = -1;
    private static final int DEFAULT_TIMEOUT = 14;

    /// 4.096 µs · 2^16, for the first transmission and seven more, are 2.1 s.
    private static final int PATIENT_TIMEOUT = 16;

    private static final double SHORT_S = 0.3;
    private static final double LONG_S = 1;
    private static final Duration STEP = Duration.ofMillis(5);
    private static final long PATIENCE_NS = 30_000_000_000L;

    @BeforeAll
    static void signals() {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "stops processes by signals");
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void pausesOfThreeHundredMillisecondsLoseNoConnection() {
        pauses(SHORT_S, DEFAULT, Seed.campaign(100) > 100 ? 20 : 5);
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void aPatientTimeoutSurvivesASecond() {
        pauses(LONG_S, PATIENT_TIMEOUT, Seed.campaign(100) > 100 ? 20 : 2);
    }

    /// What the default does about a second is no promise, but it must say why.
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void aSecondIsTooLongForTheDefaultAndItSaysSo() throws InterruptedException {
        try (TransportDevice device = open();
                PeerProcess process = new PeerProcess();
                Traffic traffic = new Traffic(device)) {
            process.join("roce://" + TestAddresses.ipv4(), traffic, DEFAULT);
            runUntil(traffic, 20);
            Process pause = process.pause(LONG_S);
            long endNs = System.nanoTime() + PATIENCE_NS;
            while (traffic.outstanding() > 0) {
                traffic.pump(STEP);
                assertThat(System.nanoTime()).as("requests end in time").isLessThan(endNs);
            }
            pause.waitFor();
            System.out.println("PausedPeerTest: 1 s with defaults: " + traffic.failures());
            assertThat(traffic.failures().keySet())
                    .isSubsetOf(CompletionStatus.RETRY_EXCEEDED, CompletionStatus.FLUSHED)
                    .contains(CompletionStatus.RETRY_EXCEEDED);
        }
    }

    private static void pauses(double seconds, int timeout, int times) {
        try (TransportDevice device = open();
                PeerProcess process = new PeerProcess();
                Traffic traffic = new Traffic(device)) {
            process.join("roce://" + TestAddresses.ipv4(), traffic, timeout);
            long worstNs = 0;
            for (int i = 0; i < times; i++) {
                runUntil(traffic, traffic.leastDone() + 20);
                long beginNs = System.nanoTime();
                Process pause = process.pause(seconds);
                while (pause.isAlive()) {
                    traffic.pump(STEP);
                }
                long tookNs = System.nanoTime() - beginNs;
                worstNs = Math.max(worstNs, tookNs);
                assumeTrue(
                        traffic.failures().isEmpty() || tookNs / 1e9 < budgetSeconds(timeout),
                        () ->
                                "a busy machine made %.1f s of pause %.2f s"
                                        .formatted(seconds, tookNs / 1e9));
                assertThat(traffic.failures()).as("after pause %d", i + 1).isEmpty();
            }
            runUntil(traffic, traffic.leastDone() + 20);
            System.out.printf(
                    "PausedPeerTest: %d pauses of %.1f s (%.2f s at the most), timeout %s: no"
                            + " request failed, %s packets sent again%n",
                    times,
                    seconds,
                    worstNs / 1e9,
                    timeout == DEFAULT ? "14 (default)" : Integer.toString(timeout),
                    device.counters().get("req_retransmits"));
        }
    }

    /// How long a peer may be silent: the first transmission and seven more.
    private static double budgetSeconds(int timeout) {
        return 8 * 4.096e-6 * (1 << (timeout == DEFAULT ? DEFAULT_TIMEOUT : timeout));
    }

    private static TransportDevice open() {
        return RoceProvider.open(
                RoceUri.parse(URI.create("roce://" + TestAddresses.ipv4())), options -> {});
    }

    private static void runUntil(Traffic traffic, long done) {
        long endNs = System.nanoTime() + PATIENCE_NS;
        while (traffic.leastDone() < done) {
            traffic.pump(STEP);
            assertThat(traffic.failures()).as("failed requests").isEmpty();
            assertThat(System.nanoTime()).as("time to go on").isLessThan(endNs);
        }
    }
}
