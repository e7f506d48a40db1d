package dev.verbena.fabric;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The time of a packet to the farthest host and of its acknowledgement back, while nothing else is
/// under way: what congestion control calls the base round trip.
public final class RoundTrip {
    /// BTH, AETH and ICRC.
    private static final int ACKNOWLEDGEMENT = 12 + 4 + 4;

    private RoundTrip() {}

    /// In nanoseconds, rounded up; switches are taken to store and forward.
    public static long ns(Topology topology, FabricSettings settings) {
        int cables = cables(topology);
        Cable cable = settings.cable();
        int acknowledgement = settings.framing().wireBytes(ACKNOWLEDGEMENT, 0, false);
        long cablesPs =
                cables
                        * (2 * cable.delayPs()
                                + cable.rate().ps(settings.largestWireBytes())
                                + cable.rate().ps(acknowledgement));
        long switchesPs = 2L * (cables - 1) * settings.switchLatencyPs();
        NicProfile nic = settings.nic();
        return Math.ceilDiv(cablesPs + switchesPs + 2 * nic.receivePs(), Clock.PS_PER_NS)
                + nic.acknowledgeNs();
    }

    /// Cables between the first host and the farthest from it.
    static int cables(Topology topology) {
        int nodes = topology.hosts() + topology.switches();
        List<List<Integer>> neighbours = new ArrayList<>(nodes);
        for (int i = 0; i < nodes; i++) {
            neighbours.add(new ArrayList<>());
        }
        for (int i = 0; i < topology.cables(); i++) {
            neighbours.get(topology.cable(i, 0)).add(topology.cable(i, 2));
            neighbours.get(topology.cable(i, 2)).add(topology.cable(i, 0));
        }
        int[] distance = new int[nodes];
        Arrays.fill(distance, -1);
        distance[0] = 0;
        ArrayDeque<Integer> line = new ArrayDeque<>(List.of(0));
        int farthest = 1;
        while (!line.isEmpty()) {
            int node = line.removeFirst();
            if (node < topology.hosts()) {
                farthest = Math.max(farthest, distance[node]);
            }
            for (int next : neighbours.get(node)) {
                if (distance[next] < 0) {
                    distance[next] = distance[node] + 1;
                    line.addLast(next);
                }
            }
        }
        return farthest;
    }
}
