package dev.verbena.fabric;

import java.util.ArrayList;
import java.util.List;

/// A rail-optimised fabric for hosts with several NICs: NICs of the same number, a rail, share
/// leaves.
///
/// ```text
///            spine 0        spine 1   …          a cable from every leaf to every spine
///            │ │ │ │        │ │ │ │
///   rail 0 leaf 0   rail 1 leaf 0   …   rail 0 leaf 1   rail 1 leaf 1   …
///      │ │ │           │ │ │               │ │ │
///   NIC 0 of hosts  NIC 1 of the same   NIC 0 of the next hosts
/// ```
///
/// Where the rails are apart, each has spines of its own, and NICs of different numbers do not
/// reach each other.
///
/// NIC k of host h is the host `h * rails + k` of the topology. A leaf's ports are its NICs, then
/// its uplinks; a spine's are its leaves.
///
/// @param rails NICs of a host
/// @param hostsPerLeaf hosts whose NICs share leaves
/// @param spines spines that join all leaves, or, where rails are apart, those of one rail; 0 where
///   one leaf is enough
/// @param apart whether rails have no common spine
public record Rails(int hosts, int rails, int hostsPerLeaf, int spines, boolean apart) {
    private static final int RAILS_MAX = 64;

    public Rails {
        require("hosts", hosts, 1, 1 << 16);
        require("rails", rails, 1, RAILS_MAX);
        require("hosts at a leaf", hostsPerLeaf, 1, 1 << 10);
        int leaves = Math.ceilDiv(hosts, hostsPerLeaf) * (apart ? 1 : rails);
        require(
                "spines for %d leaves".formatted(leaves),
                spines,
                leaves > 1 ? 1 : 0,
                (1 << 10) - 1);
    }

    private static void require(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "%,d %s: use %,d to %,d".formatted(value, what, least, most));
        }
    }

    /// Rails without oversubscription, of switches with so many ports.
    public static Rails ofRadix(int hosts, int rails, int radix, boolean apart) {
        require("ports of a switch", radix, 2, 1 << 10);
        if (hosts <= radix && (apart || rails == 1)) {
            return new Rails(hosts, rails, hosts, 0, apart);
        }
        int perLeaf = Math.min(hosts, radix / 2);
        Rails made = new Rails(hosts, rails, perLeaf, perLeaf, apart);
        int leaves = made.leavesPerRail() * (apart ? 1 : rails);
        if (leaves > radix) {
            throw new IllegalArgumentException(
                    ("%,d hosts with %d rails need %,d leaves at a spine, which has %d ports: use"
                                    + " fewer hosts, rails apart, or switches of %,d ports")
                            .formatted(hosts, rails, leaves, radix, leaves));
        }
        return made;
    }

    private int leavesPerRail() {
        return Math.ceilDiv(hosts, hostsPerLeaf);
    }

    private int leaves() {
        return leavesPerRail() * rails;
    }

    public Topology topology() {
        Wiring wiring = new Wiring(apart ? "rails apart" : "rails").mayBeApart();
        for (int leaf = 0; leaf < leaves(); leaf++) {
            String name = "rail %d leaf %d".formatted(leaf % rails, leaf / rails);
            wiring.addSwitch(name, hostsPerLeaf + spines);
        }
        for (int host = 0; host < hosts; host++) {
            for (int rail = 0; rail < rails; rail++) {
                int leaf = host / hostsPerLeaf * rails + rail;
                String name = "host %d nic %d".formatted(host, rail);
                wiring.addHost(name, leaf, host % hostsPerLeaf);
            }
        }
        for (int rail = 0; rail < (apart ? rails : 1) && spines > 0; rail++) {
            addSpines(wiring, rail);
        }
        Topology topology = wiring.topology();
        topology.describe(this::tiers);
        return topology;
    }

    /// The spines of one rail, or of all.
    private void addSpines(Wiring wiring, int rail) {
        List<Integer> below = new ArrayList<>();
        for (int leaf = 0; leaf < leaves(); leaf++) {
            if (!apart || leaf % rails == rail) {
                below.add(leaf);
            }
        }
        for (int i = 0; i < spines; i++) {
            String name = apart ? "rail %d spine %d".formatted(rail, i) : "spine " + i;
            int spine = wiring.addSwitch(name, below.size());
            for (int port = 0; port < below.size(); port++) {
                wiring.join(below.get(port), hostsPerLeaf + i, spine, port);
            }
        }
    }

    private List<String> tiers() {
        List<String> lines = new ArrayList<>();
        lines.add(
                "%,d hosts with a NIC on each of %d rails%s"
                        .formatted(hosts, rails, apart ? ", which are apart" : ""));
        lines.add(
                "%,d leaves, %d of each rail: %d NICs and %d uplinks each"
                        .formatted(leaves(), leavesPerRail(), hostsPerLeaf, spines));
        if (spines > 0) {
            int all = apart ? spines * rails : spines;
            lines.add("%,d spines: %d downlinks each".formatted(all, leaves() * spines / all));
        }
        return lines;
    }
}
