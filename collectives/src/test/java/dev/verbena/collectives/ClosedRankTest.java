package dev.verbena.collectives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.virtual.VirtualNetwork;
import dev.verbena.virtual.VirtualSettings;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// A rank that closes its end at the wrong time.
class ClosedRankTest {
    private static final long SECOND_NS = 1_000_000_000;

    @Test
    void aRankThatLeftIsNamedByThoseThatNeedIt() {
        try (var network = new VirtualNetwork(VirtualSettings.DEFAULT)) {
            List<Device> devices = List.of(network.open("left"), network.open("right"));
            try (Ranks ranks = new Ranks(devices)) {
                together(ranks);
                ranks.rank(1).close();
                Work alone = begin(ranks.rank(0));
                assertThat(ranks.run(alone::isOver, SECOND_NS)).isTrue();
                assertThat(alone.isDone()).isFalse();
                assertThat(Objects.requireNonNull(ranks.rank(0).failure()).rank()).isEqualTo(1);
            }
        }
    }

    @Test
    void aRankThatClosesDuringAnOperationIsNamedAtOnce() {
        try (var network = new VirtualNetwork(VirtualSettings.DEFAULT)) {
            List<Device> devices = List.of(network.open("left"), network.open("right"));
            try (Ranks ranks = new Ranks(devices)) {
                together(ranks);
                Work here = begin(ranks.rank(0));
                Work there = begin(ranks.rank(1));
                ranks.rank(1).close();
                assertThat(there.isOver()).isTrue();
                assertThat(ranks.run(here::isOver, SECOND_NS)).isTrue();
                assertThat(Objects.requireNonNull(ranks.rank(0).failure()).rank()).isEqualTo(1);
                assertThat(Objects.requireNonNull(ranks.rank(0).failure()).reason())
                        .contains("reported");
            }
        }
    }

    @Test
    void aClosedCommunicatorBeginsNothing() {
        try (var network = new VirtualNetwork(VirtualSettings.DEFAULT)) {
            List<Device> devices = List.of(network.open("left"), network.open("right"));
            try (Ranks ranks = new Ranks(devices)) {
                Communicator left = ranks.rank(0);
                RankMemory memory = left.allocate(8);
                left.close();
                left.close();
                assertThatThrownBy(() -> left.broadcast(memory.span(), 0))
                        .isInstanceOf(InvalidRequestException.class)
                        .hasMessageContaining("closed");
            }
        }
    }

    private static void together(Ranks ranks) {
        Work left = begin(ranks.rank(0));
        Work right = begin(ranks.rank(1));
        assertThat(ranks.run(() -> left.isOver() && right.isOver(), SECOND_NS)).isTrue();
        assertThat(left.isDone()).isTrue();
        assertThat(right.isDone()).isTrue();
    }

    private static Work begin(Communicator rank) {
        RankMemory memory = rank.allocate(16);
        return rank.allReduce(
                memory.span(0, 8), memory.span(8, 8), ElementType.FLOAT32, Reduction.SUM);
    }
}
