package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.testkit.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A forger that knows everything but the keys against a device: addresses, queue pair numbers,
/// sequence numbers and checksums of its packets are right, and still no byte changes or leaves
/// that may not.
///
/// `-Dseed=…` runs one seed, `-Dcampaign=5` five times as many, `-Dattack.packets=100000000` goes
/// on with new seeds until so many were forged, `-Dattack.minutes=5` for as long.
@Tag("attack")
class AttackTest {
    private static final int SEEDS = 20;

    /// Some 125,000 packets.
    private static final int ROUNDS = 200;

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
        AttackRun run = new AttackRun();
        if (!System.getProperty("seed", "").isEmpty()) {
            run.run(Seed.forTest("AttackTest", 0).value(), ROUNDS);
            return;
        }
        // A fraction of a seed is less of each attack, not fewer attacks.
        long strikes = Seed.campaign((long) SEEDS * ROUNDS);
        int rounds = (int) Math.min(strikes, ROUNDS);
        long seeds = strikes / rounds;
        for (long seed = 0; seed < seeds; seed++) {
            run.run(seed, rounds);
        }
        report(run.tally, "0 to " + (seeds - 1), beginNs);
    }

    @Test
    void goesOnForAsLongAsItIsTold() throws IOException {
        double minutes = Double.parseDouble(System.getProperty("attack.minutes", "0"));
        long packets = Long.parseLong(System.getProperty("attack.packets", "0"));
        assumeTrue(minutes > 0 || packets > 0, "runs with -Dattack.minutes or -Dattack.packets");
        long beginNs = System.nanoTime();
        long endNs = beginNs + (long) (minutes * 60e9);
        long nextNs = beginNs + PROGRESS_NS;
        AttackRun run = new AttackRun();
        long seed = LONG_RUN_BASE;
        while (packets > 0 ? run.tally.packets() < packets : System.nanoTime() < endNs) {
            run.run(seed++, ROUNDS);
            long nowNs = System.nanoTime();
            if (nowNs >= nextNs) {
                nextNs = nowNs + PROGRESS_NS;
                double seconds = (nowNs - beginNs) / 1e9;
                System.out.printf(
                        "AttackTest: %.0f s, %,d packets (%,.0f a second)%n",
                        seconds, run.tally.packets(), run.tally.packets() / seconds);
            }
        }
        report(run.tally, LONG_RUN_BASE + " to " + (seed - 1), beginNs);
    }

    private static void report(Tally tally, String seeds, long beginNs) throws IOException {
        double seconds = (System.nanoTime() - beginNs) / 1e9;
        String text = AttackReport.markdown(tally, seeds, seconds);
        System.out.println(text);
        Files.createDirectories(Path.of("target"));
        Files.writeString(Path.of("target", "attack.md"), text);
        assertThat(AttackReport.seldom(tally)).as("checks that were hardly tried").isEmpty();
    }
}
