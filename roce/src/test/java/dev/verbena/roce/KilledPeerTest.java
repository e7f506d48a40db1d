package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.DeviceLimits;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// `kill -9` of the peer in mid-transfer: what was under way fails in time and says why, others are
/// served meanwhile, nothing is left, and the peer can come back.
@Tag("peers")
class KilledPeerTest {
    /// With `-Dcampaign=2` or more, as in CI; else a few.
    private static final int MOMENTS = 100;

    private static final int FEW_MOMENTS = 4;

    /// The acknowledgement timeout of a connection, 4.096 µs · 2^14, for the first transmission and
    /// seven more: then the peer is given up.
    private static final double BUDGET_S = 8 * 4.096e-6 * (1 << 14);

    /// The budget runs from the last answer, and whoever waits must get a processor.
    private static final double BOUND_S = 2;

    /// So long a request that does not end is waited for, to tell late from never.
    private static final double HOPELESS_S = 20;

    private static final int DEFAULT_TIMEOUT = -1;
    private static final Duration STEP = Duration.ofMillis(5);
    private static final long LONGEST_MS = 250;
    private static final long PATIENCE_NS = 30_000_000_000L;

    /// Just enough for this traffic and the innocent one: what a dead peer leaves would not fit.
    private static final DeviceLimits LIMITS =
            new DeviceLimits(
                    8, 2, 8, 1, 1, 1, 1, 1, 64, 256, 4, 64, 256, 16, 16, 1L << 20, 1L << 20, 16);

    private static final DeviceLimits ROOMY =
            new DeviceLimits(
                    64, 64, 64, 1, 1, 1, 1, 1, 64, 1024, 4, 64, 256, 16, 16, 1L << 20, 1L << 20,
                    16);

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void whatIsUnderWayFailsInTimeAndThePeerComesBack() throws Exception {
        SplittableRandom random = Seed.forTest("KilledPeerTest", 5).random();
        int moments = Seed.campaign(MOMENTS) > MOMENTS ? MOMENTS : FEW_MOMENTS;
        String mateUri = "roce://" + Places.ipv4();
        double worst = 0;
        try (TransportDevice device = open(Places.ipv4(), LIMITS);
                Innocent innocent =
                        new Innocent(device, open(Places.ipv4(), ROOMY))) {
            long files = 0;
            for (int i = 0; i < moments; i++) {
                try (Mate mate = new Mate();
                        Traffic traffic = new Traffic(device)) {
                    mate.join(mateUri, traffic, DEFAULT_TIMEOUT);
                    runUntil(traffic, 20);
                    run(traffic, random.nextLong(LONGEST_MS * 1_000_000));
                    worst = Math.max(worst, kill(device, mate, traffic));
                    assertThat(traffic.failures().keySet())
                            .as("how requests of the dead peer ended")
                            .isSubsetOf(CompletionStatus.RETRY_EXCEEDED, CompletionStatus.FLUSHED)
                            .contains(CompletionStatus.RETRY_EXCEEDED);
                }
                innocent.requireUndisturbed();
                if (i == 0) {
                    files = openFiles();
                }
            }
            assertThat(openFiles()).as("open files").isLessThanOrEqualTo(files);
            System.out.printf(
                    "KilledPeerTest: %d peers killed, the last request ended %.2f s later at the"
                            + " latest (retry budget %.2f s, bound %.0f s); meanwhile %,d requests of"
                            + " another peer, none failed%n",
                    moments, worst, BUDGET_S, BOUND_S, innocent.done());
        }
    }

    private static TransportDevice open(String place, DeviceLimits limits) {
        return RoceProvider.open(
                RoceUri.parse(URI.create("roce://" + place)), options -> options.limits(limits));
    }

    /// Every lane has finished so many requests: the connections work.
    private static void runUntil(Traffic traffic, long done) {
        long endNs = System.nanoTime() + PATIENCE_NS;
        while (traffic.leastDone() < done) {
            traffic.pump(STEP);
            assertThat(traffic.failures()).as("before anybody was killed").isEmpty();
            assertThat(System.nanoTime()).as("time to connect").isLessThan(endNs);
        }
    }

    private static void run(Traffic traffic, long ns) {
        long endNs = System.nanoTime() + ns;
        while (System.nanoTime() < endNs) {
            traffic.pump(Duration.ofNanos(Math.max(0, endNs - System.nanoTime())));
        }
        assertThat(traffic.failures()).as("before anybody was killed").isEmpty();
    }

    /// Kills the peer; returns the seconds until the last request has ended.
    private static double kill(TransportDevice device, Mate mate, Traffic traffic) {
        mate.kill();
        long beginNs = System.nanoTime();
        double seconds = 0;
        while (traffic.outstanding() > 0 && seconds < HOPELESS_S) {
            traffic.pump(STEP);
            seconds = (System.nanoTime() - beginNs) / 1e9;
        }
        assertThat(seconds)
                .as(
                        "seconds until all requests to a dead peer ended; %d are open, %s, %s",
                        traffic.outstanding(), traffic.failures(), device.counters())
                .isLessThan(BOUND_S);
        return seconds;
    }

    private static long openFiles() throws Exception {
        Path own = Path.of("/proc/self/fd");
        if (!Files.isDirectory(own)) {
            return 0;
        }
        try (Stream<Path> files = Files.list(own)) {
            return files.count();
        }
    }
}
