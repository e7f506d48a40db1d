package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.testkit.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Random work over a hostile wire, seed after seed, against a plain model of memory and messages.
///
/// `-Dseed=…` runs one seed, `-Dcampaign=5` five times as many, `-Dcampaign.minutes=60` goes on
/// with new seeds for an hour and tells how far it is.
class CampaignTest {
    private static final int SEEDS = 400;
    private static final int MESSAGES_PER_SEED = 600;

    /// Seeds of a long run start here, so that it repeats none of CI's.
    private static final long LONG_RUN_BASE = 1L << 32;

    private static final long PROGRESS_NS = 10_000_000_000L;

    @Test
    void everyMessageArrivesOnceInOrderWithItsBytesAndEveryRuleIsReached() throws IOException {
        Campaign campaign = new Campaign(MESSAGES_PER_SEED);
        if (!System.getProperty("seed", "").isEmpty()) {
            campaign.run(Seed.forTest("CampaignTest", 0).value());
            return;
        }
        long count = Seed.campaign(SEEDS);
        for (long index = 0; index < count; index++) {
            campaign.run(index);
        }
        report(campaign, "0 to " + (count - 1));
        if (count >= SEEDS) {
            assertThat(CampaignReport.missing(campaign)).as("rules never reached").isEmpty();
        }
    }

    @Test
    void theSameSeedGivesTheSameTrace() {
        boolean given = !System.getProperty("seed", "").isEmpty();
        long from = given ? Seed.forTest("CampaignTest", 0).value() : 0;
        for (long seed = from; seed < from + (given ? 1 : 12); seed++) {
            long first = new Campaign(MESSAGES_PER_SEED).run(seed);
            long second = new Campaign(MESSAGES_PER_SEED).run(seed);
            assertThat(second).as("seed %d", seed).isEqualTo(first);
        }
    }

    @Test
    void goesOnForAsLongAsItIsTold() throws IOException {
        double minutes = Double.parseDouble(System.getProperty("campaign.minutes", "0"));
        assumeTrue(minutes > 0, "runs with -Dcampaign.minutes=…");
        Campaign campaign = new Campaign(MESSAGES_PER_SEED);
        long beginNs = System.nanoTime();
        long endNs = beginNs + (long) (minutes * 60e9);
        long nextNs = beginNs + PROGRESS_NS;
        long seed = LONG_RUN_BASE;
        List<String> failures = new ArrayList<>();
        while (System.nanoTime() < endNs) {
            try {
                campaign.run(seed++);
            } catch (AssertionError failure) {
                // A failing seed does not end an hour's run; it is reported at once, and at the
                // end.
                failures.add(String.valueOf(failure.getMessage()));
                System.out.println(failure.getMessage());
            }
            long nowNs = System.nanoTime();
            if (nowNs >= nextNs) {
                nextNs = nowNs + PROGRESS_NS;
                double seconds = (nowNs - beginNs) / 1e9;
                System.out.printf(
                        "CampaignTest: %.0f s, %,d seeds, %,d messages (%,.0f a second)%n",
                        seconds, campaign.seeds, campaign.messages, campaign.messages / seconds);
            }
        }
        report(campaign, LONG_RUN_BASE + " to " + (seed - 1));
        assertThat(failures).isEmpty();
    }

    private static void report(Campaign campaign, String seeds) throws IOException {
        String text = CampaignReport.markdown(campaign, seeds);
        System.out.println(text);
        Files.writeString(Path.of("target", "campaign.md"), text);
    }
}
