package dev.verbena.plan;

import dev.verbena.fabric.CablePlan;
import dev.verbena.fabric.Rate;
import dev.verbena.fabric.Topology;
import dev.verbena.fabric.Wiring;

/// Says which port leads where, for one plane.
///
/// A leaf's ports are its hosts, then its uplinks; a spine's are the leaves, then its uplinks; a
/// core's are the pods. Uplink `j` of the `i`-th switch below leads to switch `(i * uplinks + j) %
/// n` of the `n` above, so that these get equally many, and every switch below reaches all of them.
final class Cabling {
    private final Sized size;
    private final Radices radices;
    private final Wiring wiring;
    private final CablePlan hostCable;
    private final CablePlan spineCable;
    private final CablePlan coreCable;

    /// By switch, the next free port.
    private final int[] next;

    Cabling(String name, Sized size, Radices radices, Inputs inputs) {
        this.size = size;
        this.radices = radices;
        wiring = new Wiring(name);
        next = new int[size.switches()];
        CablePlan cable = CablePlan.USUAL.withRate(Rate.gbits(inputs.rate()));
        hostCable = cable.withMetres(inputs.lengths().host());
        spineCable = cable.withMetres(inputs.lengths().spine());
        coreCable = cable.withMetres(inputs.lengths().core());
    }

    Topology topology() {
        addSwitches();
        addHosts();
        joinLeaves();
        joinCores();
        return wiring.topology();
    }

    private void addSwitches() {
        for (int i = 0; i < size.leaves(); i++) {
            wiring.addSwitch("leaf " + (i + 1), radices.leaf());
        }
        for (int pod = 0; pod < size.pods(); pod++) {
            for (int i = 0; i < size.spines(); i++) {
                String name = "spine " + (i + 1);
                wiring.addSwitch(
                        size.pods() == 1 ? name : "pod %d %s".formatted(pod + 1, name),
                        radices.spine());
            }
        }
        for (int i = 0; i < size.cores(); i++) {
            wiring.addSwitch("core " + (i + 1), radices.core());
        }
    }

    /// Node by node, so that hosts with neighbouring numbers are of one node.
    private void addHosts() {
        Seating seating = size.seating();
        for (int group = 0; group < seating.groups(); group++) {
            for (int node = seating.firstNode(group); node < seating.firstNode(group + 1); node++) {
                for (int at = 0; at < seating.group(); at++) {
                    int leaf = group * seating.group() + at;
                    for (int i = 0; i < seating.railsAt(leaf); i++) {
                        int nic = seating.firstRail(at) + i + 1;
                        String name = "node %d nic %d".formatted(node + 1, nic);
                        wiring.addHost(name, leaf, next[leaf]++, hostCable);
                    }
                }
            }
        }
        int manager = 0;
        for (int leaf = 0; leaf < size.leaves(); leaf++) {
            for (int i = 0; i < seating.management(leaf); i++) {
                wiring.addHost("manager link " + ++manager, leaf, next[leaf]++, hostCable);
            }
        }
    }

    private void joinLeaves() {
        if (size.isPair()) {
            for (int i = 0; i < size.uplinks(); i++) {
                wiring.join(0, next[0]++, 1, next[1]++, spineCable);
            }
            return;
        }
        for (int leaf = 0; leaf < size.leaves() && size.spines() > 0; leaf++) {
            int pod = leaf / size.leavesPerPod();
            int inPod = leaf % size.leavesPerPod();
            for (int j = 0; j < size.uplinks(); j++) {
                int spine = (inPod * size.uplinks() + j) % size.spines();
                join(leaf, spine(pod, spine), spineCable);
            }
        }
    }

    private void joinCores() {
        if (size.cores() == 0) {
            return;
        }
        int inGroup = size.spines() / size.groups();
        for (int pod = 0; pod < size.pods(); pod++) {
            for (int spine = 0; spine < size.spines(); spine++) {
                int group = spine % size.groups();
                int turn = pod * inGroup + spine / size.groups();
                for (int j = 0; j < size.spineUplinks(); j++) {
                    int core = (turn * size.spineUplinks() + j) % size.coresPerGroup();
                    join(spine(pod, spine), core(group, core), coreCable);
                }
            }
        }
    }

    private int spine(int pod, int spine) {
        return size.leaves() + pod * size.spines() + spine;
    }

    private int core(int group, int core) {
        return size.leaves() + size.spinesInAll() + group * size.coresPerGroup() + core;
    }

    private void join(int lower, int upper, CablePlan cable) {
        wiring.join(lower, next[lower]++, upper, next[upper]++, cable);
    }
}
