package dev.verbena.conformance;

import dev.verbena.testkit.Choices;
import dev.verbena.testkit.Seed;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// All operations at random, both ways at once, compared with a model of their effects.
public interface MixConformance extends Conformance {
    @ParameterizedTest
    @ValueSource(ints = {256, 1024, 4096})
    default void mixOfAllOperationsDoesWhatTheModelSays(int mtu, World world) {
        world.needs(Feature.BYTES_IN_ORDER);
        Choices choices = Choices.from(Seed.forTest("mixOfAllOperations at " + mtu, mtu));
        long operations = Seed.campaign(400);
        Connection connection = Setup.of(world).pathMtu(mtu).memoryBytes(Mix.MEMORY).connect();
        Mix left = new Mix(connection.left(), connection.right(), choices.split());
        Mix right = new Mix(connection.right(), connection.left(), choices.split());
        left.prepare();
        right.prepare();

        // Both keep their queues filled at random, and poll for completions from time to time.
        for (long posted = 0; posted < operations; posted++) {
            left.post();
            right.post();
            if (choices.chance(0.1)) {
                left.check();
                right.check();
            }
        }

        left.check();
        right.check();
        left.checkMemory();
        right.checkMemory();
    }
}
