package dev.verbena.fabric;

import dev.verbena.transport.carrier.Counter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Collects the counters of all nodes of a fabric.
final class Census {
    private final Fabric fabric;
    private final Topology topology;

    Census(Fabric fabric) {
        this.fabric = fabric;
        topology = fabric.topology();
    }

    FabricCounts counts() {
        long injected = 0;
        for (int i = 0; i < topology.hosts(); i++) {
            injected += fabric.nic(i).port().sentPackets();
        }
        long hops = injected;
        long drops = 0;
        long pauses = 0;
        long credits = 0;
        long highest = 0;
        for (int i = topology.hosts(); i < topology.hosts() + topology.switches(); i++) {
            switch (fabric.node(i)) {
                case EthernetSwitch node -> {
                    drops += node.buffer().drops();
                    pauses += node.pausesSent();
                    highest = Math.max(highest, node.buffer().highest());
                }
                case InfiniBandSwitch node -> drops += node.discards();
                case InnerSwitch _ -> {}
                case Nic nic -> throw new AssertionError(nic + " is no switch");
            }
        }
        long lost = 0;
        for (int i = 0; i < 2 * topology.cables(); i++) {
            OutPort port = end(i);
            LinkFault fault = port.link().fault();
            lost += fault == null ? 0 : fault.lostPackets() + fault.gonePackets();
            if (port.owner instanceof Nic) {
                continue;
            }
            hops += port.sentPackets();
            if (port instanceof InfiniBandPort infiniBand) {
                credits += infiniBand.giver().updates();
                highest = Math.max(highest, infiniBand.giver().mostUsedBytes());
            }
        }
        return new FabricCounts(
                fabric.events(), injected, hops, drops, lost, pauses, credits, highest);
    }

    CongestionCounts congestion() {
        long marked = 0;
        long sent = 0;
        long received = 0;
        for (int i = 0; i < topology.hosts() + topology.switches(); i++) {
            switch (fabric.node(i)) {
                case EthernetSwitch node -> marked += node.marked();
                case InfiniBandSwitch _, InnerSwitch _ -> {}
                case Nic nic -> {
                    if (nic.isOpen()) {
                        Map<String, Long> counts = nic.device().counters();
                        sent += count(counts, Counter.SENT_NOTICE);
                        received +=
                                count(counts, Counter.RECEIVED_NOTICE)
                                        + count(counts, Counter.IGNORED_NOTICE);
                    }
                }
            }
        }
        return new CongestionCounts(marked, sent, received);
    }

    private static long count(Map<String, Long> counts, Counter counter) {
        return counts.getOrDefault(counter.title(), 0L);
    }

    /// Both ends of a cable have numbers, one after the other.
    OutPort end(int index) {
        return out(node(index), topology.cable(index / 2, (index & 1) * 2 + 1));
    }

    /// The node of a port.
    private int node(int index) {
        return topology.cable(index / 2, (index & 1) * 2);
    }

    /// The counters of all ports of the nodes with this name.
    List<PortCounts> counters(String name) {
        BitSet named = new BitSet();
        for (int node = 0; node < topology.hosts() + topology.switches(); node++) {
            named.set(node, topology.isCalled(node, name));
        }
        List<PortCounts> found = new ArrayList<>();
        for (int i = 0; i < 2 * topology.cables(); i++) {
            if (named.get(node(i))) {
                found.add(port(i));
            }
        }
        found.sort(Comparator.comparingInt(PortCounts::port));
        return found;
    }

    long[] busyPs() {
        return IntStream.range(0, 2 * topology.cables()).mapToLong(i -> end(i).busyPs()).toArray();
    }

    long[] takeQueuePeaks() {
        return IntStream.range(0, 2 * topology.cables())
                .mapToLong(i -> end(i).takePeakBytes())
                .toArray();
    }

    List<PortCounts> ports() {
        return IntStream.range(0, 2 * topology.cables()).mapToObj(this::port).toList();
    }

    private PortCounts port(int index) {
        return PortCensus.of(fabric, end(index), end(index ^ 1));
    }

    /// The port of the switch to which a host is connected.
    OutPort neighbour(int host) {
        for (int i = 0; i < topology.cables(); i++) {
            if (topology.cable(i, 0) == host) {
                return out(topology.cable(i, 2), topology.cable(i, 3));
            }
        }
        throw new AssertionError("host " + host + " has a cable");
    }

    private OutPort out(int node, int port) {
        return fabric.node(node).port(port);
    }
}
