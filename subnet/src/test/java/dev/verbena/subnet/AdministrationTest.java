package dev.verbena.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Gid;
import dev.verbena.wire.mad.ClassPortInfo;
import dev.verbena.wire.mad.LinkRecord;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadField;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.MadStatus;
import dev.verbena.wire.mad.ManagementClass;
import dev.verbena.wire.mad.McMemberRecord;
import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.PathRecord;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.Rmpp;
import dev.verbena.wire.mad.SaHeader;
import dev.verbena.wire.mad.SaRecord;
import dev.verbena.wire.mad.SaStatus;
import dev.verbena.wire.mad.ServiceRecord;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Hosts ask the manager for paths, nodes, groups and services, by datagrams.
class AdministrationTest {
    private static final int DGID = 1 << 2;
    private static final int SGID = 1 << 3;
    private static final int DLID = 1 << 4;
    private static final int SLID = 1 << 5;
    private static final long LEASE_S = 5;
    private static final Gid GROUP = Gid.ofText("ff12:401b:ffff::1234");

    private final SaLab sa = new SaLab(Shapes.twoTiers(4, 3, 2, 1));
    private final PlainPlane plane = sa.lab.plane;

    private SaAnswer get(SaRecord record, MemorySegment template, long mask) {
        return sa.ask(1, MadMethod.GET, record, template, mask);
    }

    private SaAnswer table(SaRecord record, MemorySegment template, long mask) {
        return sa.ask(1, MadMethod.GET_TABLE, record, template, mask);
    }

    private MemorySegment path(int from, int to) {
        MemorySegment record = SaLab.blank();
        sa.gid(to).emit(record, 8);
        sa.gid(from).emit(record, 24);
        PathRecord.DLID.write(record, 0, sa.lid(to));
        PathRecord.SLID.write(record, 0, sa.lid(from));
        return record;
    }

    private static int value(SaAnswer answer, MadField field) {
        assertThat(answer.isOk()).as("%s", answer).isTrue();
        return field.readInt(answer.records().getFirst(), 0);
    }

    @Test
    void aPathHasLidsMtuAndRateOfItsRoute() {
        SaAnswer answer = get(SaRecord.PATH, path(1, 9), DGID | SGID);
        assertThat(value(answer, PathRecord.DLID)).isEqualTo(sa.lid(9));
        assertThat(value(answer, PathRecord.SLID)).isEqualTo(sa.lid(1));
        assertThat(value(answer, PathRecord.MTU)).isEqualTo(5);
        // 4x of 50 Gb/s.
        assertThat(value(answer, PathRecord.RATE)).isEqualTo(17);
        assertThat(value(answer, PathRecord.PKEY)).isEqualTo(0xFFFF);
        assertThat(value(answer, PathRecord.REVERSIBLE)).isEqualTo(1);
        SaAnswer byLid = get(SaRecord.PATH, path(1, 9), DLID | SLID);
        assertThat(byLid.records().getFirst().mismatch(answer.records().getFirst())).isEqualTo(-1);
    }

    @Test
    void theSlowestLinkOfARouteDecides() {
        PlainPlane slow = Shapes.twoTiers(2, 2, 1, 1);
        slow.slow(slow.hosts + 2, 1);
        SaLab other = new SaLab(slow);
        MemorySegment template = SaLab.blank();
        other.gid(3).emit(template, 8);
        other.gid(1).emit(template, 24);
        SaAnswer answer = other.ask(1, MadMethod.GET, SaRecord.PATH, template, DGID | SGID);
        assertThat(value(answer, PathRecord.RATE)).isEqualTo(2);
        other.gid(0).emit(template, 8);
        SaAnswer near = other.ask(1, MadMethod.GET, SaRecord.PATH, template, DGID | SGID);
        assertThat(value(near, PathRecord.RATE)).isEqualTo(17);
    }

