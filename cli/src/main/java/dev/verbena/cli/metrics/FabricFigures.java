package dev.verbena.cli.metrics;

import dev.verbena.fabric.Cable;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricCounts;
import dev.verbena.fabric.PortCounts;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/// Figures of a simulated fabric: its ports as node_exporter names them, a device being a host or a
/// switch, and its clock.
public final class FabricFigures {
    private static final int WORD = 4;
    private static final int PRIORITIES = 8;
    private static final double PS_PER_SECOND = 1e12;

    private final double seconds;
    private final FabricCounts counts;
    private final List<PortCounts> ports;
    private final long[] bytesPerSecond;
    private final Map<String, Long> devices;

    /// What a fabric has counted so far.
    public FabricFigures(Fabric fabric) {
        seconds = fabric.nowPs() / PS_PER_SECOND;
        counts = fabric.counts();
        ports = fabric.ports();
        devices = fabric.deviceCounters();
        Cable usual = fabric.settings().cable();
        bytesPerSecond = new long[ports.size()];
        for (int i = 0; i < bytesPerSecond.length; i++) {
            Cable cable = fabric.topology().cablePlan(i / 2).over(usual);
            bytesPerSecond[i] = cable.rate().bitsPerSecond() / 8;
        }
    }

    /// Writes it.
    public void write(MetricText text) {
        text.gauge("verbena_sim_time_seconds", "The clock of the simulation.")
                .sample(seconds)
                .counter("verbena_sim_events_total", "Events that were simulated.")
                .sample(counts.events())
                .counter("verbena_sim_dropped_packets_total", "Packets that switches dropped.")
                .sample(counts.drops())
                .counter("verbena_sim_lost_packets_total", "Packets that cables lost.")
                .sample(counts.lost());
        Families families = new Families(text, ports);
        families.traffic();
        families.troubles();
        families.pauses();
        text.gauge(RdmaFigures.PREFIX + "rate_bytes_per_second", "Rate of the cable.");
        for (int i = 0; i < bytesPerSecond.length; i++) {
            text.sample(bytesPerSecond[i], labels(ports.get(i)));
        }
        RdmaFigures.write(text, "all hosts", devices, false);
    }

    /// What all ports have, a family after the other.
    private record Families(MetricText text, List<PortCounts> ports) {
        private void traffic() {
            family("port_data_transmitted_bytes", "Bytes sent.", it -> bytes(it, "Xmit", "tx"));
            family("port_data_received_bytes", "Bytes received.", it -> bytes(it, "Rcv", "rx"));
            family("port_packets_transmitted", "Packets sent.", it -> packets(it, "Xmit", "tx"));
            family("port_packets_received", "Packets received.", it -> packets(it, "Rcv", "rx"));
        }

        private void troubles() {
            family(
                    "port_transmit_wait",
                    "Ticks without credits; a tick is the time of four bytes.",
                    it -> count(it, "PortXmitWait"));
            family(
                    "port_errors_received",
                    "Packets that arrived damaged.",
                    it -> count(it, "PortRcvErrors") + count(it, "rx_crc_errors_phy"));
            family(
                    "port_discards_received",
                    "Packets that a full buffer dropped.",
                    it -> prio(it, "rx_prio%d_discards"));
            family(
                    "link_downed",
                    "How often the cable went away.",
                    it -> count(it, "LinkDownedCounter") + count(it, "link_down_events_phy"));
            text.gauge("verbena_sim_port_queue_bytes", "Bytes that wait to leave by a port.");
            ports.forEach(it -> text.sample(it.queuedBytes(), labels(it)));
        }

        private void family(String name, String help, ToLongFunction<PortCounts> value) {
            text.counter(RdmaFigures.PREFIX + name + "_total", help);
            ports.forEach(it -> text.sample(value.applyAsLong(it), labels(it)));
        }

        /// The kernel's drivers have no common counters of pauses: these are mlx5's, of ethtool.
        private void pauses() {
            for (int priority = 0; priority < PRIORITIES; priority++) {
                pauses(priority, "received", "rx_prio" + priority + "_pause");
                pauses(priority, "transmitted", "tx_prio" + priority + "_pause");
            }
        }

        private void pauses(int priority, String word, String counter) {
            if (ports.stream().noneMatch(it -> it.counts().containsKey(counter))) {
                return;
            }
            text.untyped(
                    "node_ethtool_%s_prio%d_pause".formatted(word, priority),
                    "Pause frames of a priority.");
            for (PortCounts each : ports) {
                text.sample(count(each, counter), labels(each));
            }
        }
    }

    /// Ports are numbered from 1, as the kernel and InfiniBand do.
    private static String[] labels(PortCounts port) {
        return new String[] {"device", port.node(), "port", Integer.toString(port.port() + 1)};
    }

    private static long bytes(PortCounts port, String way, String side) {
        return WORD * count(port, "Port" + way + "Data")
                + prio(port, side + "_prio%d_bytes")
                + count(port, side + "_bytes");
    }

    private static long packets(PortCounts port, String way, String side) {
        return count(port, "Port" + way + "Pkts")
                + prio(port, side + "_prio%d_packets")
                + count(port, side + "_packets");
    }

    private static long prio(PortCounts port, String form) {
        long sum = 0;
        for (int priority = 0; priority < PRIORITIES; priority++) {
            sum += count(port, form.formatted(priority));
        }
        return sum;
    }

    private static long count(PortCounts port, String counter) {
        return port.counts().getOrDefault(counter, 0L);
    }
}
