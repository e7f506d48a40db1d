package dev.verbena.subnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.Seed;
import dev.verbena.wire.Gid;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.PathRecord;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.SaRecord;
import dev.verbena.wire.mad.SaStatus;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Two subnets with a manager each, joined by routers, which have a port in both. A host asks its
/// own manager for a path to a GID of the other subnet; a router that gets the packet asks the
/// manager of the next one. Packets are walked by the tables of both; data does not flow here.
class RoutedSubnetsTest {
    private static final int DGID = 1 << 2;
    private static final int SGID = 1 << 3;
    private static final int HOP_LIMIT = 1 << 9;
    private static final long FIRST = 0xFEC0_0000_0000_0001L;
    private static final long SECOND = 0xFEC0_0000_0000_0002L;

    /// The last two hosts of each subnet are ports of the two routers.
    private static final int ROUTERS = 2;

    private final List<SaLab> subnets = new ArrayList<>();

    /// Two subnets of some leaves with hosts, and spines above.
    private void bringUp(int hostsPerLeaf, int leaves, int spines) {
        for (long prefix : new long[] {FIRST, SECOND}) {
            PlainPlane plane = Shapes.twoTiers(hostsPerLeaf, leaves, spines, 1);
            plane.guidsFrom(prefix << 60 | 0x0042_0000_0000_0000L);
            for (int i = 1; i <= ROUTERS; i++) {
                plane.router(plane.hosts - i);
            }
            ManagerSettings settings =
                    ManagerSettings.DEFAULT
                            .withPrefix(prefix)
                            .withRoutes(PrefixRoute.parse("* * # any router"))
                            .withSweepNs(0);
            SaLab sa = new SaLab(plane, settings);
            assertThat(sa.lab.last().failures()).isZero();
            subnets.add(sa);
        }
    }

    private static SaAnswer ask(SaLab sa, int host, Gid to, long mask, int hopLimit) {
        MemorySegment record = SaLab.blank();
        to.emit(record, 8);
        sa.gid(host).emit(record, 24);
        PathRecord.HOP_LIMIT.write(record, 0, hopLimit);
        return sa.ask(host, MadMethod.GET, SaRecord.PATH, record, mask);
    }

    /// The LID by which a host sends to a GID, as its manager says.
    private static int lid(SaLab sa, int host, Gid to) {
        SaAnswer answer = ask(sa, host, to, DGID | SGID, 0);
        assertThat(answer.isOk()).as("%s", answer).isTrue();
        MemorySegment record = answer.records().getFirst();
        assertThat(Gid.parse(record, 8)).isEqualTo(to);
        return PathRecord.DLID.readInt(record, 0);
    }

    /// The router whose port in a subnet has a LID, counted from the last host.
    private static int router(SaLab sa, int lid) {
        for (int i = 1; i <= ROUTERS; i++) {
            if (sa.lid(sa.lab.plane.hosts - i) == lid) {
                return i;
            }
        }
        throw new AssertionError("no router has lid " + lid);
    }

    private static boolean arrives(Walk walk, int from, int lid, int to) {
        return walk.hops(from, lid, to, new int[70]) >= 0;
    }

    /// Sends from a host of one subnet to one of the other, and says which router it went by.
    private int send(int subnet, int from, int to) {
        SaLab here = subnets.get(subnet);
        SaLab there = subnets.get(1 - subnet);
        int lid = lid(here, from, there.gid(to));
        int router = router(here, lid);
        int in = here.lab.plane.hosts - router;
        assertThat(arrives(new Walk(here.lab), from, lid, in)).isTrue();
        // The router knows the prefix of its other port, and asks there.
        int out = there.lab.plane.hosts - router;
        int far = lid(there, out, there.gid(to));
        assertThat(arrives(new Walk(there.lab), out, far, to)).isTrue();
        return router;
    }

    @Test
    void aPathToAnotherSubnetHasTheLidOfARouterAndMoreThanOneHop() {
        bringUp(4, 4, 2);
        SaLab here = subnets.getFirst();
        MemorySegment record =
                ask(here, 1, subnets.getLast().gid(3), DGID | SGID, 0).records().getFirst();

        assertThat(router(here, PathRecord.DLID.readInt(record, 0))).isBetween(1, ROUTERS);
        assertThat(PathRecord.HOP_LIMIT.readInt(record, 0)).isGreaterThan(1);
        assertThat(PathRecord.MTU.readInt(record, 0)).isEqualTo(5);
        assertThat(PathRecord.SLID.readInt(record, 0)).isEqualTo(here.lid(1));
        MemorySegment near = ask(here, 1, here.gid(3), DGID | SGID, 0).records().getFirst();
        assertThat(PathRecord.HOP_LIMIT.readInt(near, 0)).isZero();
    }

    @Test
    void aPathThatMayNotLeaveTheSubnetLeadsToNoRouter() {
        bringUp(4, 4, 2);
        Gid far = subnets.getLast().gid(3);
        SaLab here = subnets.getFirst();

        SaAnswer near = ask(here, 1, far, DGID | SGID | HOP_LIMIT, 1);
        assertThat(near.records()).isEmpty();
        assertThat(near.status()).isEqualTo(SaStatus.NO_RECORDS);
        MemorySegment record = ask(here, 1, far, DGID | SGID | HOP_LIMIT, 9).records().getFirst();
        assertThat(PathRecord.HOP_LIMIT.readInt(record, 0)).isEqualTo(9);
    }

