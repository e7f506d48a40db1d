package dev.verbena.subnet;

import java.util.Arrays;
import java.util.SplittableRandom;

/// Networks for tests.
final class Shapes {
    private Shapes() {}

    /// Leaves and spines, with as many cables between each two as asked for.
    static PlainPlane twoTiers(int hostsPerLeaf, int leaves, int spines, int trunk) {
        PlainPlane plane = new PlainPlane(hostsPerLeaf * leaves);
        int first = plane.hosts;
        for (int leaf = 0; leaf < leaves; leaf++) {
            plane.addSwitch(hostsPerLeaf + spines * trunk);
            for (int i = 0; i < hostsPerLeaf; i++) {
                plane.connect(leaf * hostsPerLeaf + i, 1, first + leaf, i + 1);
            }
        }
        for (int spine = 0; spine < spines; spine++) {
            int node = plane.addSwitch(leaves * trunk);
            for (int leaf = 0; leaf < leaves; leaf++) {
                for (int i = 0; i < trunk; i++) {
                    int up = hostsPerLeaf + i * spines + spine + 1;
                    plane.connect(first + leaf, up, node, leaf * trunk + i + 1);
                }
            }
        }
        return plane;
    }

    /// Three tiers of switches of `2 * half` ports without oversubscription.
    static PlainPlane threeTiers(int half, int pods) {
        PlainPlane plane = new PlainPlane(half * half * pods);
        int leaf0 = plane.hosts;
        int aggregation0 = leaf0 + half * pods;
        int core0 = aggregation0 + half * pods;
        for (int i = 0; i < 2 * half * pods; i++) {
            plane.addSwitch(2 * half);
        }
        for (int i = 0; i < half * half; i++) {
            plane.addSwitch(pods);
        }
        for (int pod = 0; pod < pods; pod++) {
            for (int i = 0; i < half; i++) {
                int leaf = leaf0 + pod * half + i;
                for (int j = 0; j < half; j++) {
                    plane.connect((pod * half + i) * half + j, 1, leaf, j + 1);
                    int above = aggregation0 + pod * half + j;
                    plane.connect(leaf, half + j + 1, above, i + 1);
                }
                int aggregation = aggregation0 + pod * half + i;
                for (int j = 0; j < half; j++) {
                    plane.connect(aggregation, half + j + 1, core0 + i * half + j, pod + 1);
                }
            }
        }
        return plane;
    }

    /// Switches in a circle, each with hosts.
    static PlainPlane ring(int switches, int hostsPerSwitch) {
        PlainPlane plane = new PlainPlane(switches * hostsPerSwitch);
        for (int i = 0; i < switches; i++) {
            int node = plane.addSwitch(hostsPerSwitch + 2);
            for (int j = 0; j < hostsPerSwitch; j++) {
                plane.connect(i * hostsPerSwitch + j, 1, node, j + 1);
            }
        }
        for (int i = 0; i < switches; i++) {
            int next = (i + 1) % switches;
            plane.connect(
                    plane.hosts + i, hostsPerSwitch + 1, plane.hosts + next, hostsPerSwitch + 2);
        }
        return plane;
    }

    /// A torus of any dimensions: each switch has two links for each of them, at the same ports
    /// everywhere, and hosts at the ports behind.
    static PlainPlane torus(int hostsPerSwitch, int... sizes) {
        int switches = Arrays.stream(sizes).reduce(1, (a, b) -> a * b);
        PlainPlane plane = new PlainPlane(switches * hostsPerSwitch);
        for (int i = 0; i < switches; i++) {
            int node = plane.addSwitch(2 * sizes.length + hostsPerSwitch);
            for (int j = 0; j < hostsPerSwitch; j++) {
                plane.connect(i * hostsPerSwitch + j, 1, node, 2 * sizes.length + j + 1);
            }
        }
        int stride = 1;
        for (int dimension = 0; dimension < sizes.length; dimension++) {
            for (int i = 0; i < switches; i++) {
                int place = i / stride % sizes[dimension];
                int next = i + ((place + 1) % sizes[dimension] - place) * stride;
                plane.connect(
                        plane.hosts + i, 2 * dimension + 1, plane.hosts + next, 2 * dimension + 2);
            }
            stride *= sizes[dimension];
        }
        return plane;
    }

    /// Switches joined at random, all of them connected, with hosts at random switches.
    static PlainPlane random(SplittableRandom random, int hosts, int switches, int extraLinks) {
        PlainPlane plane = new PlainPlane(hosts);
        int[] used = new int[hosts + switches];
        for (int i = 0; i < switches; i++) {
            int node = plane.addSwitch(PlainPlane.PORTS_MAX);
            if (i > 0) {
                join(plane, used, node, hosts + random.nextInt(i));
            }
        }
        for (int host = 0; host < hosts; host++) {
            join(plane, used, host, hosts + random.nextInt(switches));
        }
        for (int i = 0; i < extraLinks && switches > 1; i++) {
            int one = hosts + random.nextInt(switches);
            int other = hosts + random.nextInt(switches);
            if (one != other && Math.max(used[one], used[other]) < PlainPlane.PORTS_MAX) {
                join(plane, used, one, other);
            }
        }
        return plane;
    }

    private static void join(PlainPlane plane, int[] used, int node, int other) {
        plane.connect(node, ++used[node], other, ++used[other]);
    }
}
