package dev.verbena.collectives.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.verbena.collectives.Communicator;
import dev.verbena.collectives.CommunicatorSettings;
import dev.verbena.collectives.Work;
import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.link.Member;
import dev.verbena.collectives.link.Reception;
import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.memory.Span;
import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// All ranks on one thread, so that all that is allocated is seen.
class AllocationTest {
    private static final int RANKS = 4;
    private static final int PORT = 7000;
    private static final int ROUNDS = 20;
    private static final int PIECE = 1000;

    /// Bytes of a message; the smallest object has 16.
    private static final double MOST = 0.5;

    private static final int SMALL = 16_000;
    private static final int LARGE = 16 * SMALL;
    private static final int SETTLED = 10;
    private static final long PATIENCE_NS = 20_000_000_000L;

    /// An operation has a plan, which is made of objects. Its steps are not: of a vector 16 times
    /// as long, in 16 times as many pieces, no more is allocated.
    @ParameterizedTest
    @EnumSource(
            value = Algorithm.class,
            names = {"RING", "HALVING_DOUBLING", "DOUBLE_TREE"})
    void nothingIsAllocatedForAMessage(Algorithm algorithm) {
        List<Device> devices = new ArrayList<>();
        long place = ProcessHandle.current().pid() % 250 + 1;
        for (int i = 0; i < RANKS; i++) {
            String uri = "roce://127.28.%d.%d?progress=caller".formatted(place, i + 1);
            devices.add(Devices.open(uri));
        }
        List<Reception> receptions = devices.stream().map(it -> new Reception(it, PORT)).toList();
        List<Communicator> ranks = communicators(devices, receptions, algorithm);
        List<RankMemory> memories = ranks.stream().map(it -> it.allocate(LARGE)).toList();

        // The compiler must have seen it all before it leaves nothing behind.
        long leastSmall = Long.MAX_VALUE;
        long leastLarge = Long.MAX_VALUE;
        int same = 0;
        long endNs = System.nanoTime() + PATIENCE_NS;
        while (same < SETTLED && System.nanoTime() < endNs) {
            long small = run(ranks, memories, SMALL);
            long large = run(ranks, memories, LARGE);
            same = small < leastSmall || large < leastLarge ? 0 : same + 1;
            leastSmall = Math.min(leastSmall, small);
            leastLarge = Math.min(leastLarge, large);
        }
        double more = (double) (leastLarge - leastSmall) / ROUNDS;
        System.out.printf(
                "AllocationTest: %s, %,d and %,d bytes for an operation of four ranks%n",
                algorithm, leastSmall / ROUNDS, leastLarge / ROUNDS);

        memories.forEach(RankMemory::close);
        ranks.forEach(Communicator::close);
        receptions.forEach(Reception::close);
        devices.forEach(Device::close);
        long messages = 2L * (RANKS - 1) * (LARGE - SMALL) / PIECE;
        assertThat(more / messages).as("bytes for each message").isLessThan(MOST);
    }

    private static List<Communicator> communicators(
            List<Device> devices, List<Reception> receptions, Algorithm algorithm) {
        List<Member> members = new ArrayList<>();
        for (Device device : devices) {
            members.add(new Member(List.of(Member.addressOf(device)), PORT, members.size()));
        }
        CommunicatorSettings usual = CommunicatorSettings.live(System::nanoTime);
        CommunicatorSettings settings =
                usual.withPieceBytes(PIECE).withChoice(usual.choice().prefer(algorithm));
        List<Communicator> ranks = new ArrayList<>();
        for (int i = 0; i < RANKS; i++) {
            ranks.add(new Communicator(1, i, members, List.of(receptions.get(i)), settings));
        }
        return ranks;
    }

    private static long run(List<Communicator> ranks, List<RankMemory> memories, int bytes) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        Work[] works = new Work[RANKS];
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < RANKS; i++) {
                Span span = memories.get(i).span(0, bytes);
                works[i] = ranks.get(i).allReduce(span, span, ElementType.INT32, Reduction.SUM);
            }
            while (!areDone(works)) {
                for (int i = 0; i < RANKS; i++) {
                    ranks.get(i).progress(System.nanoTime());
                }
            }
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private static boolean areDone(Work[] works) {
        for (Work work : works) {
            if (!work.isDone()) {
                return false;
            }
        }
        return true;
    }
}