    @Test
    void portsHaveThePrefixOfTheirSubnet() {
        bringUp(2, 2, 1);
        for (SaLab sa : subnets) {
            long prefix = sa == subnets.getFirst() ? FIRST : SECOND;
            for (int host = 0; host < sa.lab.plane.hosts; host++) {
                MemorySegment info = sa.lab.subnet.portInfo(host, 1);
                assertThat(PortInfo.GID_PREFIX.read(info, 0)).isEqualTo(prefix);
            }
        }
    }

    @Test
    void theDefaultPrefixMeansPortsOfTheOwnSubnet() {
        bringUp(2, 2, 1);
        SaLab here = subnets.getFirst();
        Gid local = new Gid(SaLab.PREFIX, here.lab.plane.portGuid(0));
        assertThat(lid(here, 1, local)).isEqualTo(here.lid(0));
        Gid unknown = new Gid(SaLab.PREFIX, subnets.getLast().lab.plane.portGuid(0));
        assertThat(ask(here, 1, unknown, DGID | SGID, 0).status()).isEqualTo(SaStatus.INVALID_GID);
    }

    @Test
    void everyPairOfTwoSubnetsIsReachableThroughRouters() {
        bringUp(4, 4, 2);
        int hosts = subnets.getFirst().lab.plane.hosts - ROUTERS;
        Set<Integer> used = new HashSet<>();
        for (int subnet = 0; subnet < 2; subnet++) {
            for (int from = 1; from < hosts; from++) {
                for (int to = 0; to < hosts; to++) {
                    used.add(send(subnet, from, to));
                }
            }
        }
        assertThat(used).containsExactlyInAnyOrder(1, 2);
    }

    /// Of two subnets of 1,024 hosts: every host reaches both routers, both routers reach every
    /// host, and pairs by seed go the whole way.
    @Test
    void twoSubnetsOfAThousandHostsAreReachable() {
        bringUp(32, 32, 8);
        for (SaLab sa : subnets) {
            Walk walk = new Walk(sa.lab);
            int hosts = sa.lab.plane.hosts;
            assertThat(hosts).isEqualTo(1024);
            for (int router = hosts - ROUTERS; router < hosts; router++) {
                for (int host = 0; host < hosts; host++) {
                    if (host != router) {
                        assertThat(walk.hops(host, router)).isBetween(0, 2);
                        assertThat(walk.hops(router, host)).isBetween(0, 2);
                    }
                }
            }
        }
        SplittableRandom random = Seed.forTest("pairs of two subnets", 0x2047).random();
        long count = Seed.campaign(500);
        for (long i = 0; i < count; i++) {
            send(random.nextInt(2), 1 + random.nextInt(1021), random.nextInt(1022));
        }
    }

    @Test
    void aRouterThatIsGoneIsNotNamedAnyMore() {
        bringUp(4, 4, 2);
        SaLab here = subnets.getFirst();
        PlainPlane plane = here.lab.plane;
        // The cable of a host has its number.
        int gone = cable(plane, plane.hosts - 1);
        here.lab.plug(gone, false);
        here.lab.pass(plane.nowNs() + 5_000_000_000L);
        for (int to = 0; to < 8; to++) {
            int lid = lid(here, 1, subnets.getLast().gid(to));
            assertThat(router(here, lid)).isEqualTo(2);
        }

        here.lab.plug(cable(plane, plane.hosts - 2), false);
        here.lab.pass(plane.nowNs() + 5_000_000_000L);
        assertThat(ask(here, 1, subnets.getLast().gid(0), DGID | SGID, 0).status())
                .isEqualTo(SaStatus.INVALID_GID);
    }

    private static int cable(PlainPlane plane, int host) {
        for (int cable = 0; cable < plane.cables.size(); cable++) {
            if (plane.cables.get(cable)[0] == host) {
                return cable;
            }
        }
        throw new AssertionError("a cable of host " + host);
    }

    @Test
    void routesNameAPrefixAndARouter() {
        assertThat(PrefixRoute.parse("# none\n\n0xfec0000000000001 0x10 # one\n* *\n"))
                .containsExactly(new PrefixRoute(FIRST, 0x10), new PrefixRoute(0, 0));
        for (String wrong :
                List.of("*", "* * *", "0x0 *", "fec0 *", "* 0x12345678901234567", "* 0xg")) {
            assertThatThrownBy(() -> PrefixRoute.parse("* *\n" + wrong))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("line 2: ");
        }
    }

    @Test
    void theFirstRouteThatMatchesCounts() {
        PlainPlane plane = Shapes.twoTiers(4, 4, 2, 1);
        plane.router(14);
        plane.router(15);
        String routes =
                "0x%x 0x%x%n0x%x 0x%x%n"
                        .formatted(SECOND, plane.portGuid(14), FIRST, plane.portGuid(15));
        SaLab sa =
                new SaLab(
                        plane,
                        ManagerSettings.DEFAULT
                                .withRoutes(PrefixRoute.parse(routes))
                                .withSweepNs(0));

        assertThat(lid(sa, 1, new Gid(SECOND, 7))).isEqualTo(sa.lid(14));
        assertThat(lid(sa, 1, new Gid(FIRST, 7))).isEqualTo(sa.lid(15));
        assertThat(ask(sa, 1, new Gid(FIRST + 5, 7), DGID | SGID, 0).status())
                .isEqualTo(SaStatus.INVALID_GID);
    }
}
