package dev.verbena.collectives.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/// Short messages take few steps, long ones few bytes.
class CostModelTest {
    private final CostModel model = new CostModel(Costs.infiniband(400), 4);

    private Algorithm choice(Collective operation, int size, long count) {
        return model.choose(Shape.of(operation, 0, size, count));
    }

    @Test
    void aShortAllReduceTakesTheFewestSteps() {
        assertThat(choice(Collective.ALL_REDUCE, 64, 2)).isEqualTo(Algorithm.DOUBLING);
        assertThat(choice(Collective.BARRIER, 64, 0)).isEqualTo(Algorithm.DOUBLING);
    }

    @Test
    void aLongAllReduceDoesNotTakeTheFewestSteps() {
        Shape shape = Shape.of(Collective.ALL_REDUCE, 0, 8, 1L << 28);
        assertThat(model.choose(shape)).isIn(Algorithm.RING, Algorithm.HALVING_DOUBLING);
        assertThat(model.estimate(shape, Algorithm.RING).seconds())
                .isLessThan(model.estimate(shape, Algorithm.DOUBLING).seconds() / 1.5);
    }

    @Test
    void manyRanksOnAHostMakeItHierarchical() {
        Shape shape = Shape.of(Collective.ALL_REDUCE, 0, 64, 1L << 26).withGroups(8);
        assertThat(model.choose(shape)).isEqualTo(Algorithm.HIERARCHICAL);
    }

    @Test
    void explainsTheChoiceWithATable() {
        List<String> lines = model.explain(Shape.of(Collective.ALL_REDUCE, 0, 4, 1000));
        assertThat(lines).hasSize(5);
        assertThat(lines.getFirst()).contains("algorithm", "steps", "bytes sent", "estimated us");
        assertThat(lines.get(1)).startsWith("* ");
        assertThat(lines.subList(2, 5)).allMatch(line -> line.startsWith("  "));
    }

    @Test
    void allRanksChooseAlike() {
        for (Collective operation : Collective.values()) {
            Algorithm first = model.choose(Shape.of(operation, 0, 7, 5000));
            for (int rank = 1; rank < 7; rank++) {
                assertThat(model.choose(Shape.of(operation, rank, 7, 5000))).isEqualTo(first);
            }
        }
    }

    @Test
    void refusesConstantsThatAreNotPositive() {
        assertThatThrownBy(() -> new Costs(0, 1, 1, 1, 1, 1))
                .hasMessage("latencyNs 0.0: must be above 0");
    }
}
