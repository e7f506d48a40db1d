package dev.verbena.cli.doctor;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// An RDMA device that the kernel shows.
record RdmaDevice(String name, List<RdmaPort> ports) {
    static final String CLASS = "/sys/class/infiniband";
    private static final String VERBS = "/sys/class/infiniband_verbs";

    /// Drivers by the name that sysfs has for them, with that of their provider in libibverbs.
    private static final Map<String, String> PROVIDERS =
            Map.ofEntries(
                    Map.entry("mlx5_core", "mlx5"),
                    Map.entry("mlx4_core", "mlx4"),
                    Map.entry("bnxt_en", "bnxt_re"),
                    Map.entry("ice", "irdma"),
                    Map.entry("i40e", "irdma"),
                    Map.entry("qede", "qedr"),
                    Map.entry("cxgb4", "cxgb4"),
                    Map.entry("hns3", "hns"),
                    Map.entry("efa", "efa"),
                    Map.entry("mana", "mana"),
                    Map.entry("erdma", "erdma"),
                    Map.entry("hfi1", "hfi1verbs"),
                    Map.entry("vmw_pvrdma", "vmw_pvrdma"));

    static List<RdmaDevice> all(Host host) {
        return host.names(CLASS).stream().map(name -> of(host, name)).toList();
    }

    static List<RdmaPort> ports(Host host) {
        return all(host).stream().flatMap(device -> device.ports().stream()).toList();
    }

    private static RdmaDevice of(Host host, String name) {
        Stream<String> numbers = host.names(CLASS + "/" + name + "/ports").stream();
        return new RdmaDevice(
                name, numbers.map(number -> RdmaPort.of(host, name, number)).toList());
    }

    String path() {
        return CLASS + "/" + name;
    }

    /// Where it hangs on the bus; software has none.
    String busPath() {
        return path() + "/device";
    }

    /// Whether it is the kernel's Soft-RoCE: only that names the interface that it stands on.
    boolean isRxe(Host host) {
        return host.exists(path() + "/parent");
    }

    /// What libibverbs needs for it; empty for drivers that are not known here.
    Optional<String> provider(Host host) {
        if (isRxe(host)) {
            return Optional.of("rxe");
        }
        if (name.startsWith("siw")) {
            return Optional.of("siw");
        }
        return host.text(busPath() + "/uevent").stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith("DRIVER="))
                .map(line -> PROVIDERS.get(line.substring("DRIVER=".length())))
                .flatMap(Stream::ofNullable)
                .findFirst();
    }

    /// Its name in `/dev/infiniband`, such as `uverbs0`.
    Optional<String> file(Host host) {
        return host.names(VERBS).stream()
                .filter(
                        file ->
                                host.text(VERBS + "/" + file + "/ibdev")
                                        .filter(name::equals)
                                        .isPresent())
                .findFirst();
    }

    static String fileEvidence(Host host, String file) {
        return host.evidence(VERBS + "/" + file + "/ibdev");
    }
}
