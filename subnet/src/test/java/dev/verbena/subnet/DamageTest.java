package dev.verbena.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Fabrics of many shapes, some of their cables pulled before they come up, others pulled and
/// plugged in later: after each change every packet takes a route as long as a plain computation
/// says, and the tables are those that a new manager computes.
class DamageTest {
    private static final long FABRICS = 1_000;
    private static final int CHANGES_MAX = 3;

    /// Most hosts behind an uplink of a damaged fat tree, in units of the mean.
    private static final double LOAD_MAX = 3;

    private static final long TRAPS_NS = 5_000_000_000L;

    private final Map<String, Integer> engines = new TreeMap<>();
    private int turns;
    private double worstLoad;

    @Test
    void everyChangeLeavesTheRoutesThatANewComputationGives() {
        Seed seed = Seed.forTest("damaged fabrics", 0xDA3A6E);
        SplittableRandom all = seed.random();
        long count = Seed.campaign(FABRICS);
        for (long i = 0; i < count; i++) {
            long own = all.nextLong();
            try {
                fabric(new SplittableRandom(own));
            } catch (AssertionError e) {
                throw new AssertionError("fabric %d, its own seed %d".formatted(i, own), e);
            }
        }
        System.out.println(
                "damaged fabrics: "
                        + engines
                        + ", turns in "
                        + turns
                        + ", highest load of an uplink %.2f of the mean".formatted(worstLoad));
        assertThat(engines).containsKeys("fat-tree", "up-down", "min-hop");
        assertThat(turns).isPositive();
        assertThat(worstLoad).isBetween(1.0, LOAD_MAX);
    }

    @Test
    void aChangeThatMovesSwitchesToOtherTiersComputesEverything() {
        // Of all campaigns so far, the first fabric whose tiers change and whose widths do not.
        fabric(new SplittableRandom(-5527466586055110154L));

        assertThat(engines).containsKey("up-down");
    }

    private void fabric(SplittableRandom random) {
        PlainPlane plane = shape(random);
        ManagerSettings settings =
                random.nextInt(4) == 0
                        ? ManagerSettings.DEFAULT.withEngines(new MinHopEngine())
                        : ManagerSettings.DEFAULT;
        for (int i = random.nextInt(3); i > 0; i--) {
            plane.plug(cable(plane, random), false);
        }
        Lab lab = new Lab(plane, settings.withWindow(1 + random.nextInt(40)));
        SweepReport report = lab.bringUp();
        int[] homes = new int[plane.hosts()];
        Arrays.fill(homes, -1);
        check(lab, report, homes);
        for (int i = 1 + random.nextInt(CHANGES_MAX); i > 0; i--) {
            for (int j = 1 + random.nextInt(2); j > 0; j--) {
                int cable = cable(plane, random);
                lab.plug(cable, !plane.isIn(cable));
            }
            lab.pass(plane.nowNs() + TRAPS_NS);
            assertThat(lab.manager.isIdle())
                    .as("%s at %d, next %d", lab.manager, plane.nowNs(), lab.manager.timeoutNs())
                    .isTrue();
            check(lab, report, homes);
        }
        same(lab, homes);
    }

    private static PlainPlane shape(SplittableRandom random) {
        return switch (random.nextInt(6)) {
            case 0, 1 ->
                    Shapes.twoTiers(
                            1 + random.nextInt(3),
                            2 + random.nextInt(4),
                            1 + random.nextInt(4),
                            1 + random.nextInt(2));
            case 2, 3 -> Shapes.threeTiers(2, 2 + random.nextInt(3));
            case 4 -> Shapes.ring(3 + random.nextInt(6), 1 + random.nextInt(2));
            default -> {
                int switches = 2 + random.nextInt(8);
                int hosts = 2 + random.nextInt(12);
                yield Shapes.random(random, hosts, switches, random.nextInt(10));
            }
        };
    }

    /// Any cable but the manager's own.
    private static int cable(PlainPlane plane, SplittableRandom random) {
        while (true) {
            int cable = random.nextInt(plane.cables.size());
            if (plane.cables.get(cable)[0] != 0) {
                return cable;
            }
        }
    }

    private void check(Lab lab, SweepReport report, int[] homes) {
        PlainPlane plane = lab.plane;
        boolean[] present = PlainRoutes.present(plane);
        for (int host = 0; host < plane.hosts(); host++) {
            homes[host] = present[host] ? plane.peer(host, 1) : homes[host];
        }
        assertThat(report.failures()).isZero();
        String engine = lab.manager.routing().engine();
        boolean isRestricted = !engine.equals("min-hop");
        PlainRoutes routes = routes(plane, lab, homes, present, engine);
        engines.merge(engine, 1, Integer::sum);
        turns += lab.manager.routing().turns() > 0 ? 1 : 0;
        Walk walk = new Walk(lab);
        for (int to = 0; to < plane.nodes(); to++) {
            if (!present[to]) {
                continue;
            }
            int end = to < plane.hosts() ? homes[to] : to;
            int[] lengths = routes.lengths(end, isRestricted, true);
            for (int from = 0; from < plane.nodes(); from++) {
                if (present[from]) {
                    int start = from < plane.hosts() ? homes[from] : from;
                    assertThat(walk.hops(from, to))
                            .as("hops from %d to %d by %s", from, to, engine)
                            .isEqualTo(from == to ? 0 : lengths[start]);
                }
            }
        }
        if (isRestricted) {
            assertThat(walk.hasCreditLoop()).isFalse();
            neverTurn(walk, routes, plane, present);
        }
        ports(lab, present);
        balance(lab, routes, present);
    }

