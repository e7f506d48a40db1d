package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.testkit.Seed;
import dev.verbena.transport.carrier.Counter;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Psn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// A forger that knows everything but the keys against a device: addresses, queue pair numbers,
/// sequence numbers and checksums of its packets are right, and still no byte changes or leaves
/// that may not.
///
/// `-Dseed=…` runs one seed, `-Dcampaign=5` five times as many, `-Dattack.packets=100000000` goes
/// on with new seeds until so many were forged, `-Dattack.minutes=5` for as long.
@Tag("attack")
@Isolated("measures the heap of the whole JVM")
class AttackTest {
    private static final int SEEDS = 20;

    /// Every attack so often is some 150,000 packets.
    private static final int ROUNDS = 200;

    /// Seeds until every kind of link had its turn.
    private static final int LINKS = 4;

    private static final int FLOOD = 500_000;
    private static final long HEAP_BYTES = 16 << 20;

    /// Seeds of a long run start here, so that it repeats none of CI's.
    private static final long LONG_RUN_BASE = 1L << 32;

    private static final long PROGRESS_NS = 10_000_000_000L;

    @Test
    void everyCounterIsAProtectingOneOrNot() {
        assertThat(AttackChecks.unlisted())
                .as("counters that no list of AttackChecks names")
                .isEmpty();
    }

    @Test
    void noForgedPacketChangesOrShowsAByteThatItMayNot() throws IOException {
        long beginNs = System.nanoTime();
        AttackCampaign campaign = new AttackCampaign();
        if (!System.getProperty("seed", "").isEmpty()) {
            campaign.run(Seed.forTest("AttackTest", 0).value(), ROUNDS);
            return;
        }
        // A small run is several small seeds, because links differ from seed to seed.
        long all = Seed.campaign((long) SEEDS * ROUNDS);
        int rounds = Math.clamp(all / LINKS, 1, ROUNDS);
        long seeds = Math.max(LINKS, all / rounds);
        long heap = 0;
        for (long seed = 0; seed < seeds; seed++) {
            campaign.run(seed, rounds);
            if (seed == 0) {
                heap = settledBytes();
            }
        }
        assertThat(settledBytes() - heap).as("heap that the attacks left").isLessThan(HEAP_BYTES);
        report(campaign.totals, "0 to " + (seeds - 1), beginNs);
    }

    @Test
    void goesOnForAsLongAsItIsTold() throws IOException {
        double minutes = Double.parseDouble(System.getProperty("attack.minutes", "0"));
        long packets = Long.parseLong(System.getProperty("attack.packets", "0"));
        assumeTrue(minutes > 0 || packets > 0, "runs with -Dattack.minutes or -Dattack.packets");
        long beginNs = System.nanoTime();
        long endNs = beginNs + (long) (minutes * 60e9);
        long nextNs = beginNs + PROGRESS_NS;
        AttackCampaign campaign = new AttackCampaign();
        long seed = LONG_RUN_BASE;
        while (packets > 0 ? campaign.totals.packets() < packets : System.nanoTime() < endNs) {
            campaign.run(seed++, ROUNDS);
            long nowNs = System.nanoTime();
            if (nowNs >= nextNs) {
                nextNs = nowNs + PROGRESS_NS;
                double seconds = (nowNs - beginNs) / 1e9;
                System.out.printf(
                        "AttackTest: %.0f s, %,d packets (%,.0f a second)%n",
                        seconds, campaign.totals.packets(), campaign.totals.packets() / seconds);
            }
        }
        report(campaign.totals, LONG_RUN_BASE + " to " + (seed - 1), beginNs);
    }

