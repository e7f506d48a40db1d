package dev.verbena.collectives;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.memory.Span;
import dev.verbena.verbs.Device;
import dev.verbena.virtual.VirtualNetwork;
import dev.verbena.virtual.VirtualSettings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommunicatorTest {
    @Test
    void carriesAPlanOutOverShortAndLongMessages() {
        for (long count : new long[] {1, 1000, 1024, 1025, 100_000}) {
            try (var network = new VirtualNetwork(VirtualSettings.DEFAULT)) {
                List<Device> devices = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    devices.add(network.open("rank" + i));
                }
                try (Ranks ranks = new Ranks(devices)) {
                    gather(ranks, count);
                }
            }
        }
    }

    private static void gather(Ranks ranks, long count) {
        int size = ranks.all.size();
        List<Work> works = new ArrayList<>();
        List<RankMemory> memories = new ArrayList<>();
        for (Communicator rank : ranks.all) {
            RankMemory memory = rank.allocate(4 * count * size);
            memories.add(memory);
            for (long i = 0; i < count; i++) {
                memory.segment().setAtIndex(JAVA_INT, i, (int) i + rank.rank());
            }
            NaiveRing plan = new NaiveRing(rank.rank(), size, count);
            Span all = memory.span();
            works.add(rank.begin(plan, all, all, 4, null, count));
        }
        assertThat(ranks.run(() -> works.stream().allMatch(Work::isOver), 1_000_000_000)).isTrue();
        assertThat(works).allMatch(Work::isDone);
        for (int rank = 0; rank < size; rank++) {
            for (long i = 0; i < size * count; i++) {
                int from = Math.floorMod(rank - (int) (i / count), size);
                int value = memories.get(rank).segment().getAtIndex(JAVA_INT, i);
                assertThat(value).isEqualTo((int) (i % count) + from);
            }
        }
    }
}
