package dev.verbena.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.collectives.Communicator;
import dev.verbena.collectives.Work;
import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.plan.Place;
import dev.verbena.collectives.plan.Plan;
import dev.verbena.collectives.plan.Step;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RankRunTest {
    private record Shift(int rank, int size, long count, int times) implements Plan {
        @Override
        public int lanes() {
            return 1;
        }

        @Override
        public int sends(int lane) {
            return times;
        }

        @Override
        public int receives(int lane) {
            return times;
        }

        @Override
        public void send(int lane, int index, Step into) {
            into.set((rank + 1) % size, count, Place.INPUT, 0).afterReceives(0, index);
        }

        @Override
        public void receive(int lane, int index, Step into) {
            into.set((rank + size - 1) % size, count, Place.OUTPUT, 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"roce", "ib"})
    void ranksOnAFabricSendAround(String kind) {
        FabricSettings settings =
                kind.equals("ib") ? FabricSettings.INFINIBAND : FabricSettings.ROCE;
        Fabric fabric = new Fabric(FatTree.threeTiers(4, 4).topology(), settings);
        try (RankRun run = new RankRun(fabric)) {
            for (int i = 0; i < 2; i++) {
                List<Work> works = new ArrayList<>();
                for (Communicator rank : run.ranks()) {
                    RankMemory memory = rank.allocate(1 << 20);
                    Plan plan = new Shift(rank.rank(), rank.size(), 1 << 18, 10);
                    works.add(rank.begin(plan, memory.span(), memory.span(), 4, null, 1 << 18));
                }
                boolean isOver =
                        run.run(() -> works.stream().allMatch(Work::isOver), Long.MAX_VALUE);
                assertThat(isOver).isTrue();
                assertThat(works).allMatch(Work::isDone);
            }
        }
    }
}
