package dev.verbena.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.subnet.state.Command;
import dev.verbena.subnet.state.SubnetState;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.PathRecord;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.SaRecord;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Hosts with several LIDs each, whose routes differ.
class LidMaskTest {
    private static final int LMC = 2;
    private static final int LIDS = 1 << LMC;
    private static final int DGID = 1 << 2;
    private static final int SGID = 1 << 3;
    private static final int DLID = 1 << 4;
    private static final int SLID = 1 << 5;
    private static final int PATHS = 1 << 12;
    private static final ManagerSettings MASKED =
            ManagerSettings.DEFAULT.withLmc(LMC).withSweepNs(0);

    private final PlainPlane plane = Shapes.twoTiers(4, 4, 4, 1);

    private static void hasSpans(Lab lab) {
        PlainPlane plane = lab.plane;
        Set<Integer> all = new HashSet<>();
        for (int node = 0; node < plane.nodes(); node++) {
            boolean isHost = node < plane.hosts();
            int lid = lab.subnet.lid(node);
            int span = isHost ? LIDS : 1;
            int lmc = PortInfo.LMC.readInt(lab.subnet.portInfo(node, isHost ? 1 : 0), 0);
            assertThat(lid).isPositive();
            assertThat(lid % span).isZero();
            assertThat(1 << lmc).isEqualTo(span);
            for (int i = 0; i < span; i++) {
                assertThat(all.add(lid + i)).as("lid %d of node %d", lid + i, node).isTrue();
            }
        }
    }

    private static void reachesAllLids(Lab lab) {
        Walk walk = new Walk(lab);
        for (int from = 0; from < lab.plane.hosts(); from++) {
            for (int to = 0; to < lab.plane.hosts(); to++) {
                for (int i = 0; i < LIDS && from != to; i++) {
                    assertThat(walk.hops(from, lab.subnet.lid(to) + i, to, new int[70]))
                            .as("%d to %d by path bits %d", from, to, i)
                            .isBetween(0, 2);
                }
            }
        }
    }

    @Test
    void everyLidOfEveryHostIsReached() {
        Lab lab = new Lab(plane, MASKED);
        assertThat(lab.bringUp().failures()).isZero();

        hasSpans(lab);
        reachesAllLids(lab);
    }

    @Test
    void theLidsOfAHostTakeDifferentUplinksAndSoDoNeighboursByTheirFirst() {
        Lab lab = new Lab(plane, MASKED);
        lab.bringUp();

        for (int leaf = plane.hosts(); leaf < plane.hosts() + 4; leaf++) {
            int[] loads = new int[plane.ports(leaf) + 1];
            for (int host = 0; host < plane.hosts(); host++) {
                if (plane.peer(host, 1) != leaf) {
                    Set<Integer> ports = new HashSet<>();
                    for (int i = 0; i < LIDS; i++) {
                        ports.add(lab.subnet.forwardingPort(leaf, lab.subnet.lid(host) + i));
                    }
                    assertThat(ports).hasSize(LIDS);
                    loads[lab.subnet.forwardingPort(leaf, lab.subnet.lid(host))]++;
                }
            }
            // 12 hosts behind four uplinks.
            assertThat(loads).containsExactly(0, 0, 0, 0, 0, 3, 3, 3, 3);
        }
    }

    @Test
    void parallelCablesOfShortestRoutesAreSharedByTheLidsOfAHost() {
        PlainPlane ring = new PlainPlane(2);
        int one = ring.addSwitch(5);
        int other = ring.addSwitch(5);
        ring.connect(0, 1, one, 5);
        ring.connect(1, 1, other, 5);
        for (int port = 1; port <= 4; port++) {
            ring.connect(one, port, other, port);
        }
        for (RoutingEngine engine : List.of(new MinHopEngine(), new LayeredEngine())) {
            Lab lab = new Lab(ring, MASKED.withEngines(engine));
            lab.bringUp();
            Set<Integer> ports = new HashSet<>();
            for (int i = 0; i < LIDS; i++) {
                ports.add(lab.subnet.forwardingPort(one, lab.subnet.lid(1) + i));
            }
            assertThat(ports).as(engine.name()).containsExactlyInAnyOrder(1, 2, 3, 4);
        }
    }

    @Test
    void aManagerWithAnotherMaskGivesLidsThatFit() {
        Lab lab = new Lab(plane, ManagerSettings.DEFAULT.withSweepNs(0));
        lab.bringUp();
        lab.replace(MASKED);
        assertThat(lab.bringUp().failures()).isZero();

        hasSpans(lab);
        reachesAllLids(lab);
    }

