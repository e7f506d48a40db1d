package dev.verbena.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/// What a user sees who has the annotation and no provider; this module's tests have none either.
class WithoutProviderTest {
    private static boolean launched;

    static boolean isLaunched() {
        return launched;
    }

    /// Fails on purpose, so it runs in this test only.
    @EnabledIf("dev.verbena.testkit.junit.WithoutProviderTest#isLaunched")
    static class Lonely {
        @RdmaTest
        void needsDevices(RdmaPair pair) {}
    }

    @Test
    void theFailureNamesTheArtifactToAdd() {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        launched = true;
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(Lonely.class))
                                .build(),
                        listener);
        launched = false;
        StringWriter text = new StringWriter();
        listener.getSummary().printFailuresTo(new PrintWriter(text));

        assertThat(listener.getSummary().getTestsFailedCount()).isEqualTo(1);
        assertThat(text.toString())
                .contains("@RdmaTest opens virtual:// devices")
                .contains("<artifactId>verbena-virtual</artifactId>")
                .contains("testImplementation(\"dev.verbena:verbena-virtual:VERSION\")");
    }
}
