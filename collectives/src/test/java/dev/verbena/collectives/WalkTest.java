package dev.verbena.collectives;

import dev.verbena.collectives.link.LinkSettings;
import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.testkit.Choices;
import dev.verbena.testkit.Seed;
import dev.verbena.verbs.Device;
import dev.verbena.virtual.VirtualNetwork;
import dev.verbena.virtual.VirtualSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A random walk: random ranks, settings and faults; operations that wait for each other, begun in
/// random order by ranks that go on at random.
class WalkTest {
    private static final long EPISODES = Seed.campaign(400);
    private static final long LIMIT_NS = 60_000_000_000L;

    private final Map<Algorithm, Integer> reached = new EnumMap<>(Algorithm.class);

    @Test
    void everyEpisodeEndsWithTheRightResults() {
        Seed seed = Seed.forTest("WalkTest", 25);
        boolean isReplay = !System.getProperty("seed", "").isEmpty();
        long episodes = isReplay ? 1 : EPISODES;
        long operations = 0;
        for (long i = 0; i < episodes; i++) {
            long own = isReplay ? seed.value() : seed.value() + i * 1_000_003;
            try {
                operations += episode(own);
            } catch (AssertionError | RuntimeException failed) {
                throw new AssertionError(
                        "episode %d, repeat with -Dseed=%d: %s".formatted(i, own, failed), failed);
            }
        }
        System.out.printf(
                "WalkTest: %,d episodes, %,d operations, by %s%n", episodes, operations, reached);
        for (Algorithm algorithm : Algorithm.values()) {
            boolean isMissed = reached.getOrDefault(algorithm, 0) == 0;
            if (isMissed && episodes >= 100) {
                throw new AssertionError("no episode has reached " + algorithm);
            }
        }
    }

    private int episode(long seed) {
        Choices choices = Choices.from(seed);
        int size = choices.pick(1, 2, 2, 3, 4, 4, 5, 6, 8);
        Algorithm preferred = choices.pick(Algorithm.class);
        reached.merge(preferred, 1, Integer::sum);
        try (var network = new VirtualNetwork(faults(choices).withSeed(seed))) {
            List<Device> devices = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                devices.add(network.open("rank" + i));
            }
            int onHost = size > 2 && size % 2 == 0 && choices.chance(0.5) ? 2 : 1;
            LinkSettings links =
                    new LinkSettings(
                            choices.pick(64, 512, 4096),
                            choices.between(2, 9),
                            choices.between(1, 9),
                            Duration.ofSeconds(1),
                            Duration.ofMinutes(5));
            int piece = choices.pick(64, 1000, 4096, 1 << 17);
            int lanes = choices.between(1, 3);
            int window = choices.between(1, 5);
            try (Ranks ranks =
                    new Ranks(
                            devices,
                            onHost,
                            it ->
                                    it.withLinks(links)
                                            .withPieceBytes(piece)
                                            .withLanes(lanes)
                                            .withWindow(window)
                                            .withChoice(it.choice().prefer(preferred)))) {
                return walk(ranks, piece, choices);
            }
        }
    }

    private static VirtualSettings faults(Choices choices) {
        double badness = choices.pick(0.0, 0.0, 0.002, 0.02);
        return VirtualSettings.DEFAULT
                .withLoss(badness)
                .withReorder(2 * badness)
                .withDuplicate(badness)
                .withCorrupt(badness / 2)
                .withDelay(Duration.ofNanos(choices.between(100, 20_000)));
    }

    /// Ranks begin operations and go on in random order; an operation may wait behind others.
    private static int walk(Ranks ranks, int piece, Choices choices) {
        List<Exercise> exercises = new ArrayList<>();
        int count = choices.between(1, 5);
        for (int i = 0; i < count; i++) {
            exercises.add(new Exercise(ranks.all, task(ranks, piece, choices)));
        }
        int[] begun = new int[ranks.all.size()];
        long endNs = ranks.time.nowNs() + LIMIT_NS;
        int idle = 0;
        while (!exercises.stream().allMatch(Exercise::isOver)) {
            int rank = choices.between(0, begun.length - 1);
            if (begun[rank] < count && choices.chance(0.4)) {
                exercises.get(begun[rank]++).begin(rank);
            }
            boolean any = ranks.rank(rank).progress(ranks.time.nowNs());
            idle = any ? 0 : idle + 1;
            if (!any && choices.chance(0.5)) {
                // A lost packet is sent again after milliseconds, in which nothing happens.
                ranks.time.step(idle > 8 * begun.length ? endNs : ranks.time.nowNs() + 5_000);
            }
            if (ranks.time.nowNs() > endNs) {
                throw new AssertionError("operations do not end: " + exercises);
            }
        }
        exercises.forEach(Exercise::check);
        exercises.forEach(Exercise::close);
        return count;
    }

    /// Not too many pieces: more of them only repeat the pattern.
    private static Task task(Ranks ranks, int piece, Choices choices) {
        while (true) {
            Task task = Task.random(ranks.all.size(), choices);
            if (task.inputBytes(ranks.all.size()) / piece < 60) {
                return task;
            }
        }
    }
}
