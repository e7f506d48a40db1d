package dev.verbena.fabric;

import java.util.stream.IntStream;

/// A dragonfly: groups of switches, all connected within a group, and one cable between any two
/// groups (Kim, Dally, Scott and Abts, 2008).
///
/// ```text
///   ports: the hosts; the other switches of the group; the cables to other groups
/// ```
///
/// There are `perGroup * global + 1` groups. Routes are minimal: to the switch with the cable to
/// the other group, over it, and to the switch of the host. Behind that cable packets go in the
/// other lane of their class, so no circle of waiting closes.
///
/// @param hosts hosts of a switch
/// @param perGroup switches of a group
/// @param global cables of a switch to other groups
public record Dragonfly(int hosts, int perGroup, int global) {
    private static final int SWITCHES_MAX = 4096;
    private static final int PORTS_MAX = 1000;

    public Dragonfly {
        boolean isRight =
                hosts >= 1
                        && perGroup >= 1
                        && global >= 1
                        && (long) hosts + perGroup + global <= PORTS_MAX
                        && perGroup * (perGroup * (long) global + 1) <= SWITCHES_MAX;
        if (!isRight) {
            throw new IllegalArgumentException(
                    ("a dragonfly of %d hosts at a switch, %d switches in a group, %d cables to"
                                    + " other groups: use 1 or more, at most %,d switches in all")
                            .formatted(hosts, perGroup, global, SWITCHES_MAX));
        }
    }

    int groups() {
        return perGroup * global + 1;
    }

    private int count() {
        return groups() * perGroup;
    }

    private int localPort(int here, int there) {
        return hosts + (there < here ? there : there - 1);
    }

    private int globalPort(int cable) {
        return hosts + perGroup - 1 + cable % global;
    }

    /// Of a group's cables, the one to another group.
    private int cable(int group, int other) {
        return Math.floorMod(other - group - 1, groups());
    }

    public Topology topology() {
        int count = count();
        int all = count * hosts;
        Topology made = new Topology("dragonfly %dx%dx%d".formatted(hosts, perGroup, global), all);
        int ports = hosts + perGroup - 1 + global;
        for (int at = 0; at < count; at++) {
            String name = "group %d switch %d".formatted(at / perGroup, at % perGroup);
            made.addSwitch(new Topology.SwitchPlan(name, ports, at, table(at, ports)));
        }
        for (int host = 0; host < all; host++) {
            made.addHost(host, all + host / hosts, host % hosts);
        }
        for (int at = 0; at < count; at++) {
            int group = at / perGroup;
            int here = at % perGroup;
            for (int there = here + 1; there < perGroup; there++) {
                made.addCable(
                        all + at,
                        localPort(here, there),
                        all + group * perGroup + there,
                        localPort(there, here));
            }
            for (int other = group + 1; other < groups(); other++) {
                int cable = cable(group, other);
                int back = cable(other, group);
                if (cable / global == here) {
                    int far = other * perGroup + back / global;
                    made.addCable(all + at, globalPort(cable), all + far, globalPort(back));
                }
            }
        }
        int firstGlobal = hosts + perGroup - 1;
        made.lanes(
                (node, in, out, lane) -> {
                    if (out < hosts || in < hosts) {
                        return LaneRule.base(lane);
                    }
                    return in >= firstGlobal ? LaneRule.raised(lane) : lane;
                });
        return made;
    }

    private RoutingTable table(int at, int ports) {
        short[] groups = new short[count()];
        for (int leaf = 0; leaf < groups.length; leaf++) {
            groups[leaf] = (short) toward(at, leaf);
        }
        short[][] each =
                IntStream.range(0, ports)
                        .mapToObj(it -> new short[] {(short) it})
                        .toArray(short[][]::new);
        return new RoutingTable(groups, each);
    }

    private int toward(int at, int leaf) {
        int here = at % perGroup;
        int group = at / perGroup;
        int other = leaf / perGroup;
        if (at == leaf) {
            return 0;
        }
        if (group == other) {
            return localPort(here, leaf % perGroup);
        }
        int cable = cable(group, other);
        return cable / global == here ? globalPort(cable) : localPort(here, cable / global);
    }
}
