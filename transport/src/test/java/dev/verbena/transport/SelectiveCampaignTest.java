package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import dev.verbena.transport.carrier.Counter;
import org.junit.jupiter.api.Test;

/// The campaign of [CampaignTest] over connections that repeat only what is lost.
class SelectiveCampaignTest {
    private static final int SEEDS = 120;
    private static final int MESSAGES_PER_SEED = 600;

    @Test
    void everyMessageArrivesOnceInOrderWithItsBytes() {
        Campaign campaign = new Campaign(MESSAGES_PER_SEED, true);
        if (!System.getProperty("seed", "").isEmpty()) {
            campaign.run(Seed.forTest("SelectiveCampaignTest", 0).value());
            return;
        }
        long count = Seed.campaign(SEEDS);
        for (long index = 0; index < count; index++) {
            campaign.run(index);
        }
        System.out.printf(
                "SelectiveCampaignTest: %,d messages, %,d placed early, %,d dropped early%n",
                campaign.messages,
                campaign.reached(Counter.EARLY_PLACED),
                campaign.reached(Counter.EARLY_DROPPED));
        assertThat(campaign.reached(Counter.EARLY_PLACED)).isPositive();
        assertThat(campaign.reached(Counter.EARLY_DUPLICATE)).isPositive();
        assertThat(campaign.reached(Counter.RECEIVED_SACK)).isPositive();
        assertThat(campaign.reached(Counter.SENT_NAK_SEQUENCE)).isZero();
    }

    @Test
    void theSameSeedGivesTheSameTrace() {
        for (long seed = 0; seed < 4; seed++) {
            long first = new Campaign(MESSAGES_PER_SEED, true).run(seed);
            long second = new Campaign(MESSAGES_PER_SEED, true).run(seed);
            assertThat(second).as("seed %d", seed).isEqualTo(first);
        }
    }
}
