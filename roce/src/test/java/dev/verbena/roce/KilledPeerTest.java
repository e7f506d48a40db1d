package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.testkit.OpenFiles;
import dev.verbena.testkit.Seed;
import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.DeviceLimits;
import java.net.URI;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// `kill -9` of the peer in mid-transfer: what was under way fails in time and says why, others are
/// served meanwhile, nothing is left, and the peer can come back.
@Tag("long")
@Tag("peers")
class KilledPeerTest {
    /// With `-Dcampaign=2` or more, as in CI; else a few.
    private static final int MOMENTS = 100;

    private static final int FEW_MOMENTS = 4;

    /// The first transmission and seven more: then the peer is given up.
    private static final int TRANSMISSIONS = 8;

    /// The acknowledgement timeout of a connection, 4.096 µs · 2^14, for each of them.
    private static final double BUDGET_S = TRANSMISSIONS * 4.096e-6 * (1 << 14);

    private static final long LANES = Traffic.Kind.values().length;

    /// So long a request that does not end is waited for.
    private static final double HOPELESS_S = 60;

    private static final int DEFAULT_TIMEOUT = -1;
    private static final Duration STEP = Duration.ofMillis(5);
    private static final long LONGEST_MS = 250;
    private static final long PATIENCE_NS = 30_000_000_000L;

    /// Just enough for this traffic and the bystander connection: what a dead peer leaves would not
    /// fit.
    private static final DeviceLimits LIMITS =
            DeviceLimits.builder()
                    .queuePairs(8)
                    .completionQueues(2)
                    .memoryRegions(8)
                    .memoryWindows(1)
                    .sharedReceiveQueues(1)
                    .addressHandles(1)
                    .multicastGroups(1)
                    .multicastAttachments(1)
                    .workRequests(64)
                    .workRequestsInAll(256)
                    .scatterGather(4)
                    .inlineBytes(64)
                    .completions(256)
                    .readsAsInitiator(16)
                    .readsAsResponder(16)
                    .regionBytes(1L << 20)
                    .messageBytes(1L << 20)
                    .pendingEvents(16)
                    .build();

    private static final DeviceLimits ROOMY =
            LIMITS.toBuilder()
                    .queuePairs(64)
                    .completionQueues(64)
                    .memoryRegions(64)
                    .workRequestsInAll(1024)
                    .build();

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void whatIsUnderWayFailsInTimeAndThePeerComesBack() throws Exception {
        SplittableRandom random = Seed.forTest("KilledPeerTest", 5).random();
        int moments = Seed.campaign(MOMENTS) > MOMENTS ? MOMENTS : FEW_MOMENTS;
        String mateUri = "roce://" + TestAddresses.ipv4();
        double worst = 0;
        try (TransportDevice device = open(TestAddresses.ipv4(), LIMITS);
                BystanderConnection bystander =
                        new BystanderConnection(device, open(TestAddresses.ipv4(), ROOMY))) {
            int files = 0;
            int lost = 0;
            int killed = 0;
            while (killed < moments) {
                try (PeerProcess process = new PeerProcess();
                        Traffic traffic = new Traffic(device)) {
                    process.join(mateUri, traffic, DEFAULT_TIMEOUT);
                    long momentNs = random.nextLong(LONGEST_MS * 1_000_000);
                    if (!runUntil(traffic, 20) || !run(traffic, momentNs)) {
                        // A machine with too few processors has kept the peer from answering.
                        lost++;
                        assumeTrue(lost <= moments, "peers that live have no processor");
                        continue;
                    }
                    worst = Math.max(worst, kill(device, process, traffic));
                    assertThat(traffic.failures().keySet())
                            .as("how requests of the dead peer ended")
                            .isSubsetOf(CompletionStatus.RETRY_EXCEEDED, CompletionStatus.FLUSHED)
                            .contains(CompletionStatus.RETRY_EXCEEDED);
                }
                bystander.requireUndisturbed();
                killed++;
                if (killed == 1) {
                    files = OpenFiles.count();
                }
            }
            assertThat(OpenFiles.count()).as("open files").isLessThanOrEqualTo(files);
            System.out.printf(
                    "KilledPeerTest: %d peers killed, the last request ended %.2f s later at the"
                        + " latest (retry budget %.2f s); meanwhile %,d requests of another peer,"
                        + " none failed; %d peers lost before they were killed%n",
                    moments, worst, BUDGET_S, bystander.done(), lost);
        }
    }

    private static TransportDevice open(String place, DeviceLimits limits) {
        return RoceProvider.open(
                RoceUri.parse(URI.create("roce://" + place)), options -> options.limits(limits));
    }

    /// Every lane has finished so many requests: the connections work. False when the peer was lost
    /// before.
    private static boolean runUntil(Traffic traffic, long done) {
        long endNs = System.nanoTime() + PATIENCE_NS;
        while (traffic.leastDone() < done && !isLost(traffic)) {
            traffic.pump(STEP);
            assertThat(System.nanoTime()).as("time to connect").isLessThan(endNs);
        }
        return !isLost(traffic);
    }

    private static boolean run(Traffic traffic, long ns) {
        long endNs = System.nanoTime() + ns;
        while (System.nanoTime() < endNs) {
            traffic.pump(Duration.ofNanos(Math.max(0, endNs - System.nanoTime())));
        }
        return !isLost(traffic);
    }

    /// Whether the peer has not answered for the whole budget, which is the only failure allowed.
    private static boolean isLost(Traffic traffic) {
        assertThat(traffic.failures().keySet())
                .as("before the peer was killed")
                .isSubsetOf(CompletionStatus.RETRY_EXCEEDED, CompletionStatus.FLUSHED);
        return !traffic.failures().isEmpty();
    }

    /// Kills the peer; returns the seconds until the last request has ended. In time is after no
    /// more timeouts than the retry count allows.
    private static double kill(TransportDevice device, PeerProcess process, Traffic traffic) {
        process.kill();
        long before = timeouts(device);
        long beginNs = System.nanoTime();
        double seconds = 0;
        while (traffic.outstanding() > 0 && seconds < HOPELESS_S) {
            traffic.pump(STEP);
            seconds = (System.nanoTime() - beginNs) / 1e9;
        }
        assertThat(traffic.outstanding())
                .as(
                        "open requests to a dead peer after %.1f s; %s, %s",
                        seconds, traffic.failures(), device.counters())
                .isZero();
        // The other peer's queue pairs wait for a second: each may have a timeout in every one.
        long others = (long) Math.ceil(LANES * seconds);
        assertThat(timeouts(device) - before)
                .as("timeouts until all requests to a dead peer ended after %.2f s", seconds)
                .isLessThanOrEqualTo(TRANSMISSIONS * LANES + others);
        return seconds;
    }

    private static long timeouts(TransportDevice device) {
        return device.counters().getOrDefault("local_ack_timeout_err", 0L);
    }
}
