package dev.verbena.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.subnet.ManagerCounts.Question;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.ManagementClass;
import dev.verbena.wire.mad.Notice;
import dev.verbena.wire.mad.SaHeader;
import dev.verbena.wire.mad.SaRecord;
import dev.verbena.wire.mad.Smp;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ManagerCountsTest {
    private static final ManagerSettings SETTINGS = ManagerSettings.DEFAULT.withSweepNs(0);

    @Test
    void sumsOfRoundsAreThoseOfTheirReports() {
        Lab lab = new Lab(Shapes.twoTiers(4, 3, 2, 1), SETTINGS);
        SweepReport first = lab.bringUp();
        ManagerCounts before = lab.manager.counts();
        assertThat(before.fullSweeps()).isEqualTo(1);
        assertThat(before.requests()).isEqualTo(first.requests()).isPositive();
        assertThat(before.blocks()).isEqualTo(first.blocks()).isPositive();
        lab.plug(14, false);
        SweepReport second = lab.settle();
        ManagerCounts counts = lab.manager.counts();
        assertThat(counts.fullSweeps()).isEqualTo(1);
        assertThat(counts.partialSweeps()).isGreaterThanOrEqualTo(1);
        assertThat(counts.requests()).isGreaterThanOrEqualTo(first.requests() + second.requests());
        assertThat(counts.blocks()).isGreaterThanOrEqualTo(first.blocks() + second.blocks());
        assertThat(counts.isUp()).isTrue();
        assertThat(counts.verdicts()).isEqualTo(lab.manager.verdicts());
    }

    @Test
    void countsTrapsByNumberAndUnknownOnesTogether() {
        Lab lab = new Lab(Shapes.twoTiers(4, 3, 2, 1), SETTINGS);
        lab.bringUp();
        assertThat(lab.manager.counts().traps()).isEmpty();
        trap(lab, Notice.LOCAL_CHANGES, 1);
        trap(lab, Notice.LOCAL_CHANGES, 1);
        trap(lab, 9_999, 1);
        trap(lab, Notice.LINK_STATE_CHANGE, 0);
        assertThat(lab.manager.counts().traps())
                .isEqualTo(Map.of(Notice.LOCAL_CHANGES, 2L, ManagerCounts.OTHER_TRAP, 2L));
    }

    private static void trap(Lab lab, int number, int isGeneric) {
        MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
        new Mad(
                        ManagementClass.SUBNET_LID_ROUTED,
                        1,
                        MadMethod.TRAP,
                        0,
                        0,
                        7,
                        Notice.ATTRIBUTE_ID,
                        0)
                .emit(mad, 0);
        Notice.IS_GENERIC.write(mad, Smp.DATA, isGeneric);
        Notice.TRAP_NUMBER.write(mad, Smp.DATA, number);
        lab.manager.handle(lab.plane.nowNs(), 1, 0, mad);
    }

    @Test
    void countsQuestionsByAttributeAndMethod() {
        SaLab sa = new SaLab(Shapes.twoTiers(4, 3, 2, 1));
        MemorySegment empty = SaLab.blank();
        sa.ask(3, MadMethod.GET_TABLE, SaRecord.NODE, empty, 0);
        sa.ask(3, MadMethod.GET_TABLE, SaRecord.NODE, empty, 0);
        sa.ask(3, MadMethod.GET, SaRecord.VL_ARBITRATION, empty, 0);
        assertThat(sa.lab.manager.counts().questions())
                .isEqualTo(
                        Map.of(
                                new Question("node", "get_table"), 2L,
                                new Question("vl_arbitration", "get"), 1L));
    }

    @Test
    void attributesAndMethodsOfASendersOwnMakeNoKindsOfTheirOwn() {
        SaLab sa = new SaLab(Shapes.twoTiers(4, 3, 2, 1));
        for (int attribute = 0x1000; attribute < 0x1100; attribute++) {
            MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
            int method = attribute % 2 == 0 ? MadMethod.GET : 0x33;
            new Mad(
                            ManagementClass.SUBNET_ADMINISTRATION,
                            SaHeader.CLASS_VERSION,
                            method,
                            0,
                            0,
                            attribute,
                            attribute,
                            0)
                    .emit(mad, 0);
            sa.lab.manager.handle(sa.lab.plane.nowNs(), 3, 1, mad);
        }
        assertThat(sa.lab.manager.counts().questions())
                .isEqualTo(
                        Map.of(
                                new Question("other", "get"), 128L,
                                new Question("other", "other"), 128L));
    }
}
