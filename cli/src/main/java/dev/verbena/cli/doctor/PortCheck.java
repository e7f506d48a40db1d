package dev.verbena.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Are the ports up, and do their counters show trouble?
final class PortCheck implements Check {
    /// Of the physical link: each count is a packet, or a piece of one, that was damaged.
    private static final List<String> DAMAGE =
            List.of(
                    "counters/symbol_error",
                    "counters/port_rcv_errors",
                    "counters/local_link_integrity_errors",
                    "counters/excessive_buffer_overrun_errors",
                    "hw_counters/rx_icrc_encapsulated");

    private static final List<String> LOSSES =
            List.of(
                    "counters/link_downed",
                    "counters/link_error_recovery",
                    "hw_counters/link_downed");

    /// Names of mlx5, then of rdma_rxe.
    private static final List<String> REPEATS =
            List.of(
                    "hw_counters/out_of_sequence",
                    "hw_counters/packet_seq_err",
                    "hw_counters/local_ack_timeout_err",
                    "hw_counters/rnr_nak_retry_err",
                    "hw_counters/out_of_buffer",
                    "hw_counters/out_of_seq_request",
                    "hw_counters/rcvd_seq_err",
                    "hw_counters/retry_exceeded_err",
                    "hw_counters/rcvd_rnr_err");

    @Override
    public List<Finding> examine(Host host) {
        List<Finding> findings = new ArrayList<>();
        for (RdmaPort port : RdmaDevice.ports(host)) {
            link(host, port).or(() -> state(host, port)).ifPresent(findings::add);
            counters(
                            host,
                            port,
                            Code.VD305,
                            "has damaged packets",
                            "Clean or change cable and transceiver; watch whether it grows.",
                            DAMAGE)
                    .ifPresent(findings::add);
            counters(
                            host,
                            port,
                            Code.VD306,
                            "lost its link, since the driver was loaded",
                            "Ask the switch's log for the same time.",
                            LOSSES)
                    .ifPresent(findings::add);
            counters(
                            host,
                            port,
                            Code.VD307,
                            "repeated packets, or had nowhere to put them",
                            "When it grows under load: lost packets, or receives posted too late.",
                            REPEATS)
                    .ifPresent(findings::add);
        }
        return findings;
    }

    private static Optional<Finding> link(Host host, RdmaPort port) {
        if (!port.isEthernet() || port.networkInterface().isEmpty()) {
            return Optional.empty();
        }
        NetworkInterface below = new NetworkInterface(host, port.networkInterface().get());
        if (!below.isThere()) {
            return Optional.empty();
        }
        List<String> evidence = new ArrayList<>();
        evidence.add(host.evidence(port.path() + "/state"));
        if (!below.isUp()) {
            evidence.add(host.evidence(below.path("flags")) + ", without UP");
            return Optional.of(
                    new Finding(
                            Code.VD303,
                            port.name()
                                    + " has nothing to send through: "
                                    + below.name()
                                    + " is down",
                            evidence,
                            "Bring the interface up; the port follows.",
                            "ip link set " + below.name() + " up"));
        }
        if (!below.hasCarrier()) {
            evidence.add(host.evidence(below.path("carrier")));
            return Optional.of(
                    new Finding(
                            Code.VD304,
                            port.name()
                                    + " has no cable, or nothing at its other end: "
                                    + below.name(),
                            evidence,
                            "Look at cable, transceiver, and the switch's port.",
                            "ethtool " + below.name()));
        }
        return Optional.empty();
    }

    private static Optional<Finding> state(Host host, RdmaPort port) {
        List<String> evidence =
                List.of(
                        host.evidence(port.path() + "/state"),
                        host.evidence(port.path() + "/phys_state"));
        if (port.isActive()) {
            return Optional.empty();
        }
        if (!port.isEthernet() && (port.state().equals("INIT") || port.state().equals("ARMED"))) {
            return Optional.of(
                    new Finding(
                            Code.VD302,
                            port.name() + " has a link and no LID: no subnet manager gave it one",
                            evidence,
                            "Start a subnet manager, on a switch or on one host of the fabric.",
                            "sminfo || systemctl start opensm"));
        }
        return Optional.of(
                new Finding(
                        Code.VD301,
                        port.name() + " is " + port.state(),
                        evidence,
                        "Look at the cable, and whether the port was turned off.",
                        "rdma link show " + port.name()));
    }

    private static Optional<Finding> counters(
            Host host,
            RdmaPort port,
            Code code,
            String problem,
            String remedy,
            List<String> counters) {
        List<String> evidence =
                counters.stream()
                        .map(counter -> port.path() + "/" + counter)
                        .filter(path -> host.number(path, 0) > 0)
                        .map(host::evidence)
                        .toList();
        return evidence.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Finding(
                                code,
                                port.name() + " " + problem,
                                evidence,
                                remedy,
                                "rdma statistic show link " + port.name()));
    }
}
