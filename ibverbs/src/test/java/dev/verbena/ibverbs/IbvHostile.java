package dev.verbena.ibverbs;

import dev.verbena.conformance.hostile.HostileCampaign;
import dev.verbena.verbs.Devices;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/// Hostile programs on a device of this machine. Not by its name a test of every build: the
/// laboratory runs it, on the kernel's Soft-RoCE.
class IbvHostile {
    private static final int EPISODES = 1_000;

    @Test
    void nothingLeaksCrashesHangsOrFailsInSilence() throws InterruptedException, IOException {
        String uri = "ibverbs://" + System.getProperty(IbvWorld.PROPERTY);
        HostileCampaign.ofNic(uri, _ -> Devices.open(uri)).atLeast(EPISODES).run(60);
    }
}
