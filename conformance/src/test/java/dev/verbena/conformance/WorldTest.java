package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Device;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class WorldTest {
    /// What the tests of [Subject] were given, in order.
    private static final List<EmptyWorld> WORLDS = new ArrayList<>();

    @Test
    void eachTestHasAWorldOfItsOwnThatIsClosedAfterIt() {
        List<String> ends = run();

        assertThat(ends).hasSize(3);
        assertThat(WORLDS).hasSize(3).doesNotHaveDuplicates();
        assertThat(WORLDS).allMatch(world -> world.closed == 1);
    }

    @Test
    void skippedTestSaysWhatTheProviderSaid() {
        assertThat(run()).contains("ABORTED MULTICAST: this is a test of tests", "SUCCESSFUL");
    }

    private static List<String> run() {
        WORLDS.clear();
        List<String> ends = new ArrayList<>();
        LauncherDiscoveryRequest tests =
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(DiscoverySelectors.selectClass(Provider.class))
                        .build();
        TestExecutionListener listener =
                new TestExecutionListener() {
                    @Override
                    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                        if (test.isTest()) {
                            String why =
                                    result.getThrowable()
                                            .map(thrown -> " " + thrown.getMessage())
                                            .orElse("");
                            ends.add(result.getStatus() + why);
                        }
                    }
                };
        LauncherFactory.create()
                .execute(
                        LauncherExecutionRequestBuilder.request(tests).listeners(listener).build());
        return ends;
    }

    /// A subject as those of the suite are.
    interface Subject extends Conformance {
        @Test
        default void needsWhatIsNotThere(World world) {
            world.needs(Feature.MULTICAST);
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        default void takesANumberToo(int number, World world) {
            assertThat(number).isPositive();
            assertThat(world.nowNs()).isZero();
        }
    }

    static final class Provider implements Subject {
        @Override
        public World world() {
            EmptyWorld world = new EmptyWorld();
            WORLDS.add(world);
            return world;
        }
    }

    private static final class EmptyWorld implements World {
        private int closed;

        @Override
        public Device device(int index) {
            throw new AssertionError("there is no device");
        }

        @Override
        public long nowNs() {
            return 0;
        }

        @Override
        public boolean advanceUntil(BooleanSupplier condition, Duration limit) {
            return condition.getAsBoolean();
        }

        @Override
        public Optional<String> lacks(Feature feature) {
            return Optional.of("this is a test of tests");
        }

        @Override
        public void close() {
            closed++;
        }
    }
}
