package dev.verbena.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Gid;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.McMemberRecord;
import dev.verbena.wire.mad.Smp;
import dev.verbena.wire.mad.SmpBlocks;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Packets to groups reach every member once, by the tables that switches have.
class GroupTest {
    private static final int COPIES_MAX = 10_000;

    private static Gid group(int number) {
        return new Gid(0xFF12_401B_FFFF_0000L, number);
    }

    /// How often a packet of a host arrives at each host, by the tables of the switches.
    private static Map<Integer, Integer> flood(SaLab sa, int from, int mlid) {
        PlainPlane plane = sa.lab.plane;
        Map<Integer, Integer> arrivals = new TreeMap<>();
        ArrayDeque<int[]> copies = new ArrayDeque<>();
        copies.add(new int[] {plane.peer(from, 1), plane.peerPort(from, 1)});
        for (int count = 0; !copies.isEmpty(); count++) {
            assertThat(count).as("copies of a packet").isLessThan(COPIES_MAX);
            int[] at = copies.remove();
            if (at[0] < plane.hosts()) {
                arrivals.merge(at[0], 1, Integer::sum);
                continue;
            }
            for (int port : plane.groupPorts(at[0], mlid)) {
                if (port != at[1] && plane.isPlugged(at[0], port)) {
                    copies.add(new int[] {plane.peer(at[0], port), plane.peerPort(at[0], port)});
                }
            }
        }
        return arrivals;
    }

    private static void assertReaches(SaLab sa, int from, int mlid, Set<Integer> members) {
        Map<Integer, Integer> expected = new TreeMap<>();
        members.stream().filter(it -> it != from).forEach(it -> expected.put(it, 1));
        assertThat(flood(sa, from, mlid)).as("packets of host %d", from).isEqualTo(expected);
    }

    private static int mlid(SaAnswer answer) {
        assertThat(answer.isOk()).as("%s", answer).isTrue();
        return McMemberRecord.MLID.readInt(answer.records().getFirst(), 0);
    }

    @Test
    void membersThatComeAndGoAreReachedOnceFromAllOthers() {
        SplittableRandom random = Seed.forTest("groups", 0x9109).random();
        for (int round = 0; round < Seed.campaign(6); round++) {
            PlainPlane plane =
                    round % 2 == 0
                            ? Shapes.threeTiers(2, 3)
                            : Shapes.random(random, 14, 8, random.nextInt(12));
            SaLab sa = new SaLab(plane, LabSettings.ANY);
            Map<Integer, Set<Integer>> groups = new TreeMap<>();
            for (int step = 0; step < 40; step++) {
                int number = random.nextInt(3);
                int host = random.nextInt(1, plane.hosts());
                Set<Integer> members = groups.computeIfAbsent(number, _ -> new TreeSet<>());
                if (members.contains(host)) {
                    assertThat(sa.leave(host, group(number), 1).isOk()).isTrue();
                    members.remove(host);
                } else {
                    int mlid = mlid(sa.join(host, group(number), 1));
                    members.add(host);
                    members.forEach(it -> assertReaches(sa, it, mlid, members));
                }
            }
        }
    }

    @Test
    void aHostThatOnlySendsReachesAllAndGetsNothing() {
        SaLab sa = new SaLab(Shapes.twoTiers(4, 3, 2, 1));
        int mlid = mlid(sa.join(1, group(1), 1));
        sa.join(5, group(1), 1);
        sa.join(9, group(1), 4);
        assertReaches(sa, 9, mlid, Set.of(1, 5));
        assertReaches(sa, 1, mlid, Set.of(5));
    }

