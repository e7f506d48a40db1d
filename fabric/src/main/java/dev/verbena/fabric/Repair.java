package dev.verbena.fabric;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Local repair: switches stop using cables that are down, and cables behind which a leaf is no
/// longer reached, as after the withdrawal of a route. They use them again when they are back.
///
/// All of them do so at one time after the change: what fast failover by hardware and a withdrawal
/// from neighbour to neighbour would take longer for is one number here.
final class Repair {
    private final Fabric fabric;
    private final Topology topology;
    private final int hosts;
    private final long afterPs;

    /// By switch and port, the switch at the other end, or -1.
    private final int[][] neighbours;

    /// By switch and port, the number of the cable.
    private final int[][] cables;

    Repair(Fabric fabric, long afterPs) {
        this.fabric = fabric;
        this.afterPs = afterPs;
        topology = fabric.topology();
        hosts = topology.hosts();
        neighbours = new int[topology.switches()][];
        cables = new int[neighbours.length][];
        for (int i = 0; i < neighbours.length; i++) {
            neighbours[i] = new int[topology.plan(hosts + i).ports()];
            Arrays.fill(neighbours[i], -1);
            cables[i] = new int[neighbours[i].length];
        }
        for (int i = 0; i < topology.cables(); i++) {
            if (topology.isUplink(i)) {
                plug(i, 0, 2);
                plug(i, 2, 0);
            }
        }
    }

    private void plug(int cable, int side, int other) {
        int at = topology.cable(cable, side) - hosts;
        int port = topology.cable(cable, side + 1);
        neighbours[at][port] = topology.cable(cable, other) - hosts;
        cables[at][port] = cable;
    }

    /// A cable has gone or is back.
    void cableChanged() {
        if (afterPs == 0) {
            rewrite();
        } else {
            fabric.at(fabric.nowPs() + afterPs, this::rewrite);
        }
    }

    private void rewrite() {
        boolean[] isDown = new boolean[topology.cables()];
        Census census = new Census(fabric);
        for (int i = 0; i < isDown.length; i++) {
            LinkFault fault = census.end(2 * i).link().fault();
            isDown[i] = fault != null && fault.isDown();
        }
        int leaves = topology.leaves();
        short[][][] left = new short[neighbours.length][leaves][];
        for (int leaf = 0; leaf < leaves; leaf++) {
            for (int at = 0; at < neighbours.length; at++) {
                left[at][leaf] = topology.plan(hosts + at).table().toLeaf(leaf);
            }
            boolean isMore = true;
            while (isMore) {
                isMore = narrow(left, leaf, isDown);
            }
        }
        for (int at = 0; at < neighbours.length; at++) {
            write(fabric.node(hosts + at), left[at]);
        }
    }

    /// Takes away ports that no longer lead to a leaf; returns whether there were any.
    private boolean narrow(short[][][] left, int leaf, boolean[] isDown) {
        boolean any = false;
        for (int at = 0; at < left.length; at++) {
            List<Short> kept = new ArrayList<>();
            for (short port : left[at][leaf]) {
                int next = neighbours[at][port];
                boolean leads =
                        next >= 0
                                && (topology.plan(hosts + next).leaf() == leaf
                                        || left[next][leaf].length > 0);
                if (leads && !isDown[cables[at][port]]) {
                    kept.add(port);
                }
            }
            if (kept.size() < left[at][leaf].length) {
                left[at][leaf] = Wiring.array(kept);
                any = true;
            }
        }
        return any;
    }

    private void write(Node node, short[][] byLeaf) {
        SwitchPlace place = node.place();
        if (place == null) {
            return;
        }
        short[] groups = new short[byLeaf.length];
        for (int leaf = 0; leaf < groups.length; leaf++) {
            groups[leaf] = (short) leaf;
        }
        place.table(new RoutingTable(groups, byLeaf));
        if (node instanceof InfiniBandSwitch made) {
            for (int host = 0; host < hosts; host++) {
                made.write(fabric.lid(host), host);
            }
        }
    }
}
