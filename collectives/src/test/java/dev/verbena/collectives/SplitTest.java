package dev.verbena.collectives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.plan.Collective;
import dev.verbena.virtual.VirtualNetwork;
import dev.verbena.virtual.VirtualSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SplitTest {
    private static final long LIMIT_NS = 1_000_000_000;

    private static Ranks ranks(VirtualNetwork network, int size) {
        List<dev.verbena.verbs.Device> devices = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            devices.add(network.open("rank" + i));
        }
        return new Ranks(devices);
    }

    private static List<Optional<Communicator>> split(Ranks ranks, int[] colors, int[] keys) {
        List<Split> splits = new ArrayList<>();
        for (int rank = 0; rank < colors.length; rank++) {
            splits.add(ranks.rank(rank).split(colors[rank], keys[rank]));
        }
        assertThat(ranks.run(() -> splits.stream().allMatch(it -> it.work().isOver()), LIMIT_NS))
                .isTrue();
        return splits.stream().map(Split::communicator).toList();
    }

    @Test
    void ranksOfAColourAreOrderedByKeyAndWorkApart() {
        try (var network = new VirtualNetwork(VirtualSettings.DEFAULT);
                Ranks ranks = ranks(network, 5)) {
            var parts = split(ranks, new int[] {0, 1, 0, -1, 0}, new int[] {9, 0, 3, 0, 3});
            assertThat(parts.get(3)).isEmpty();
            Communicator last = parts.get(0).orElseThrow();
            Communicator first = parts.get(2).orElseThrow();
            Communicator second = parts.get(4).orElseThrow();
            assertThat(List.of(first.rank(), second.rank(), last.rank())).containsExactly(0, 1, 2);
            assertThat(parts.get(1).orElseThrow().size()).isEqualTo(1);
            List<Communicator> three = List.of(first, second, last);
            Task task =
                    new Task(
                            Collective.ALL_REDUCE,
                            ElementType.INT32,
                            Reduction.SUM,
                            3000,
                            0,
                            false,
                            1);
            try (Exercise exercise = new Exercise(three, task)) {
                for (int rank = 0; rank < 3; rank++) {
                    exercise.begin(rank);
                }
                assertThat(ranks.run(three, exercise::isOver, LIMIT_NS)).isTrue();
                exercise.check();
            }
            parts.forEach(it -> it.ifPresent(Communicator::close));
        }
    }

    @Test
    void aPartIsThereOnlyWhenAllHaveNamedTheirColours() {
        try (var network = new VirtualNetwork(VirtualSettings.DEFAULT);
                Ranks ranks = ranks(network, 2)) {
            Split early = ranks.rank(0).split(0, 0);
            assertThatThrownBy(early::communicator)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("not all ranks have named their colours yet");
        }
    }
}
