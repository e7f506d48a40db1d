package dev.verbena.virtual;

import dev.verbena.conformance.hostile.HostileCampaign;
import dev.verbena.verbs.Devices;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Hostile programs of one thread: here a seed repeats its episode exactly.
@Tag("long")
class HostileProgramTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "virtual://host%d",
                "virtual://host%d?loss=0.1&duplicate=0.1&reorder=0.2",
                "loopback://host%d"
            })
    void nothingLeaksCrashesHangsOrFailsInSilence(String uri)
            throws InterruptedException, IOException {
        HostileCampaign.ofOneThread(uri, it -> Devices.open(uri.formatted(it))).run(5);
    }
}
