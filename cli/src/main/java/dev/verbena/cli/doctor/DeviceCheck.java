package dev.verbena.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Is there a device, and can a program reach it?
final class DeviceCheck implements Check {
    private static final String FILES = "/dev/infiniband";

    /// Ethernet drivers of NICs that can do RDMA, with the module that adds it.
    private static final Map<String, String> HALVES =
            new TreeMap<>(
                    Map.of(
                            "mlx5_core", "mlx5_ib",
                            "mlx4_core", "mlx4_ib",
                            "bnxt_en", "bnxt_re",
                            "ice", "irdma",
                            "i40e", "irdma",
                            "qede", "qedr",
                            "cxgb4", "iw_cxgb4",
                            "hns3", "hns_roce_hw_v2",
                            "mana", "mana_ib"));

    @Override
    public List<Finding> examine(Host host) {
        List<RdmaDevice> devices = RdmaDevice.all(host);
        if (devices.isEmpty()) {
            return PlaceCheck.isExclusive(host) ? List.of() : List.of(noDevice(host));
        }
        List<Finding> findings = new ArrayList<>();
        for (RdmaDevice device : devices) {
            device.file(host).flatMap(file -> file(host, device, file)).ifPresent(findings::add);
            lanes(host, device).ifPresent(findings::add);
        }
        if (!host.exists(FILES + "/rdma_cm")) {
            findings.add(
                    new Finding(
                            Code.VD105,
                            "programs that connect by rdma_cm, such as rping, cannot",
                            List.of(host.evidence(FILES + "/rdma_cm")),
                            "Load rdma_ucm; into a container, hand the file.",
                            "modprobe rdma_ucm"));
        }
        return findings;
    }

    private static Finding noDevice(Host host) {
        Optional<String> half =
                HALVES.keySet().stream()
                        .filter(module -> host.exists("/sys/module/" + module))
                        .filter(module -> !host.exists("/sys/module/" + HALVES.get(module)))
                        .findFirst();
        List<String> evidence = List.of(RdmaDevice.CLASS + ": no device");
        if (half.isPresent()) {
            String module = HALVES.get(half.get());
            return new Finding(
                    Code.VD102,
                    half.get() + " is loaded, " + module + " is not",
                    List.of(evidence.getFirst(), "/sys/module/" + module + ": not there"),
                    "Load the RDMA half of the driver.",
                    "modprobe " + module);
        }
        String kernel = host.text("/proc/sys/kernel/osrelease").orElse("");
        String rxe = "/lib/modules/" + kernel + "/kernel/drivers/infiniband/sw/rxe";
        if (!host.exists(rxe) && !host.exists("/sys/module/rdma_rxe")) {
            return new Finding(
                    Code.VD101,
                    "no RDMA device, and no Soft-RoCE in this kernel",
                    List.of(evidence.getFirst(), rxe + ": not there"),
                    "Install the driver of the NIC, or a kernel with rdma_rxe; or use roce://.",
                    isUbuntu(host)
                            ? "apt-get install linux-modules-extra-" + kernel
                            : "verbena devinfo" + "");
        }
        String through = NetworkInterface.names(host).stream().findFirst().orElse("eth0");
        return new Finding(
                Code.VD101,
                "no RDMA device",
                evidence,
                "Load the driver of the NIC; without a NIC, the kernel has Soft-RoCE.",
                "modprobe rdma_rxe && rdma link add rxe0 type rxe netdev " + through);
    }

    /// Only there a package has the modules that its small kernels leave out.
    private static boolean isUbuntu(Host host) {
        return host.text("/etc/os-release").filter(text -> text.contains("ID=ubuntu")).isPresent();
    }

    private static Optional<Finding> file(Host host, RdmaDevice device, String file) {
        String path = FILES + "/" + file;
        if (!host.exists(path)) {
            return Optional.of(
                    new Finding(
                            Code.VD103,
                            device.name() + " is in sysfs, its file is not in /dev",
                            List.of(RdmaDevice.fileEvidence(host, file), path + ": not there"),
                            "In a container, hand the files in; else load ib_uverbs.",
                            "docker run --device=" + FILES + " …"));
        }
        if (!host.isOpenable(path)) {
            return Optional.of(
                    new Finding(
                            Code.VD104,
                            device.name() + " may not be opened by this user",
                            List.of(path + ": no permission to read and write"),
                            "Give the file the rights that rdma-core gives it.",
                            "chmod 666 " + path));
        }
        return Optional.empty();
    }

    private static Optional<Finding> lanes(Host host, RdmaDevice device) {
        String bus = device.busPath();
        boolean isLess =
                differ(host, bus + "/current_link_width", bus + "/max_link_width")
                        || differ(host, bus + "/current_link_speed", bus + "/max_link_speed");
        return !isLess
                ? Optional.empty()
                : Optional.of(
                        new Finding(
                                Code.VD106,
                                device.name() + " has less PCIe than it could use",
                                List.of(
                                        host.evidence(bus + "/current_link_width"),
                                        host.evidence(bus + "/max_link_width"),
                                        host.evidence(bus + "/current_link_speed"),
                                        host.evidence(bus + "/max_link_speed")),
                                "Put the NIC into a slot with all its lanes; look at the BIOS.",
                                "lspci -vv | grep -A40 -i -e mellanox -e ethernet | grep LnkSta"));
    }

    /// Virtual functions have no lanes of their own, and say so by 0 or a word.
    private static boolean differ(Host host, String now, String possible) {
        Optional<String> there = host.text(possible);
        Optional<String> here = host.text(now).filter(text -> text.matches("[1-9].*"));
        return here.isPresent() && there.isPresent() && !here.equals(there);
    }
}
