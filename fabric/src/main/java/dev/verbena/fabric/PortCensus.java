package dev.verbena.fabric;

import dev.verbena.wire.Vcrc;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;

/// Collects the counters of one port, under the names that operators know: those of `perfquery` on
/// InfiniBand, and those of mlx5 in `ethtool -S` on Ethernet.
///
/// A packet counts as received as soon as the neighbour has sent it, also one that the cable loses:
/// that one is an error besides. What is sent while there is no cable is not received.
final class PortCensus {
    /// PortXmitData counts words of four octets. The specification leaves it to the maker how long
    /// a tick of PortXmitWait is; here it is as long as such a word.
    private static final int WORD = 4;

    private static final long PS_PER_US = 1_000_000;

    private final Map<String, Long> counts = new LinkedHashMap<>();
    private final Fabric fabric;
    private final long nowPs;
    private long pausedPs;

    private PortCensus(Fabric fabric) {
        this.fabric = fabric;
        nowPs = fabric.nowPs();
    }

    /// @param in the port of the neighbour, at the other end of the cable
    static PortCounts of(Fabric fabric, OutPort out, OutPort in) {
        PortCensus census = new PortCensus(fabric);
        switch (out) {
            case EthernetPort port -> census.ethernet(port, in);
            case InfiniBandPort port -> census.infiniBand(port, in);
            case PlainPort port -> census.plain(port, in);
            default -> throw new AssertionError("a port of neither kind: " + out);
        }
        long queued = 0;
        for (int lane = 0; lane < out.laneCount(); lane++) {
            queued += out.waitingBytes(lane);
        }
        return new PortCounts(
                out.owner.toString(),
                out.number,
                in.owner.toString(),
                (double) out.busyPs() / Math.max(1, census.nowPs),
                census.pausedPs,
                queued,
                census.counts);
    }

    private void put(String name, long value) {
        if (value != 0) {
            counts.put(name, value);
        }
    }

    /// Makes no name for a counter that is left out: a fabric has many ports.
    private void put(String before, int lane, String after, long value) {
        if (value != 0) {
            counts.put(before + lane + after, value);
        }
    }

    private void ethernet(EthernetPort out, OutPort in) {
        long[] sent = out.sentByLane();
        long[] received = in.carriedByLane();
        pausedPs = out.pausedPs(nowPs);
        int gap = fabric.settings().framing().gapBytes();
        for (int i = 0; i < EthernetPort.PRIORITIES; i++) {
            put("rx_prio", i, "_bytes", in.carriedBytes(i) - received[i] * gap);
            put("rx_prio", i, "_packets", received[i]);
            put("tx_prio", i, "_bytes", out.sentBytes(i) - sent[i] * gap);
            put("tx_prio", i, "_packets", sent[i]);
            put("rx_prio", i, "_pause", out.heard(i));
            put("rx_prio", i, "_pause_duration", out.pausedPs(i, nowPs) / PS_PER_US);
            if (out.owner instanceof EthernetSwitch owner) {
                put("tx_prio", i, "_pause", owner.pausesSent(out.number, i));
                put("rx_prio", i, "_discards", owner.buffer().drops(out.number, i));
            }
        }
        put("rx_crc_errors_phy", in.lostPackets());
        put("link_down_events_phy", out.downs());
    }

    /// A link within a host: there are no names that all operators know.
    private void plain(PlainPort out, OutPort in) {
        put("rx_bytes", in.carriedBytes(0));
        put("rx_packets", Arrays.stream(in.carriedByLane()).sum());
        put("tx_bytes", out.sentBytes());
        put("tx_packets", out.sentPackets());
    }

    private void infiniBand(InfiniBandPort out, OutPort in) {
        long[] sent = out.sentByLane();
        long received = Arrays.stream(in.carriedByLane()).sum();
        long receivedBytes = IntStream.range(0, in.laneCount()).mapToLong(in::carriedBytes).sum();
        put("PortXmitData", octets(out.sentBytes(), out.sentPackets()) / WORD);
        put("PortRcvData", octets(receivedBytes, received) / WORD);
        put("PortXmitPkts", out.sentPackets());
        put("PortRcvPkts", received);
        long waitTicks = 0;
        long tickPs = Math.max(1, out.ps(WORD));
        for (int lane = 0; lane < InfiniBandPort.LANES; lane++) {
            waitTicks += out.waitPs(lane, nowPs) / tickPs;
        }
        put("PortXmitWait", waitTicks);
        put("PortRcvErrors", in.lostPackets());
        put("LinkDownedCounter", out.downs());
        for (int lane = 0; lane < InfiniBandPort.LANES; lane++) {
            put("PortVLOpPackets", lane, "", sent[lane]);
            put("PortVLXmitWait", lane, "", out.waitPs(lane, nowPs) / tickPs);
        }
    }

    /// From the first octet of a packet to its variant CRC, which is not counted.
    private static long octets(long linkBytes, long packets) {
        return linkBytes - packets * Vcrc.LENGTH;
    }
}
