package dev.verbena.fabric;

import dev.verbena.wire.Vcrc;
import java.util.LinkedHashMap;
import java.util.Map;

/// The counters of a port under the names that operators know: those of `perfquery` on InfiniBand,
/// and those of mlx5 in `ethtool -S` on Ethernet. Counters that are 0 are left out.
///
/// A packet counts as received as soon as the neighbour has sent it.
final class PortCounters {
    /// PortXmitData counts words of four octets. The specification leaves it to the maker how long
    /// a tick of PortXmitWait is; here it is as long as such a word.
    private static final int WORD = 4;

    private static final long PS_PER_US = 1_000_000;

    private final Map<String, Long> counts = new LinkedHashMap<>();
    private final Fabric fabric;
    private final long nowPs;

    private PortCounters(Fabric fabric) {
        this.fabric = fabric;
        nowPs = fabric.nowPs();
    }

    /// @param node the node with the port
    /// @param in the port of the neighbour, at the other end of the cable
    static Map<String, Long> of(Fabric fabric, Node node, OutPort out, OutPort in) {
        PortCounters counters = new PortCounters(fabric);
        switch (out) {
            case EthernetPort port -> counters.ethernet(node, port, in);
            case InfiniBandPort port -> counters.infiniBand(port, in);
            default -> throw new AssertionError("a port of neither kind: " + out);
        }
        return counters.counts;
    }

    private void put(String name, long value) {
        if (value != 0) {
            counts.put(name, value);
        }
    }

    private void ethernet(Node node, EthernetPort out, OutPort in) {
        long[] sent = out.sentByLane();
        long[] received = in.sentByLane();
        int gap = fabric.settings().framing().gapBytes();
        for (int i = 0; i < EthernetPort.PRIORITIES; i++) {
            put("rx_prio" + i + "_bytes", in.sentBytes(i) - received[i] * gap);
            put("rx_prio" + i + "_packets", received[i]);
            put("tx_prio" + i + "_bytes", out.sentBytes(i) - sent[i] * gap);
            put("tx_prio" + i + "_packets", sent[i]);
            put("rx_prio" + i + "_pause", out.heard(i));
            put("rx_prio" + i + "_pause_duration", out.pausedPs(i, nowPs) / PS_PER_US);
            if (node instanceof EthernetSwitch owner) {
                put("tx_prio" + i + "_pause", owner.pausesSent(out.number, i));
                put("rx_prio" + i + "_discards", owner.buffer().drops(out.number, i));
            }
        }
    }

    private void infiniBand(InfiniBandPort out, OutPort in) {
        long[] sent = out.sentByLane();
        put("PortXmitData", octets(out) / WORD);
        put("PortRcvData", octets(in) / WORD);
        put("PortXmitPkts", out.sentPackets());
        put("PortRcvPkts", in.sentPackets());
        long waitTicks = 0;
        long tickPs = Math.max(1, out.ps(WORD));
        for (int lane = 0; lane < InfiniBandPort.LANES; lane++) {
            waitTicks += out.waitPs(lane, nowPs) / tickPs;
        }
        put("PortXmitWait", waitTicks);
        for (int lane = 0; lane < InfiniBandPort.LANES; lane++) {
            put("PortVLOpPackets" + lane, sent[lane]);
            put("PortVLXmitWait" + lane, out.waitPs(lane, nowPs) / tickPs);
        }
    }

    /// From the first octet of a packet to its variant CRC, which is not counted.
    private static long octets(OutPort port) {
        return port.sentBytes() - port.sentPackets() * Vcrc.LENGTH;
    }
}
