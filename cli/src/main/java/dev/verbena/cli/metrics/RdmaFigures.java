package dev.verbena.cli.metrics;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// Counters of RDMA devices under the names that node_exporter gives to those of the kernel, so
/// that dashboards for it show them; and all of them under names of our own.
public final class RdmaFigures {
    static final String PREFIX = "node_infiniband_";
    private static final String OWN = "verbena_device_";

    /// By the name that the kernel has, in `hw_counters` or as rxe counts packets.
    private static final Map<String, String> NAMES = new LinkedHashMap<>();

    static {
        NAMES.put("sent_bytes", "port_data_transmitted_bytes");
        NAMES.put("rcvd_bytes", "port_data_received_bytes");
        NAMES.put("sent_pkts", "port_packets_transmitted");
        NAMES.put("rcvd_pkts", "port_packets_received");
        NAMES.put("np_cnp_sent", "np_cnp_packets_sent");
        NAMES.put("np_ecn_marked_roce_packets", "np_ecn_marked_roce_packets_received");
        NAMES.put("rp_cnp_handled", "rp_cnp_packets_handled");
        NAMES.put("out_of_sequence", "out_of_sequence_packets_received");
        NAMES.put("packet_seq_err", "packet_sequence_errors");
        NAMES.put("local_ack_timeout_err", "local_ack_timeout_errors");
        NAMES.put("rcvd_rnr_err", "rnr_nak_retry_packets_received");
        NAMES.put("out_of_buffer", "out_of_buffer_drops");
    }

    private RdmaFigures() {}

    /// Writes the counters of one device.
    ///
    /// @param device its name, or words for several
    /// @param hasTraffic whether bytes and packets are among them that no port tells
    public static void write(
            MetricText text, String device, Map<String, Long> counters, boolean hasTraffic) {
        NAMES.forEach(
                (kernel, name) -> {
                    Long value = counters.get(kernel);
                    boolean isTraffic = name.startsWith("port_");
                    if (value != null && (hasTraffic || !isTraffic)) {
                        String help = "The counter %s of a device.".formatted(kernel);
                        text.counter(PREFIX + name + "_total", help)
                                .sample(value, "device", device, "port", "1");
                    }
                });
        counters.forEach(
                (kernel, value) ->
                        text.counter(own(kernel), "The counter %s of a device.".formatted(kernel))
                                .sample(value, "device", device));
    }

    private static String own(String kernel) {
        String word = kernel.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_]", "_");
        return OWN + word + "_total";
    }
}
