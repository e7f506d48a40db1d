package dev.verbena.collectives;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.collectives.plan.Collective;
import dev.verbena.collectives.plan.Plans;
import dev.verbena.testkit.Choices;
import dev.verbena.testkit.Seed;
import dev.verbena.verbs.Device;
import dev.verbena.virtual.VirtualNetwork;
import dev.verbena.virtual.VirtualSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every operation of every type by every algorithm, over verbs.
class OperationsTest {
    private static final VirtualSettings FAULTY =
            VirtualSettings.DEFAULT
                    .withLoss(0.01)
                    .withReorder(0.02)
                    .withDuplicate(0.01)
                    .withDelay(Duration.ofNanos(3_000));

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7, 8, 16})
    void isRightByEveryAlgorithm(int size) {
        Choices choices = Choices.from(Seed.forTest("OperationsTest " + size, size));
        try (var network = new VirtualNetwork(VirtualSettings.DEFAULT);
                Ranks ranks = ranks(network, size)) {
            for (Algorithm algorithm : Algorithm.values()) {
                List<Communicator> by = by(ranks, algorithm);
                for (Collective operation : Collective.values()) {
                    if (Plans.supports(operation, algorithm)) {
                        tryTypes(ranks, by, operation, choices);
                    }
                }
                by.forEach(Communicator::close);
            }
        }
    }

    /// Loss, order and delay change the time only: every bit is as on a network without faults.
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 8})
    void faultsChangeNoBit(int size) {
        Seed seed = Seed.forTest("OperationsTest, faults " + size, size);
        Choices choices = Choices.from(seed);
        try (var clean = new VirtualNetwork(VirtualSettings.DEFAULT);
                Ranks calm = ranks(clean, size);
                var faulty = new VirtualNetwork(FAULTY.withSeed(seed.value()));
                Ranks shaken = ranks(faulty, size)) {
            for (Algorithm algorithm : Algorithm.values()) {
                List<Communicator> left = by(calm, algorithm);
                List<Communicator> right = by(shaken, algorithm);
                for (Collective operation : Collective.values()) {
                    if (Plans.supports(operation, algorithm)) {
                        Task task = task(operation, size, choices);
                        List<byte[]> expected = Exercise.run(calm, left, task);
                        List<byte[]> results = Exercise.run(shaken, right, task);
                        assertThat(Arrays.deepEquals(results.toArray(), expected.toArray()))
                                .as("%s by %s", task, algorithm)
                                .isTrue();
                    }
                }
                left.forEach(Communicator::close);
                right.forEach(Communicator::close);
            }
            assertThat(faulty.counts().lost()).as("packets lost").isPositive();
        }
    }

    private static Ranks ranks(VirtualNetwork network, int size) {
        List<Device> devices = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            devices.add(network.open("rank" + i));
        }
        // Hierarchical plans want two hosts or more.
        int onHost = size % 4 == 0 && size > 4 ? 4 : size % 2 == 0 && size > 2 ? 2 : 1;
        return new Ranks(devices, onHost, it -> it);
    }

    private static List<Communicator> by(Ranks ranks, Algorithm algorithm) {
        return ranks.with(it -> it.withPieceBytes(8192).withChoice(it.choice().prefer(algorithm)));
    }

    private static void tryTypes(
            Ranks ranks, List<Communicator> by, Collective operation, Choices choices) {
        for (ElementType type : ElementType.values()) {
            for (Reduction reduction : Reduction.values()) {
                Task random = task(operation, by.size(), choices);
                Exercise.run(
                        ranks,
                        by,
                        new Task(
                                operation,
                                type,
                                reduction,
                                random.count(),
                                random.root(),
                                random.inPlace(),
                                random.seed()));
            }
        }
    }

    /// Short messages, long ones, and some of several pieces.
    private static Task task(Collective operation, int size, Choices choices) {
        return new Task(
                operation,
                choices.pick(ElementType.class),
                choices.pick(Reduction.class),
                choices.pick(0, 1, 5, 700, 2100, 5000),
                choices.between(0, size - 1),
                operation != Collective.ALL_TO_ALL && choices.chance(0.5),
                choices.bits(60));
    }
}