    @Test
    void selectorsExcludePathsThatAreNotWanted() {
        MemorySegment wish = path(1, 9);
        long mask = DGID | SGID | 3L << 16;
        PathRecord.MTU.write(wish, 0, 5);
        int[] records = {0, 0, 1, 1};
        for (int selector = 0; selector < 4; selector++) {
            PathRecord.MTU_SELECTOR.write(wish, 0, selector);
            assertThat(table(SaRecord.PATH, wish, mask).records())
                    .as("selector %d", selector)
                    .hasSize(records[selector]);
        }
        PathRecord.RATE.write(wish, 0, 16);
        PathRecord.RATE_SELECTOR.write(wish, 0, 0);
        assertThat(table(SaRecord.PATH, wish, DGID | SGID | 3L << 18).records()).hasSize(1);
        PathRecord.RATE_SELECTOR.write(wish, 0, 1);
        assertThat(table(SaRecord.PATH, wish, DGID | SGID | 3L << 18).records()).isEmpty();
    }

    @Test
    void aGidThatNoPortHasIsInvalid() {
        MemorySegment wish = path(1, 9);
        PathRecord.DGID_LOW.write(wish, 0, 99);
        assertThat(get(SaRecord.PATH, wish, DGID | SGID).status()).isEqualTo(SaStatus.INVALID_GID);
        assertThat(get(SaRecord.PATH, path(1, 9), 1L << 60).status())
                .isEqualTo(SaStatus.REQUEST_INVALID);
    }

    @Test
    void tablesOfManyDatagramsComeWhole() {
        SaAnswer nodes = table(SaRecord.NODE, SaLab.blank(), 0);
        assertThat(nodes.records()).hasSize(plane.nodes());
        for (MemorySegment record : nodes.records()) {
            int lid = BigEndian.u16(record, 0);
            long guid = NodeInfo.NODE_GUID.read(record, 4);
            int node = (int) ((guid & 0xFFFF) / 0x100 - 1);
            assertThat(lid).isEqualTo(sa.lid(node)).isPositive();
            assertThat(NodeInfo.NODE_TYPE.readInt(record, 4)).isEqualTo(node < 12 ? 1 : 2);
        }
        assertThat(table(SaRecord.LINK, SaLab.blank(), 0).records())
                .hasSize(2 * plane.cables.size());
        assertThat(table(SaRecord.SWITCH_INFO, SaLab.blank(), 0).records()).hasSize(5);
        // Every host sees every port.
        assertThat(table(SaRecord.PATH, path(3, 0), SGID).records()).hasSize(plane.nodes());
    }

    @Test
    void recordsAreChosenByComponents() {
        MemorySegment node = SaLab.blank();
        NodeInfo.NODE_TYPE.write(node, 4, NodeInfo.SWITCH);
        assertThat(table(SaRecord.NODE, node, 1 << 4).records()).hasSize(5);
        assertThat(get(SaRecord.NODE, node, 1 << 4).status()).isEqualTo(SaStatus.TOO_MANY_RECORDS);
        MemorySegment link = SaLab.blank();
        LinkRecord.FROM_LID.write(link, 0, sa.lid(4));
        SaAnswer answer = get(SaRecord.LINK, link, 1);
        assertThat(value(answer, LinkRecord.TO_LID)).isEqualTo(sa.lid(13));
        assertThat(value(answer, LinkRecord.TO_PORT)).isEqualTo(1);
        MemorySegment port = SaLab.blank();
        BigEndian.put16(port, 0, sa.lid(12));
        BigEndian.put8(port, 2, 3);
        SaAnswer info = get(SaRecord.PORT_INFO, port, 3);
        assertThat(info.isOk()).isTrue();
        assertThat(PortInfo.PORT_STATE.readInt(info.records().getFirst(), 4)).isEqualTo(4);
        BigEndian.put16(port, 0, 999);
        assertThat(get(SaRecord.PORT_INFO, port, 1).status()).isEqualTo(SaStatus.NO_RECORDS);
    }

    @Test
    void anAnswerArrivesThoughEveryThirdSegmentIsLost() {
        AtomicInteger count = new AtomicInteger();
        sa.loses = mad -> count.incrementAndGet() % 3 == 0;
        assertThat(table(SaRecord.NODE, SaLab.blank(), 0).records()).hasSize(plane.nodes());
        assertThat(count.get()).isGreaterThan(11);
    }

