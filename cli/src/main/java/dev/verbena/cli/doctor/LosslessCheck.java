package dev.verbena.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Do RoCE packets travel in the class that the switches keep free of loss?
///
/// What sysfs and configfs tell of it. Which priorities PFC holds is not among that.
final class LosslessCheck implements Check {
    private static final String CONNECTIONS = "/sys/kernel/config/rdma_cm";

    @Override
    public List<Finding> examine(Host host) {
        List<Finding> findings = new ArrayList<>();
        for (RdmaPort port : RdmaDevice.ports(host)) {
            if (port.isRoce()) {
                port.networkInterface().ifPresent(name -> marks(host, port, name, findings));
                trafficClass(host, port, findings);
                connections(host, port, findings);
            }
        }
        return findings;
    }

    /// The two halves of DCQCN in mlx5: np answers marked packets, rp slows down for the answers.
    private static void marks(Host host, RdmaPort port, String name, List<Finding> findings) {
        List<String> off =
                Stream.of("roce_np", "roce_rp")
                        .map(
                                half ->
                                        NetworkInterface.CLASS
                                                + "/"
                                                + name
                                                + "/ecn/"
                                                + half
                                                + "/enable")
                        .filter(directory -> isOff(host, directory))
                        .map(directory -> directory + "/*: 0")
                        .toList();
        if (!off.isEmpty()) {
            findings.add(
                    new Finding(
                            Code.VD701,
                            port.name() + " does not slow down, or does not ask peers to",
                            off,
                            "Turn ECN on for the priority of RoCE, 3 as a rule.",
                            "echo 1 | tee /sys/class/net/" + name + "/ecn/roce_{np,rp}/enable/3"));
        }
    }

    private static boolean isOff(Host host, String directory) {
        List<String> priorities = host.names(directory);
        return !priorities.isEmpty()
                && priorities.stream()
                        .allMatch(priority -> host.number(directory + "/" + priority, 1) == 0);
    }

    private static void trafficClass(Host host, RdmaPort port, List<Finding> findings) {
        String path = RdmaDevice.CLASS + "/" + port.device() + "/tc/" + port.number();
        String file = path + "/traffic_class";
        boolean isSet =
                host.text(file).map(text -> !text.isEmpty() && !text.endsWith("=0")).orElse(true);
        if (!isSet) {
            findings.add(
                    new Finding(
                            Code.VD702,
                            port.name() + " leaves the traffic class to each program",
                            List.of(host.evidence(file)),
                            "One class for all: 106 is DSCP 26 with ECN. Does PFC hold its"
                                    + " priority?",
                            "echo 106 > " + file + "; dcb pfc show dev " + interfaceOf(port)));
        }
    }

    private static void connections(Host host, RdmaPort port, List<Finding> findings) {
        String path = CONNECTIONS + "/" + port.device() + "/ports/" + port.number();
        String mode = path + "/default_roce_mode";
        if (host.text(mode).filter(text -> !text.equals("RoCE v2")).isPresent()) {
            findings.add(
                    new Finding(
                            Code.VD703,
                            "rdma_cm on " + port.name() + " answers peers of RoCE v2 with v1",
                            List.of(host.evidence(mode)),
                            "Set the version of both sides.",
                            "echo 'RoCE v2' > " + mode));
        }
        String tos = path + "/default_roce_tos";
        if (host.number(tos, 1) == 0) {
            findings.add(
                    new Finding(
                            Code.VD704,
                            "rdma_cm on " + port.name() + " connects outside the lossless class",
                            List.of(host.evidence(tos)),
                            "Where switches go by DSCP, set it.",
                            "echo 106 > " + tos));
        }
    }

    private static String interfaceOf(RdmaPort port) {
        return port.networkInterface().orElse("eth0");
    }
}