    @Test
    void groupsAreReachedAfterLinksAreLostAndReturn() {
        SplittableRandom random = Seed.forTest("groups and cables", 0x9110).random();
        for (int round = 0; round < Seed.campaign(6); round++) {
            PlainPlane plane = Shapes.threeTiers(2, 3);
            SaLab sa = new SaLab(plane, LabSettings.ANY);
            Set<Integer> members = new TreeSet<>(Set.of(1, 4, 6, 11));
            int mlid = 0;
            for (int host : members) {
                mlid = mlid(sa.join(host, group(1), 1));
            }
            for (int step = 0; step < 6; step++) {
                int cable = random.nextInt(plane.cables.size());
                int[] ends = plane.cables.get(cable);
                if (ends[0] < plane.hosts() || ends[2] < plane.hosts()) {
                    continue;
                }
                sa.lab.plug(cable, !plane.isIn(cable));
                sa.lab.settle();
                int[] distance = new Walk(sa.lab).distances(1);
                boolean areJoined = members.stream().allMatch(it -> distance[it] >= 0);
                if (areJoined) {
                    for (int host : members) {
                        assertReaches(sa, host, mlid, members);
                    }
                }
            }
        }
    }

    @Test
    void aHostThatIsGoneLeavesItsGroups() {
        PlainPlane plane = Shapes.twoTiers(2, 3, 2, 1);
        SaLab sa = new SaLab(plane);
        int mlid = mlid(sa.join(1, group(1), 1));
        sa.join(3, group(1), 1);
        int cable = cable(plane, 3);
        sa.lab.plug(cable, false);
        sa.lab.settle();
        sa.lab.exchange();
        assertThat(flood(sa, 1, mlid)).isEmpty();
        sa.lab.plug(cable, true);
        sa.lab.settle();
        assertThat(flood(sa, 1, mlid)).isEmpty();
        sa.join(3, group(1), 1);
        assertReaches(sa, 1, mlid, Set.of(3));
    }

    private static int cable(PlainPlane plane, int host) {
        for (int cable = 0; cable < plane.cables.size(); cable++) {
            if (plane.cables.get(cable)[0] == host) {
                return cable;
            }
        }
        throw new AssertionError("a cable");
    }

    @Test
    void aJoinWritesOnlyTheBlocksOfItsGroup() {
        SaLab sa = new SaLab(Shapes.twoTiers(4, 3, 2, 1));
        sa.join(1, group(1), 1);
        sa.join(5, group(1), 1);
        long before = sa.lab.sent;
        sa.join(6, group(1), 1);
        // One block of one leaf, and the answer.
        assertThat(sa.lab.sent - before).isEqualTo(2);
        before = sa.lab.sent;
        sa.join(9, group(1), 1);
        assertThat(sa.lab.sent - before).isBetween(3L, 5L);
    }

    @Test
    void aSwitchThatIsResetGetsItsGroupsBack() {
        PlainPlane plane = Shapes.twoTiers(2, 3, 1, 1);
        SaLab sa = new SaLab(plane);
        int mlid = mlid(sa.join(1, group(1), 1));
        sa.join(3, group(1), 1);
        sa.lab.replace(LabSettings.ANY);
        sa.lab.bringUp();
        // A manager that knows no groups; they join again, as their hosts do.
        assertThat(mlid(sa.join(1, group(2), 1))).isEqualTo(mlid);
        sa.join(5, group(2), 1);
        assertReaches(sa, 1, mlid, Set.of(5));
    }

    /// Blocks are read back as they were written.
    @Test
    void theTableOfASwitchIsWhatTheManagerWrote() {
        PlainPlane plane = Shapes.twoTiers(2, 2, 1, 1);
        SaLab sa = new SaLab(plane);
        int mlid = mlid(sa.join(1, group(1), 1));
        sa.join(3, group(1), 1);
        MemorySegment[] seen = new MemorySegment[1];
        sa.lab.tamper(
                mad -> {
                    seen[0] = mad;
                    return MemorySegment.ofArray(new byte[0]);
                });
        MemorySegment request = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
        Smp.request(request, 0, new Mad(1, 1, 1, 0, 0, 9, SmpBlocks.MULTICAST_FORWARDING, 0), 0);
        sa.send(1, sa.lid(4), 0, request);
        assertThat(mlid).isEqualTo(0xC000);
        assertThat(plane.groupPorts(4, mlid)).containsExactly(2, 3);
        assertThat(BigEndian.u8(request, 3)).isEqualTo(0x81);
        assertThat(SmpBlocks.ports(request, Smp.DATA, 0)).isEqualTo(0b1100);
    }
}
