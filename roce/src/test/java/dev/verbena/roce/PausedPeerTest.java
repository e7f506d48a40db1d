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

    /// 4.096 µs · 2^16, for the first transmission and seven more, are 2.1 s.
    private static final int PATIENT_TIMEOUT = 16;

    private static final double SHORT_S = 0.3;
    private static final double LONG_S = 1;

    /// Of the 240 ms that a pause of 300 ms leaves.
    private static final long BUSY_NS = 100_000_000L;

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

    /// The peer stands still until the requests have ended: on a busy machine every timeout is
    /// late, and a pause of a stated length might end before the last of them.
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void theDefaultGivesUpAPeerThatStaysSilentAndSaysSo() {
        try (TransportDevice device = open();
                PeerProcess process = new PeerProcess();
                Traffic traffic = new Traffic(device)) {
            process.join("roce://" + TestAddresses.ipv4(), traffic, DEFAULT);
            runUntil(traffic, 20);
            process.stop();
            long beginNs = System.nanoTime();
            while (traffic.outstanding() > 0) {
                traffic.pump(STEP);
                assertThat(System.nanoTime() - beginNs)
                        .as("nanoseconds of %s", traffic)
                        .isLessThan(PATIENCE_NS);
            }
            System.out.printf(
                    "PausedPeerTest: given up after %.2f s: %s%n",
                    (System.nanoTime() - beginNs) / 1e9, traffic.failures());
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
            runUntil(traffic, 20);
            double worst = 0;
            for (int i = 0; i < times; i++) {
                worst = Math.max(worst, onePause(traffic, process, seconds, i));
            }
            System.out.printf(
                    "PausedPeerTest: %d pauses of %.1f s (%.2f s at the most), timeout %s: no"
                            + " request failed, %s packets sent again%n",
                    times,
                    seconds,
                    worst,
                    timeout == DEFAULT ? "14 (default)" : Integer.toString(timeout),
                    device.counters().get("req_retransmits"));
        }
    }

    /// How many seconds the pause took. A machine that held this thread or the pause itself for
    /// long has held the peer as well, which proves nothing about the timeout.
    private static double onePause(
            Traffic traffic, PeerProcess process, double seconds, int number) {
        long done = traffic.leastDone() + 20;
        long beginNs = System.nanoTime();
        Process pause = process.pause(seconds);
        long pauseNs = 0;
        long heldNs = 0;
        while (traffic.leastDone() < done || pause.isAlive()) {
            long stepNs = System.nanoTime();
            traffic.pump(STEP);
            long nowNs = System.nanoTime();
            heldNs = Math.max(heldNs, nowNs - stepNs - STEP.toNanos());
            pauseNs = pause.isAlive() ? nowNs - beginNs : pauseNs;
            long lateNs = Math.max(heldNs, pauseNs - (long) (seconds * 1e9));
            assumeTrue(
                    traffic.failures().isEmpty() || lateNs < BUSY_NS,
                    () -> "a busy machine held its programs for %.2f s".formatted(lateNs / 1e9));
            assertThat(traffic.failures()).as("after pause %d", number + 1).isEmpty();
            assertThat(nowNs - beginNs).as("ns with %s", traffic).isLessThan(PATIENCE_NS);
        }
        return pauseNs / 1e9;
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
