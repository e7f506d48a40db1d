package dev.verbena.roce;

import dev.verbena.conformance.hostile.HostileCampaign;
import dev.verbena.verbs.Devices;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Hostile programs over sockets.
@Tag("long")
class HostileProgramTest {
    @ParameterizedTest
    @ValueSource(strings = {"progress=thread", "progress=caller"})
    void nothingLeaksCrashesHangsOrFailsInSilence(String options)
            throws InterruptedException, IOException {
        String[] places = {TestAddresses.ipv4(), TestAddresses.ipv4()};
        HostileCampaign.ofThreads(
                        "roce " + options,
                        it -> Devices.open("roce://" + places[it] + "?" + options))
                .run(60);
    }
}