    @Test
    void lidsStayWhenCablesGoAndReturnAndForTheNextManager() {
        Lab lab = new Lab(plane, MASKED);
        lab.bringUp();
        int[] before = lids(lab);
        lab.plug(1, false);
        lab.pass(plane.nowNs() + 5_000_000_000L);
        lab.plug(1, true);
        lab.pass(plane.nowNs() + 5_000_000_000L);
        assertThat(lids(lab)).isEqualTo(before);
        reachesAllLids(lab);

        lab.replace(MASKED);
        lab.bringUp();
        assertThat(lids(lab)).isEqualTo(before);
    }

    /// A manager that gets a state from others, and has met none of the nodes in it.
    private Lab heir(Command... commands) {
        SubnetState state = new SubnetState();
        for (Command command : commands) {
            assertThat(state.apply(command).isDone()).isTrue();
        }
        Lab lab = new Lab(plane, MASKED);
        lab.manager =
                new SubnetManager(
                        MASKED,
                        RouteRunner.IN_PLACE,
                        state,
                        (command, applied) -> applied.accept(state.apply(command)));
        lab.bringUp();
        assertThat(state.lids()).containsAllEntriesOf(known(commands));
        return lab;
    }

    private static Map<Long, Integer> known(Command... commands) {
        Map<Long, Integer> known = new HashMap<>();
        for (Command command : commands) {
            if (command instanceof Command.GiveLid gift) {
                known.put(gift.guid(), gift.lid());
            }
        }
        return known;
    }

    @Test
    void aSwitchThatIsAwayKeepsItsLidThoughNoHostCouldHaveIt() {
        Lab lab = heir(new Command.GiveLid(0xABCD, 5));
        hasSpans(lab);
        for (int node = 0; node < plane.nodes(); node++) {
            int lid = lab.subnet.lid(node);
            int span = node < plane.hosts() ? LIDS : 1;
            assertThat(lid > 5 || lid + span <= 5)
                    .as("LIDs from %d of node %d", lid, node)
                    .isTrue();
        }
    }

    @Test
    void aSwitchThatIsThereKeepsItsLidBesideOneThatIsAway() {
        int node = plane.hosts();
        Lab lab =
                heir(
                        // It could be a host with four LIDs. It has the lowest GUID of all.
                        new Command.GiveLid(1, 8), new Command.GiveLid(plane.portGuid(node), 9));
        assertThat(lab.subnet.lid(node)).isEqualTo(9);
        hasSpans(lab);
    }

    private static int[] lids(Lab lab) {
        int[] lids = new int[lab.plane.nodes()];
        for (int node = 0; node < lids.length; node++) {
            lids[node] = lab.subnet.lid(node);
        }
        return lids;
    }

    private static MemorySegment question(SaLab sa, int from, int to) {
        MemorySegment record = SaLab.blank();
        sa.gid(to).emit(record, 8);
        sa.gid(from).emit(record, 24);
        return record;
    }

    private static List<List<Integer>> ask(
            SaLab sa, int method, MemorySegment question, long mask) {
        SaAnswer answer = sa.ask(1, method, SaRecord.PATH, question, mask);
        assertThat(answer.isOk()).as("%s", answer).isTrue();
        return answer.records().stream()
                .map(it -> List.of(PathRecord.SLID.readInt(it, 0), PathRecord.DLID.readInt(it, 0)))
                .toList();
    }

    @Test
    void aTableOfPathsHasOneForEachLidAndAGetHasOne() {
        SaLab sa = new SaLab(plane, MASKED);
        int from = sa.lid(1);
        int to = sa.lid(9);
        assertThat(ask(sa, MadMethod.GET_TABLE, question(sa, 1, 9), DGID | SGID))
                .containsExactly(
                        List.of(from, to),
                        List.of(from + 1, to + 1),
                        List.of(from + 2, to + 2),
                        List.of(from + 3, to + 3));
        assertThat(ask(sa, MadMethod.GET, question(sa, 1, 9), DGID | SGID))
                .containsExactly(List.of(from, to));
        MemorySegment two = question(sa, 1, 9);
        PathRecord.NUMB_PATH.write(two, 0, 2);
        assertThat(ask(sa, MadMethod.GET_TABLE, two, DGID | SGID | PATHS)).hasSize(2);
        // A switch has one LID, to which all of the host's lead.
        assertThat(ask(sa, MadMethod.GET_TABLE, question(sa, 1, plane.hosts()), DGID | SGID))
                .hasSize(LIDS)
                .allMatch(it -> it.getLast() == sa.lid(plane.hosts()));
    }

    @Test
    void aPathByLidsHasTheseLids() {
        SaLab sa = new SaLab(plane, MASKED);
        MemorySegment question = SaLab.blank();
        PathRecord.SLID.write(question, 0, sa.lid(1) + 3);
        PathRecord.DLID.write(question, 0, sa.lid(9) + 1);

        assertThat(ask(sa, MadMethod.GET_TABLE, question, DLID | SLID))
                .containsExactly(List.of(sa.lid(1) + 3, sa.lid(9) + 1));
    }
}
