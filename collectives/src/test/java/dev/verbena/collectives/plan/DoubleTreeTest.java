package dev.verbena.collectives.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.collectives.plan.Pipeline.Tree;
import org.junit.jupiter.api.Test;

/// The two trees complement each other.
class DoubleTreeTest {
    @Test
    void aRankHasChildrenInAtMostOneTree() {
        for (int size = 2; size <= 300; size++) {
            for (int rank = 0; rank < size; rank++) {
                int inner = 0;
                for (int which = 0; which < 2; which++) {
                    inner += DoubleTree.tree(which, rank, size).children() > 0 ? 1 : 0;
                }
                assertThat(inner).as("rank %d of %d", rank, size).isLessThanOrEqualTo(1);
            }
        }
    }

    @Test
    void eachTreeReachesAllRanksAtLogarithmicHeight() {
        for (int size = 2; size <= 300; size++) {
            for (int which = 0; which < 2; which++) {
                int roots = 0;
                for (int rank = 0; rank < size; rank++) {
                    Tree tree = DoubleTree.tree(which, rank, size);
                    roots += tree.parent() < 0 ? 1 : 0;
                    requireChild(which, rank, size, tree);
                    int height = 0;
                    for (int up = tree.parent(); up >= 0; height++) {
                        up = DoubleTree.tree(which, up, size).parent();
                    }
                    assertThat(height).isLessThanOrEqualTo(31 - Integer.numberOfLeadingZeros(size));
                }
                assertThat(roots).isEqualTo(1);
            }
        }
    }

    private static void requireChild(int which, int rank, int size, Tree tree) {
        if (tree.parent() >= 0) {
            Tree parent = DoubleTree.tree(which, tree.parent(), size);
            assertThat(parent.left() == rank || parent.right() == rank).isTrue();
        }
    }

    @Test
    void aRootStandsAboveBothTrees() {
        for (int size = 2; size <= 40; size++) {
            for (int which = 0; which < 2; which++) {
                Tree top = DoubleTree.rooted(which, 1, size, 1);
                assertThat(top.parent()).isNegative();
                assertThat(top.children()).isEqualTo(1);
                assertThat(DoubleTree.rooted(which, top.left(), size, 1).parent()).isEqualTo(1);
            }
        }
    }
}
