package dev.verbena.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fabric.manage.MadEnvelope;
import dev.verbena.fabric.manage.ManagementPort;
import dev.verbena.fabric.manage.Subnet;
import dev.verbena.fabric.manage.SubnetSettings;
import dev.verbena.wire.mad.Mad;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Managers that share no state agree who is master, as the specification has it for those of all
/// makers.
class HandoverTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int STEPS_MAX = 1_000_000;
    private static final int CASES = 20;

    /// Long enough for three questions without an answer, and for two looks at all switches.
    private static final long SETTLED_NS = 40 * SECOND_NS;

    private final PlainPlane plane = Shapes.twoTiers(3, 3, 2, 1);
    private final Subnet subnet = new Subnet(plane, SubnetSettings.DEFAULT);
    private final List<Station> stations = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private @Nullable Station sending;

    HandoverTest() {
        subnet.observe(
                (node, _, isObeyed) -> {
                    Station by = sending;
                    if (isObeyed && by != null && by.manager.role() == ManagerRole.STANDBY) {
                        violations.add("node %d is changed by a standby".formatted(node));
                    }
                });
    }

    private record Incoming(int lid, int pair, MemorySegment mad) {}

    /// A manager at a host.
    private final class Station {
        private final int host;
        private final int priority;
        private final ManagementPort port;
        private final SubnetManager manager;
        private final ArrayDeque<Incoming> inbox = new ArrayDeque<>();
        private boolean isAlive = true;
        private int reports;

        Station(int host, int priority) {
            this.host = host;
            this.priority = priority;
            port = subnet.port(host);
            port.receiver(
                    (envelope, mad) -> {
                        MemorySegment copy = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
                        inbox.add(
                                new Incoming(
                                        envelope.sourceLid(),
                                        envelope.sourceQueuePair(),
                                        copy.copyFrom(mad)));
                        return isAlive;
                    });
            port.isManager(true);
            manager = new SubnetManager(ManagerSettings.DEFAULT.withPriority(priority));
            manager.start(plane.nowNs());
            stations.add(this);
        }

        long guid() {
            return plane.portGuid(host);
        }

        ManagerRole role() {
            return manager.role();
        }

        /// Sends and takes what there is; returns whether there was something.
        boolean work() {
            boolean isBusy = false;
            sending = this;
            if (manager.timeoutNs() <= plane.nowNs()) {
                manager.handleTimeout(plane.nowNs());
                isBusy = true;
            }
            while (manager.transmit(plane.nowNs(), this::send)) {
                isBusy = true;
            }
            while (!inbox.isEmpty()) {
                Incoming next = inbox.remove();
                manager.handle(plane.nowNs(), next.lid, next.pair, next.mad);
                isBusy = true;
            }
            sending = null;
            while (manager.pollReport().isPresent()) {
                reports++;
            }
            return isBusy;
        }

        private void send(int lid, int pair, MemorySegment mad) {
            port.send(
                    lid == DatagramSink.DIRECTED
                            ? MadEnvelope.DIRECTED
                            : new MadEnvelope(lid, 0, pair, pair == 0 ? 0 : 1),
                    mad);
        }

        /// As by `kill -9`: its port still says that a manager is there.
        void kill() {
            isAlive = false;
        }
    }

    private List<Station> alive() {
        return stations.stream().filter(it -> it.isAlive).toList();
    }

    private void pass(long durationNs) {
        long untilNs = plane.nowNs() + durationNs;
        for (int step = 0; ; step++) {
            assertThat(step).as("steps").isLessThan(STEPS_MAX);
            boolean isBusy = false;
            for (Station station : alive()) {
                isBusy |= station.work();
            }
            if (isBusy) {
                continue;
            }
            long next = plane.nextActionNs();
            for (Station station : alive()) {
                next = Math.min(next, station.manager.timeoutNs());
            }
            if (next > untilNs) {
                plane.advance(untilNs);
                return;
            }
            plane.advance(Math.max(next, plane.nowNs()));
        }
    }

    /// Who is to be master: the highest priority, then the lowest GUID.
    private Station highest() {
        return alive().stream()
                .min(
                        Comparator.comparingInt((Station it) -> -it.priority)
                                .thenComparing(Station::guid, Long::compareUnsigned))
                .orElseThrow();
    }

    private void assertMaster(Station master, String when) {
        for (Station station : alive()) {
            assertThat(station.role())
                    .as("host %d, priority %d, %s", station.host, station.priority, when)
                    .isEqualTo(station == master ? ManagerRole.MASTER : ManagerRole.STANDBY);
        }
        assertThat(violations).isEmpty();
        Walk walk = new Walk(plane, subnet);
        for (int from = 0; from < plane.hosts; from++) {
            for (int to = 0; to < plane.hosts; to++) {
                if (from != to) {
                    assertThat(walk.hops(from, to)).as("%d to %d", from, to).isNotNegative();
                }
            }
        }
    }

    @Test
    void aManagerOfLowerPriorityStandsByAndTakesOverWhenTheMasterIsGone() {
        Station first = new Station(0, 5);
        pass(SETTLED_NS);
        Station second = new Station(4, 3);
        pass(SETTLED_NS);
        assertMaster(first, "with both");
        assertThat(second.reports).as("rounds of a standby").isZero();
        int[] before = lids();
        first.kill();
        pass(SETTLED_NS);
        assertMaster(second, "alone");
        assertThat(lids()).as("LIDs under the next master").isEqualTo(before);
    }

    private int[] lids() {
        int[] lids = new int[plane.nodes()];
        for (int node = 0; node < lids.length; node++) {
            lids[node] = subnet.lid(node);
        }
        return lids;
    }

    @Test
    void theMasterHandsOverToAManagerOfHigherPriority() {
        Station first = new Station(0, 3);
        pass(SETTLED_NS);
        Station second = new Station(4, 5);
        for (int i = 0; i < 4_000 && first.role() == ManagerRole.MASTER; i++) {
            pass(SECOND_NS / 100);
        }
        assertThat(first.role()).isEqualTo(ManagerRole.STANDBY);
        // At once, and not only when it asks the other one the next time.
        pass(SECOND_NS / 100);
        assertThat(second.role()).isEqualTo(ManagerRole.MASTER);
        pass(SETTLED_NS);
        assertMaster(second, "with both");
    }

    @Test
    void ofEqualPrioritiesTheLowestGuidIsMaster() {
        new Station(4, 3);
        pass(SETTLED_NS);
        Station lower = new Station(0, 3);
        pass(SETTLED_NS);
        assertThat(Long.compareUnsigned(lower.guid(), stations.getFirst().guid())).isNegative();
        assertMaster(lower, "with both");
    }

    @Test
    void managersThatBeginTogetherAgree() {
        Station first = new Station(0, 1);
        new Station(4, 1);
        new Station(8, 0);
        pass(SETTLED_NS);
        assertMaster(first, "together");
    }

    @Test
    void managersThatComeAndGoBySeedAgreeEachTime() {
        long seed = Long.getLong("seed", 27);
        for (int i = 0; i < CASES; i++) {
            HandoverTest one = new HandoverTest();
            one.comeAndGo(new SplittableRandom(seed + i), "seed " + (seed + i));
        }
    }

    private void comeAndGo(SplittableRandom random, String name) {
        List<Integer> hosts = new ArrayList<>(List.of(0, 2, 4, 7));
        while (!hosts.isEmpty()) {
            int at = random.nextInt(hosts.size());
            new Station(hosts.get(at), random.nextInt(3));
            hosts.subList(at, at + 1).clear();
            // Now and then the next one comes, or one goes, in the middle of what the last has
            // begun.
            pass(random.nextBoolean() ? SETTLED_NS : random.nextLong(3 * SECOND_NS));
            if (alive().size() > 1 && random.nextInt(3) == 0) {
                alive().get(random.nextInt(alive().size())).kill();
                pass(random.nextBoolean() ? SETTLED_NS : random.nextLong(3 * SECOND_NS));
            }
        }
        pass(2 * SETTLED_NS);
        assertMaster(highest(), name);
    }
}
