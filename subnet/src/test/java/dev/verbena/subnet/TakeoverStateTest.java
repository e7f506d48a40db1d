package dev.verbena.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fabric.manage.MadEnvelope;
import dev.verbena.subnet.state.Command;
import dev.verbena.subnet.state.Group;
import dev.verbena.subnet.state.Service;
import dev.verbena.wire.Gid;
import dev.verbena.wire.mad.InformInfo;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.ManagementClass;
import dev.verbena.wire.mad.McMemberRecord;
import dev.verbena.wire.mad.SaHeader;
import dev.verbena.wire.mad.SaRecord;
import dev.verbena.wire.mad.ServiceRecord;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What hosts asked for is there after a manager took over, and an answer means that it stays.
class TakeoverStateTest {
    private static final Gid GROUP = Gid.ofText("ff12:401b:ffff::1234");
    private static final Gid OTHER = Gid.ofText("ff12:401b:ffff::5678");
    private static final long SECOND_NS = 1_000_000_000L;

    private final PlainPlane plane = Shapes.twoTiers(3, 3, 2, 1);
    private final SharedLab lab = new SharedLab(plane);
    private final Seat first = lab.seat(0);
    private final Seat second = lab.seat(4);

    static Service service(long guid, int id) {
        MemorySegment record = MemorySegment.ofArray(new byte[ServiceRecord.LENGTH]);
        ServiceRecord.SERVICE_ID.write(record, 0, id);
        new Gid(SaLab.PREFIX, guid).emit(record, 8);
        ServiceRecord.SERVICE_PKEY.write(record, 0, 0xFFFF);
        ServiceRecord.SERVICE_LEASE.write(record, 0, 0xFFFF_FFFFL);
        return Service.of(record);
    }

    /// Asks without retries.
    private Optional<SaAnswer> ask(
            Seat seat, int host, int method, SaRecord record, MemorySegment template, long mask) {
        SaClient client =
                new SaClient(
                        new SaClient.Settings(lab.subnet.lid(seat.host()), 9 * SECOND_NS, 0, 0));
        ArrayDeque<MemorySegment> inbox = new ArrayDeque<>();
        lab.subnet
                .port(host)
                .receiver(
                        (_, mad) -> {
                            inbox.add(
                                    MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL])
                                            .copyFrom(mad));
                            return true;
                        });
        client.ask(method, record, template, mask);
        for (int i = 0; i < 20; i++) {
            client.transmit(plane.nowNs(), (lid, pair, mad) -> send(host, lid, pair, mad));
            seat.run(Integer.MAX_VALUE - seat.sent);
            while (!inbox.isEmpty()) {
                client.handle(plane.nowNs(), inbox.remove());
            }
        }
        return client.poll();
    }

    private void send(int host, int lid, int pair, MemorySegment mad) {
        lab.subnet.port(host).send(new MadEnvelope(lid, 0, pair, 1), mad);
    }

    private Optional<SaAnswer> member(Seat seat, int host, Gid group, int method) {
        MemorySegment record = SaLab.blank();
        group.emit(record, 0);
        new Gid(SaLab.PREFIX, plane.portGuid(host)).emit(record, 16);
        McMemberRecord.QKEY.write(record, 0, 0xB1B);
        McMemberRecord.PKEY.write(record, 0, 0xFFFF);
        McMemberRecord.JOIN_STATE.write(record, 0, Group.FULL);
        long mask = method == MadMethod.SET ? SaLab.CREATE : SaLab.JOIN;
        return ask(seat, host, method, SaRecord.MULTICAST_MEMBER, record, mask);
    }

    private void assertReaches(int mlid, int from, int... members) {
        for (int member : members) {
            int leaf = plane.peer(member, 1);
            assertThat(plane.groupPorts(leaf, mlid))
                    .as("ports of group %#x at the leaf of host %d, from %d", mlid, member, from)
                    .contains(plane.peerPort(member, 1));
        }
    }

    @Test
    void groupsServicesAndSubscriptionsOutliveTheirManager() {
        first.takeOver();
        int mlid =
                McMemberRecord.MLID.readInt(
                        member(first, 2, GROUP, MadMethod.SET).orElseThrow().records().getFirst(),
                        0);
        assertThat(member(first, 8, GROUP, MadMethod.SET).orElseThrow().isOk()).isTrue();
        MemorySegment offer = SaLab.blank();
        MemorySegment.copy(
                service(plane.portGuid(7), 5).record(), 0, offer, 0, ServiceRecord.LENGTH);
        assertThat(ask(first, 7, MadMethod.SET, SaRecord.SERVICE, offer, 7).orElseThrow().isOk())
                .isTrue();
        SweepReport report = second.takeOver();
        assertThat(report.failures()).isZero();
        assertThat(second.state().group(GROUP).orElseThrow().members()).hasSize(2);
        assertThat(second.state().group(GROUP).orElseThrow().lid()).isEqualTo(mlid);
        assertThat(second.state().services()).hasSize(1);
        assertReaches(mlid, 2, 2, 8);
        assertThat(
                        ask(second, 6, MadMethod.GET, SaRecord.SERVICE, offer, 1)
                                .orElseThrow()
                                .records())
                .hasSize(1);
    }

    @Test
    void anAnswerWaitsUntilTheChangeIsCommitted() {
        first.takeOver();
        first.commits = false;
        assertThat(member(first, 2, GROUP, MadMethod.SET)).isEmpty();
        assertThat(first.waiting()).isEqualTo(1);
        assertThat(first.state().group(GROUP)).isEmpty();
        second.takeOver();
        assertThat(second.state().groups()).isEmpty();
        assertThat(member(second, 2, GROUP, MadMethod.SET).orElseThrow().isOk()).isTrue();
    }

    @Test
    void aGroupThatEndedBeforeItsTablesWereClearedIsClearedByTheNextManager() {
        first.takeOver();
        int mlid =
                McMemberRecord.MLID.readInt(
                        member(first, 2, OTHER, MadMethod.SET).orElseThrow().records().getFirst(),
                        0);
        assertThat(plane.groupPorts(plane.peer(2, 1), mlid)).isNotEmpty();
        lab.log.add(new Command.Leave(OTHER, new Gid(SaLab.PREFIX, plane.portGuid(2)), Group.FULL));
        second.takeOver();
        assertThat(second.state().groups()).isEmpty();
        assertThat(plane.groupPorts(plane.peer(2, 1), mlid)).isEmpty();
    }

    @Test
    void tooManyChangesAtOnceAreNotTaken() {
        first.takeOver();
        first.commits = false;
        MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
        long limits = 0;
        for (int i = 0; i < 1100; i++) {
            MemorySegment info = SaLab.blank();
            InformInfo.LID_RANGE_BEGIN.write(info, 0, 0xFFFF);
            InformInfo.SUBSCRIBE.write(info, 0, 1);
            mad.fill((byte) 0);
            new Mad(
                            ManagementClass.SUBNET_ADMINISTRATION,
                            SaHeader.CLASS_VERSION,
                            MadMethod.SET,
                            0,
                            0,
                            i + 1L,
                            SaRecord.INFORM_INFO.attributeId(),
                            0)
                    .emit(mad, 0);
            MemorySegment.copy(info, 0, mad, SaHeader.DATA, info.byteSize());
            SmVerdict verdict = first.manager().handle(plane.nowNs(), lab.subnet.lid(3), 1, mad);
            limits += verdict == SmVerdict.LIMIT ? 1 : 0;
        }
        assertThat(limits).isEqualTo(1100 - 1024);
        assertThat(first.waiting()).isEqualTo(1024);
    }
}
