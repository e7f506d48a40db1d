package dev.verbena.collectives.live;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.verbena.collectives.Communicator;
import dev.verbena.collectives.CommunicatorSettings;
import dev.verbena.collectives.RankFailedException;
import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.memory.Span;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/// The program of a [RankProcess]: it adds vectors until a rank fails, goes on without that rank,
/// and says in lines what becomes of it. It ends when the test does.
final class LiveRank {
    private static final Duration WITHIN = Duration.ofSeconds(60);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int MOST = 100_000;
    private static final int ROUNDS = 20;

    private LiveRank() {}

    /// Takes the rank, the number of ranks, and the addresses with `%d` for the number of a rank.
    public static void main(String[] arguments)
            throws ConnectionFailedException, RankFailedException {
        int rank = Integer.parseInt(arguments[0]);
        int size = Integer.parseInt(arguments[1]);
        String addresses = arguments[2];
        Thread.ofPlatform().daemon().start(LiveRank::endWithTheTest);
        CommunicatorSettings settings =
                CommunicatorSettings.live(System::nanoTime).withTimeout(TIMEOUT);
        InetSocketAddress root = new InetSocketAddress(addresses.formatted(1), 29_500);
        try (Device device = Devices.open("roce://" + addresses.formatted(rank + 1))) {
            Communicator all = Communicator.join(device, rank, size, root, settings, WITHIN);
            int failed = addUntilOneFails(all);
            System.out.println("failed " + failed);
            Communicator left = all.without(List.of(failed));
            all.close();
            try (left) {
                add(left, ROUNDS);
                left.barrier().await();
                System.out.println("right with " + left.size());
            }
        }
    }

    private static int addUntilOneFails(Communicator ranks) {
        try {
            add(ranks, ROUNDS);
            System.out.println("going");
            while (true) {
                add(ranks, ROUNDS);
            }
        } catch (RankFailedException failure) {
            return failure.rank();
        }
    }

    /// Short vectors and long ones in turn.
    private static void add(Communicator ranks, int rounds) throws RankFailedException {
        try (RankMemory from = ranks.allocate(4L * MOST);
                RankMemory to = ranks.allocate(4L * MOST)) {
            for (int round = 0; round < rounds; round++) {
                add(ranks, from, to, round % 2 == 0 ? 1000 : MOST);
            }
        }
    }

    private static void add(Communicator ranks, RankMemory from, RankMemory to, int count)
            throws RankFailedException {
        for (int i = 0; i < count; i++) {
            from.segment().setAtIndex(JAVA_FLOAT, i, i % 100 + ranks.rank());
        }
        Span in = from.span(0, 4L * count);
        Span out = to.span(0, 4L * count);
        ranks.allReduce(in, out, ElementType.FLOAT32, Reduction.SUM).await();
        int size = ranks.size();
        for (int i = 0; i < count; i++) {
            float wanted = size * (i % 100) + size * (size - 1) / 2;
            float sum = to.segment().getAtIndex(JAVA_FLOAT, i);
            if (sum != wanted) {
                throw new IllegalStateException(
                        "element %d of %d is %f, not %f".formatted(i, count, sum, wanted));
            }
        }
    }

    private static void endWithTheTest() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is asked of it.
            }
        } catch (IOException broken) {
            // The test is gone.
        }
        Runtime.getRuntime().halt(3);
    }
}