    /// No packet between hosts goes up after it went down.
    private static void neverTurn(
            Walk walk, PlainRoutes routes, PlainPlane plane, boolean[] present) {
        int[] route = new int[PlainPlane.PORTS_MAX * 2];
        for (int from = 0; from < plane.hosts(); from++) {
            for (int to = 0; to < plane.hosts(); to++) {
                if (from == to || !present[from] || !present[to]) {
                    continue;
                }
                int links = walk.hops(from, to, route);
                boolean wentDown = false;
                for (int i = 1; i <= links; i++) {
                    boolean isUp = routes.leadsUp(route[i] >> 8, route[i] & 0xFF);
                    assertThat(wentDown && isUp).as("%d to %d turns", from, to).isFalse();
                    wentDown |= !isUp;
                }
            }
        }
    }

    /// Chooses among the engines, as the manager has to.
    private static PlainRoutes routes(
            PlainPlane plane, Lab lab, int[] homes, boolean[] present, String engine) {
        PlainRoutes tree = PlainRoutes.fromHosts(plane, homes, false);
        if (engine.equals("min-hop")) {
            return tree;
        }
        if (!tree.hasLinkWithinATier() && joinsAllHosts(plane, tree, homes, present)) {
            assertThat(engine).isEqualTo("fat-tree");
            return tree;
        }
        assertThat(engine).isEqualTo("up-down");
        PlainRoutes ordered = PlainRoutes.fromHosts(plane, homes, true);
        if (joinsAllHosts(plane, ordered, homes, present)) {
            assertThat(lab.manager.routing().note()).isEqualTo("tiers from hosts");
            return ordered;
        }
        assertThat(lab.manager.routing().note()).startsWith("root switch ");
        return PlainRoutes.fromMiddle(plane);
    }

    private static boolean joinsAllHosts(
            PlainPlane plane, PlainRoutes routes, int[] homes, boolean[] present) {
        for (int home : Arrays.stream(homes).filter(it -> it >= 0 && present[it]).toArray()) {
            int[] lengths = routes.lengths(home, true, false);
            for (int other : homes) {
                if (other >= 0 && present[other] && lengths[other] == PlainRoutes.FAR) {
                    return false;
                }
            }
        }
        return plane.nodes() > 0;
    }

    private static void ports(Lab lab, boolean[] present) {
        PlainPlane plane = lab.plane;
        for (int cable = 0; cable < plane.cables.size(); cable++) {
            int[] ends = plane.cables.get(cable);
            if (present[ends[0]] && plane.isIn(cable)) {
                assertThat(lab.subnet.portState(ends[0], ends[1])).isEqualTo(4);
                assertThat(lab.subnet.portState(ends[2], ends[3])).isEqualTo(4);
            }
        }
    }

    private void balance(Lab lab, PlainRoutes routes, boolean[] present) {
        if (!lab.manager.routing().engine().equals("fat-tree")) {
            return;
        }
        PlainPlane plane = lab.plane;
        for (int node = plane.hosts(); node < plane.nodes(); node++) {
            int[] loads = new int[plane.ports(node) + 1];
            int uplinks = 0;
            int up = 0;
            for (int host = 0; host < plane.hosts(); host++) {
                int port =
                        present[node] && present[host]
                                ? lab.subnet.forwardingPort(node, lab.subnet.lid(host))
                                : 0;
                if (port > 0 && routes.leadsUp(node, port)) {
                    loads[port]++;
                    up++;
                }
            }
            for (int port = 1; port < loads.length; port++) {
                uplinks += routes.leadsUp(node, port) ? 1 : 0;
            }
            int most = Arrays.stream(loads).max().orElse(0);
            if (up >= 4 * uplinks && uplinks > 0) {
                worstLoad = Math.max(worstLoad, (double) most * uplinks / up);
            }
        }
    }

    /// A new manager, which knows nothing of what was, computes the same tables. Where all hosts of
    /// a switch are gone, it does not know that there were any, and may choose others.
    private static void same(Lab lab, int[] homes) {
        PlainPlane plane = lab.plane;
        boolean[] present = PlainRoutes.present(plane);
        for (int home : Arrays.stream(homes).filter(it -> it >= 0 && present[it]).toArray()) {
            boolean hasHosts = false;
            for (int host = 0; host < plane.hosts(); host++) {
                hasHosts |= present[host] && homes[host] == home;
            }
            if (!hasHosts) {
                return;
            }
        }
        int[] before = tables(lab, present);
        lab.manager = new SubnetManager(ManagerSettings.DEFAULT.withEngines(engine(lab)));
        lab.bringUp();
        assertThat(tables(lab, present)).isEqualTo(before);
    }

    private static RoutingEngine engine(Lab lab) {
        return switch (lab.manager.routing().engine()) {
            case "min-hop" -> new MinHopEngine();
            case "fat-tree" -> new FatTreeEngine();
            default -> new UpDownEngine();
        };
    }

    private static int[] tables(Lab lab, boolean[] present) {
        PlainPlane plane = lab.plane;
        int[] ports = new int[plane.nodes() * plane.nodes()];
        for (int node = plane.hosts(); node < plane.nodes(); node++) {
            for (int to = 0; to < plane.nodes(); to++) {
                if (present[node] && present[to]) {
                    ports[node * plane.nodes() + to] =
                            lab.subnet.forwardingPort(node, lab.subnet.lid(to));
                }
            }
        }
        return ports;
    }
}