    @Test
    void anAnswerWithoutAcknowledgementsIsGivenUp() {
        MemorySegment request = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
        header(MadMethod.GET_TABLE, SaRecord.NODE.attributeId()).emit(request, 0);
        MemorySegment last = silent(request);
        assertThat(SaHeader.RMPP_TYPE.readInt(last, 0)).isEqualTo(Rmpp.ABORT);
        assertThat(SaHeader.RMPP_STATUS.readInt(last, 0)).isEqualTo(Rmpp.ABORT_RETRIES);
        assertThat(sa.lab.manager.timeoutNs()).isEqualTo(Long.MAX_VALUE);
    }

    /// Sends a request and answers nothing; the last datagram that comes.
    private MemorySegment silent(MemorySegment request) {
        MemorySegment[] last = {request};
        AtomicInteger count = new AtomicInteger();
        get(SaRecord.LINK, SaLab.blank(), 0);
        sa.loses =
                mad -> {
                    last[0] = mad;
                    count.incrementAndGet();
                    return true;
                };
        sa.send(1, sa.lid(0), 1, request);
        sa.exchange();
        for (int i = 0; i < 4; i++) {
            sa.step();
        }
        assertThat(count.get()).as("a segment four times, and an abort").isEqualTo(5);
        return last[0];
    }

    private static Mad header(int method, int attribute) {
        return new Mad(
                ManagementClass.SUBNET_ADMINISTRATION,
                SaHeader.CLASS_VERSION,
                method,
                0,
                0,
                7,
                attribute,
                0);
    }

    @Test
    void whatIsNotSupportedIsRefusedByItsStatus() {
        assertThat(get(SaRecord.GUID_INFO, SaLab.blank(), 0).status())
                .isEqualTo(MadStatus.ATTRIBUTE_UNSUPPORTED);
        assertThat(sa.ask(1, MadMethod.SET, SaRecord.NODE, SaLab.blank(), 0).status())
                .isEqualTo(MadStatus.ATTRIBUTE_UNSUPPORTED);
        assertThat(sa.ask(1, MadMethod.GET_MULTI, SaRecord.PATH, SaLab.blank(), 0).status())
                .isEqualTo(MadStatus.METHOD_UNSUPPORTED);
        SaAnswer info = get(SaRecord.CLASS_PORT_INFO, SaLab.blank(), 0);
        assertThat(value(info, ClassPortInfo.CLASS_VERSION)).isEqualTo(2);
    }

    @Test
    void groupsAreMadeJoinedAndLeft() {
        SaAnswer first = sa.join(1, GROUP, 1);
        int mlid = value(first, McMemberRecord.MLID);
        assertThat(mlid).isEqualTo(0xC000);
        assertThat(value(sa.join(5, GROUP, 4), McMemberRecord.MLID)).isEqualTo(mlid);
        SaAnswer groups = table(SaRecord.MULTICAST_MEMBER, SaLab.blank(), 0);
        assertThat(groups.records()).hasSize(1);
        assertThat(value(groups, McMemberRecord.PORT_GID_LOW)).isZero();
        MemorySegment other = sa.member(6, GROUP, 1);
        McMemberRecord.QKEY.write(other, 0, 1);
        assertThat(
                        sa.ask(6, MadMethod.SET, SaRecord.MULTICAST_MEMBER, other, SaLab.CREATE)
                                .status())
                .isEqualTo(SaStatus.REQUEST_INVALID);
        assertThat(sa.leave(1, GROUP, 1).isOk()).isTrue();
        assertThat(table(SaRecord.MULTICAST_MEMBER, SaLab.blank(), 0).records()).isEmpty();
        assertThat(sa.leave(1, GROUP, 1).status()).isEqualTo(SaStatus.REQUEST_INVALID);
    }

