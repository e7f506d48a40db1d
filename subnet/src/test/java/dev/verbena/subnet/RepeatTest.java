package dev.verbena.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.SmpBlocks;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What a node did not answer is sent again, without a trap or a look that would bring it up.
class RepeatTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final MemorySegment LOST = MemorySegment.ofArray(new byte[0]);

    private final PlainPlane plane = Shapes.twoTiers(2, 2, 1, 1);
    private final Lab lab = new Lab(plane, ManagerSettings.DEFAULT.withSweepNs(0));

    /// Transactions of Sets whose answers are lost.
    private final Set<Long> lost = new HashSet<>();

    private int attribute = PortInfo.ATTRIBUTE_ID;
    private boolean isLossy = true;
    private int sets;

    RepeatTest() {
        lab.onSent(
                mad -> {
                    boolean isSet =
                            Mad.method(mad, 0) == MadMethod.SET
                                    && Mad.attributeId(mad, 0) == attribute;
                    if (isSet) {
                        sets++;
                        lost.add(Mad.transactionId(mad, 0));
                    }
                });
        lab.tamper(mad -> isLossy && lost.contains(Mad.transactionId(mad, 0)) ? LOST : mad);
    }

    private boolean areAllActive() {
        for (int[] ends : plane.cables) {
            if (lab.subnet.portState(ends[0], ends[1]) != 4
                    || lab.subnet.portState(ends[2], ends[3]) != 4) {
                return false;
            }
        }
        return true;
    }

    @Test
    void portsWhoseSettingsWereNotAnsweredBecomeActiveLater() {
        assertThat(lab.bringUp().failures()).isPositive();
        assertThat(areAllActive()).isFalse();

        isLossy = false;
        lab.pass(plane.nowNs() + SECOND_NS);

        assertThat(areAllActive()).isTrue();
        assertThat(lab.last().failures()).isZero();
        assertThat(lab.manager.timeoutNs()).as("nothing is left").isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void tablesThatWereNotAnsweredAreWrittenLater() {
        attribute = SmpBlocks.LINEAR_FORWARDING;
        assertThat(lab.bringUp().failures()).isEqualTo(3);

        isLossy = false;
        lab.pass(plane.nowNs() + SECOND_NS);

        assertThat(lab.last().blocks()).isEqualTo(3);
        assertThat(lab.last().failures()).isZero();
    }

    @Test
    void aNodeThatNeverAnswersIsAskedMoreAndMoreSeldom() {
        // A port takes its settings though the answer is lost; of a table that is not known.
        attribute = SmpBlocks.LINEAR_FORWARDING;
        lab.bringUp();
        int each = sets;
        lab.pass(plane.nowNs() + 8 * SECOND_NS);
        int soon = sets - each;
        // A try takes 0.8 s, the wait grows from 0.25 s to 8 s.
        assertThat(soon).isBetween(3 * each, 5 * each);

        lab.pass(plane.nowNs() + 60 * SECOND_NS);
        int before = sets;
        lab.pass(plane.nowNs() + 88 * SECOND_NS);
        assertThat(sets - before).isBetween(9 * each, 11 * each);
    }

    @Test
    void portsOfNodesThatAnswerNothingForAWhileBecomeActiveLater() {
        lab.bringUp();
        lab.tamper(_ -> LOST);
        lab.pass(plane.nowNs() + 10 * SECOND_NS);
        assertThat(areAllActive()).isFalse();

        lab.tamper(mad -> mad);
        lab.pass(plane.nowNs() + 20 * SECOND_NS);

        assertThat(areAllActive()).isTrue();
    }

    @Test
    void aNodeThatIsGoneIsNotAskedAgain() {
        lab.bringUp();
        for (int cable = 0; cable < plane.cables.size(); cable++) {
            lab.plug(cable, false);
        }
        isLossy = false;
        lab.pass(plane.nowNs() + 30 * SECOND_NS);
        int before = sets;

        lab.pass(plane.nowNs() + 120 * SECOND_NS);

        assertThat(sets).isEqualTo(before);
    }
}
