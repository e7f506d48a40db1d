package dev.verbena.subnet;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.Gid;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.Notice;
import dev.verbena.wire.mad.SaHeader;
import dev.verbena.wire.mad.SaRecord;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Ports that want notices get them as reports.
class ReportTest {
    private static final Gid GROUP = Gid.ofText("ff12:401b:ffff::77");
    private static final int ALL = 0xFFFF;
    private static final int SUBJECT = SaHeader.DATA + Notice.DETAILS + 6;

    private final SaLab sa = new SaLab(Shapes.twoTiers(2, 3, 2, 1));

    private List<Integer> traps(int host) {
        return sa.reports.getOrDefault(host, List.of()).stream()
                .map(it -> Notice.TRAP_NUMBER.readInt(it, SaHeader.DATA))
                .toList();
    }

    private Gid subject(int host) {
        MemorySegment report = sa.reports.getOrDefault(host, List.of()).getLast();
        return Gid.parse(report, SUBJECT);
    }

    @Test
    void groupsAndPortsThatComeAndGoAreReported() {
        assertThat(sa.subscribe(2, true, ALL).isOk()).isTrue();
        sa.join(1, GROUP, 1);
        sa.exchange();
        assertThat(traps(2)).containsExactly(66);
        assertThat(subject(2)).isEqualTo(GROUP);
        sa.leave(1, GROUP, 1);
        sa.exchange();
        assertThat(traps(2)).containsExactly(66, 67);
        sa.reports.clear();
        sa.lab.plug(5, false);
        sa.lab.settle();
        sa.exchange();
        assertThat(traps(2)).containsExactly(128, 65);
        assertThat(subject(2)).isEqualTo(sa.gid(5));
        sa.reports.clear();
        sa.lab.plug(5, true);
        sa.lab.settle();
        sa.exchange();
        assertThat(traps(2)).contains(64);
        assertThat(sa.lab.manager.timeoutNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void onlyNoticesThatAreWantedCome() {
        sa.subscribe(2, true, 67);
        sa.subscribe(3, true, 66);
        sa.join(1, GROUP, 1);
        sa.exchange();
        assertThat(traps(2)).isEmpty();
        assertThat(traps(3)).containsExactly(66);
        assertThat(sa.subscribe(3, false, 66).isOk()).isTrue();
        sa.leave(1, GROUP, 1);
        sa.join(1, GROUP, 1);
        sa.exchange();
        assertThat(traps(2)).containsExactly(67);
        assertThat(traps(3)).containsExactly(66);
    }

    @Test
    void aManagerWhoseOwnCableIsOutForgetsNoGroup() {
        SaLab other = new SaLab(Shapes.twoTiers(2, 3, 2, 1), ManagerSettings.DEFAULT);
        assertThat(other.join(1, GROUP, 1).isOk()).isTrue();
        other.lab.plug(0, false);
        other.lab.pass(other.lab.plane.nowNs() + 30_000_000_000L);
        other.lab.plug(0, true);
        other.lab.pass(other.lab.plane.nowNs() + 30_000_000_000L);
        SaAnswer groups =
                other.ask(1, MadMethod.GET_TABLE, SaRecord.MULTICAST_MEMBER, SaLab.blank(), 0);
        assertThat(groups.isOk()).as("%s", groups).isTrue();
        assertThat(groups.records()).hasSize(1);
    }

    @Test
    void anAnswerOfAnotherHostDoesNotEndAReport() {
        sa.subscribe(2, true, 66);
        sa.answersReports = false;
        sa.join(1, GROUP, 1);
        sa.exchange();
        MemorySegment report = sa.reports.getOrDefault(2, List.of()).getLast();
        MemorySegment answer = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]).copyFrom(report);
        answer.set(JAVA_BYTE, 3, (byte) MadMethod.REPORT_RESPONSE);
        sa.send(3, sa.lid(0), 1, answer);
        sa.exchange();
        sa.step();
        assertThat(traps(2)).containsExactly(66, 66);
    }

    @Test
    void aReportIsRepeatedUntilItIsAnsweredAFewTimes() {
        sa.subscribe(2, true, 66);
        sa.answersReports = false;
        sa.join(1, GROUP, 1);
        sa.exchange();
        sa.step();
        assertThat(traps(2)).containsExactly(66, 66);
        sa.answersReports = true;
        sa.step();
        assertThat(traps(2)).containsExactly(66, 66, 66);
        assertThat(sa.lab.manager.timeoutNs()).isEqualTo(Long.MAX_VALUE);
        sa.answersReports = false;
        sa.leave(1, GROUP, 1);
        sa.reports.clear();
        sa.join(1, GROUP, 1);
        sa.exchange();
        for (int i = 0; i < 4; i++) {
            sa.step();
        }
        assertThat(traps(2)).containsExactly(66, 66, 66, 66);
        assertThat(sa.lab.manager.timeoutNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void subscriptionsAreRecordsAndEndWithTheirPort() {
        sa.subscribe(2, true, 66);
        sa.subscribe(5, true, 66);
        sa.subscribe(5, true, 67);
        SaAnswer all = table();
        assertThat(all.records()).hasSize(3);
        assertThat(Gid.parse(all.records().getFirst(), 0)).isEqualTo(sa.gid(2));
        sa.lab.plug(5, false);
        sa.lab.settle();
        assertThat(table().records()).hasSize(1);
    }

    private SaAnswer table() {
        return sa.ask(1, MadMethod.GET_TABLE, SaRecord.INFORM_INFO_RECORD, SaLab.blank(), 0);
    }
}
