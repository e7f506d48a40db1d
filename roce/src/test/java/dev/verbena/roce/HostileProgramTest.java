package dev.verbena.roce;

import dev.verbena.testkit.hostile.HostileCampaign;
import dev.verbena.verbs.Devices;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Hostile programs over sockets: `-Dhostile.seconds=N` for longer, `-Dhostile.seed=S` for others.
@Tag("long")
class HostileProgramTest {
    @ParameterizedTest
    @ValueSource(strings = {"progress=thread", "progress=caller"})
    void nothingLeaksCrashesHangsOrFailsInSilence(String options) throws InterruptedException {
        String[] places = {TestAddresses.ipv4(), TestAddresses.ipv4()};
        HostileCampaign campaign =
                HostileCampaign.ofThreads(
                        "roce " + options,
                        it -> Devices.open("roce://" + places[it] + "?" + options));
        long seed = Long.getLong("hostile.seed", System.nanoTime());
        System.out.println("hostile.seed=" + seed);
        Duration time = Duration.ofSeconds(Integer.getInteger("hostile.seconds", 60));
        System.out.println(campaign.run(seed, time));
        campaign.requireAllReached();
    }
}