    @Test
    void aPortJoinsForItselfOnlyAndSaysEnough() {
        MemorySegment ofFive = sa.member(5, GROUP, 1);
        SaRecord record = SaRecord.MULTICAST_MEMBER;
        assertThat(sa.ask(6, MadMethod.SET, record, ofFive, SaLab.CREATE).status())
                .isEqualTo(SaStatus.DENIED);
        assertThat(sa.ask(5, MadMethod.SET, record, ofFive, SaLab.JOIN).status())
                .isEqualTo(SaStatus.INSUFFICIENT_COMPONENTS);
        assertThat(sa.ask(5, MadMethod.SET, record, ofFive, 3).status())
                .isEqualTo(SaStatus.INSUFFICIENT_COMPONENTS);
        assertThat(sa.join(5, sa.gid(1), 1).status()).isEqualTo(SaStatus.REQUEST_INVALID);
        assertThat(sa.join(5, GROUP, 0).status()).isEqualTo(SaStatus.REQUEST_INVALID);
        MemorySegment large = sa.member(5, GROUP, 1);
        McMemberRecord.MTU_SELECTOR.write(large, 0, 2);
        McMemberRecord.MTU.write(large, 0, 6);
        assertThat(sa.ask(5, MadMethod.SET, record, large, SaLab.CREATE | 3 << 4).status())
                .isEqualTo(SaStatus.REQUEST_INVALID);
        McMemberRecord.MTU.write(large, 0, 5);
        assertThat(
                        value(
                                sa.ask(5, MadMethod.SET, record, large, SaLab.CREATE | 3 << 4),
                                McMemberRecord.MTU))
                .isEqualTo(5);
    }

    @Test
    void aServiceEndsWithItsLease() {
        MemorySegment service = SaLab.blank();
        ServiceRecord.SERVICE_ID.write(service, 0, 77);
        sa.gid(2).emit(service, 8);
        ServiceRecord.SERVICE_PKEY.write(service, 0, 0xFFFF);
        ServiceRecord.SERVICE_LEASE.write(service, 0, LEASE_S);
        long mask = 7 | 1 << 4;
        assertThat(sa.ask(3, MadMethod.SET, SaRecord.SERVICE, service, mask).status())
                .isEqualTo(SaStatus.DENIED);
        assertThat(sa.ask(2, MadMethod.SET, SaRecord.SERVICE, service, mask).isOk()).isTrue();
        long startNs = plane.nowNs();
        assertThat(table(SaRecord.SERVICE, service, 1).records()).hasSize(1);
        while (sa.lab.manager.timeoutNs() <= startNs + LEASE_S * 1_000_000_000L) {
            sa.step();
        }
        assertThat(table(SaRecord.SERVICE, service, 1).records()).isEmpty();
    }

    @Test
    void datagramsOfAnyContentDoNoHarm() {
        SplittableRandom random = Seed.forTest("hostile questions", 0x5AFE).random();
        SaRecord[] records = SaRecord.values();
        int[] methods = {0x01, 0x02, 0x03, 0x06, 0x12, 0x13, 0x14, 0x15, 0x81, 0x86, 0x92};
        get(SaRecord.LINK, SaLab.blank(), 0);
        sa.loses = _ -> true;
        for (int i = 0; i < Seed.campaign(4000); i++) {
            byte[] bytes = new byte[Mad.LENGTH_TOTAL];
            random.nextBytes(bytes);
            MemorySegment mad = MemorySegment.ofArray(bytes);
            int attribute = records[random.nextInt(records.length)].attributeId();
            header(methods[random.nextInt(methods.length)], attribute).emit(mad, 0);
            if (random.nextInt(3) > 0) {
                mad.asSlice(24, 24).fill((byte) 0);
            }
            if (random.nextBoolean()) {
                SaHeader.COMPONENT_MASK.write(mad, 0, random.nextLong() >>> random.nextInt(64));
            }
            if (random.nextBoolean()) {
                sa.gid(1).emit(mad, SaHeader.DATA + (random.nextBoolean() ? 16 : 8));
            }
            sa.lab.manager.handle(plane.nowNs(), random.nextInt(20), random.nextInt(3), mad);
            if (i % 100 == 0) {
                sa.exchange();
                if (sa.lab.manager.timeoutNs() != Long.MAX_VALUE) {
                    sa.step();
                }
            }
        }
        for (int i = 0; i < 50 && sa.lab.manager.timeoutNs() != Long.MAX_VALUE; i++) {
            sa.step();
        }
        sa.loses = _ -> false;
        assertThat(value(get(SaRecord.PATH, path(1, 9), DGID | SGID), PathRecord.DLID))
                .isEqualTo(sa.lid(9));
    }
}