    /// An object for each packet would be sixteen bytes of it at the least.
    @Test
    void aFloodMakesNoGarbage() {
        assumeTrue(Seed.campaign(100) >= 100, "small runs are over before code is compiled");
        AttackTotals totals = new AttackTotals(Attack.all());
        try (AttackRun run = new AttackRun(0, totals)) {
            long least = Long.MAX_VALUE;
            for (int i = 0; i < 5 && least > 8L * FLOOD; i++) {
                flood(run, FLOOD / 5);
                System.gc();
                long before = usedBytes();
                flood(run, FLOOD);
                least = Math.min(least, Math.abs(usedBytes() - before));
            }
            assertThat(least).as("bytes of %d packets", FLOOD).isLessThanOrEqualTo(8L * FLOOD);
            run.world.requireBounded();
        }
    }

    /// Packets that come early, twice, and in their turn; packets that are called lost.
    @Test
    void packetsBeforeTheirTurnMakeNoGarbage() {
        assumeTrue(Seed.campaign(100) >= 100, "small runs are over before code is compiled");
        AttackTotals totals = new AttackTotals(Attack.all());
        try (AttackRun run = new AttackRun(0, totals)) {
            Target target = run.world.selective;
            int lost = target.sendPsn;
            run.peer.post(target, Operation.SEND_ONLY, 0, 0, 16);
            long least = Long.MAX_VALUE;
            for (int i = 0; i < 5 && least > 8L * FLOOD; i++) {
                early(run, lost, FLOOD / 5);
                System.gc();
                long before = usedBytes();
                early(run, lost, FLOOD);
                least = Math.min(least, Math.abs(usedBytes() - before));
            }
            assertThat(least).as("bytes of %d packets", FLOOD).isLessThanOrEqualTo(8L * FLOOD);
            assertThat(counter(run, Counter.EARLY_PLACED)).isGreaterThan(FLOOD / 4);
            assertThat(counter(run, Counter.EARLY_DUPLICATE)).isGreaterThan(FLOOD / 4);
            assertThat(counter(run, Counter.RETRANSMITTED)).isGreaterThan(FLOOD / 4);
        }
    }

    private static long counter(AttackRun run, Counter counter) {
        return run.world.device.counters().getOrDefault(counter.title(), 0L);
    }

    private static void early(AttackRun run, int lost, int packets) {
        Target target = run.world.selective;
        AttackRegion area = run.world.shared;
        for (int i = 0; i < packets; i++) {
            if ((i & 3) == 3) {
                run.forge(target, Operation.SELECTIVE_ACKNOWLEDGE).select(lost, lost, 0);
                run.forger.psn(Psn.plus(lost, -1));
            } else {
                run.forge(target, Operation.WRITE_ONLY).remote(area.address, area.key, 8);
                run.forger.payload(8).psn(Psn.plus(target.expectedPsn, (i & 3) == 2 ? 0 : 1));
            }
            run.fire();
            if ((i & 3) == 2) {
                target.took(2);
            }
        }
    }

    /// Unknown sources, wrong queue pairs, repetitions and requests ahead, in turn.
    private static void flood(AttackRun run, int packets) {
        Target target = run.world.open;
        AttackRegion area = run.world.shared;
        for (int i = 0; i < packets; i++) {
            run.forge(target, Operation.WRITE_ONLY).remote(area.address, area.key, 8).payload(8);
            switch (i & 3) {
                case 0 -> run.forger.strange(i);
                case 1 -> run.forger.destination = i & 0xFFFF;
                case 2 -> run.forger.psn(Psn.plus(target.expectedPsn, -1 - (i & 0xFFFF)));
                default -> run.forger.psn(Psn.plus(target.expectedPsn, 1 + (i & 0xFFFF)));
            }
            run.fire();
        }
    }

    private static long settledBytes() {
        System.gc();
        return usedBytes();
    }

    private static long usedBytes() {
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static void report(AttackTotals totals, String seeds, long beginNs) throws IOException {
        double seconds = (System.nanoTime() - beginNs) / 1e9;
        String text = AttackReport.markdown(totals, seeds, seconds);
        System.out.println(text);
        Files.createDirectories(Path.of("target"));
        Files.writeString(Path.of("target", "attack.md"), text);
        assertThat(AttackReport.seldom(totals)).as("checks that were hardly tried").isEmpty();
    }
}
