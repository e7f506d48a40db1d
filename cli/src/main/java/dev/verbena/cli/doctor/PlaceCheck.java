package dev.verbena.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Where does this process run, and what works there in any case?
final class PlaceCheck implements Check {
    private static final String SHARED = "/sys/module/ib_core/parameters/netns_mode";
    private static final String GROUPS = "/proc/self/cgroup";
    private static final Pattern CONTAINER =
            Pattern.compile("docker|kubepods|containerd|libpod|/lxc");
    private static final int URIS_MAX = 4;

    @Override
    public List<Finding> examine(Host host) {
        List<Finding> findings = new ArrayList<>();
        container(host).ifPresent(findings::add);
        for (RdmaPort port : RdmaDevice.ports(host)) {
            if (!isHere(host, port)) {
                findings.add(elsewhere(port));
            }
        }
        if (isExclusive(host)) {
            findings.add(
                    new Finding(
                            Code.VD903,
                            "the devices of this machine, if any, are in other network namespaces",
                            List.of(
                                    host.evidence(SHARED) + ", which is: exclusive",
                                    RdmaDevice.CLASS + ": no device"),
                            "Move a device here, from the namespace that has it; or share them"
                                    + " all.",
                            "rdma dev set DEVICE netns NAMESPACE"));
        }
        findings.add(ways(host));
        return findings;
    }

    /// Whether devices belong to namespaces one by one, and none to this.
    static boolean isExclusive(Host host) {
        return host.text(SHARED).filter("N"::equals).isPresent()
                && host.names(RdmaDevice.CLASS).isEmpty();
    }

    /// Whether the interface of a port can be seen from here.
    static boolean isHere(Host host, RdmaPort port) {
        return !port.isEthernet()
                || port.networkInterface()
                        .map(name -> new NetworkInterface(host, name).isThere())
                        .orElse(true);
    }

    private static Finding elsewhere(RdmaPort port) {
        String name = port.networkInterface().orElse("");
        return new Finding(
                Code.VD902,
                port.name() + " sends through " + name + ", which is not in this network namespace",
                List.of(NetworkInterface.CLASS + "/" + name + ": not there"),
                "Give the container that interface, or one made from it (SR-IOV, macvlan).",
                "docker run --network=host … || ip link set " + name + " netns PID");
    }

    private static Optional<Finding> container(Host host) {
        Optional<String> sign =
                List.of("/.dockerenv", "/run/.containerenv").stream()
                        .filter(host::exists)
                        .map(path -> path + ": is there")
                        .findFirst()
                        .or(
                                () ->
                                        host.text(GROUPS)
                                                .filter(text -> CONTAINER.matcher(text).find())
                                                .map(_ -> host.evidence(GROUPS)));
        return sign.map(
                evidence ->
                        new Finding(
                                Code.VD901,
                                "this is a container: devices, interfaces and limits are what it"
                                        + " was given",
                                List.of(evidence),
                                "For a NIC it takes the files, the limit and the interface.",
                                "docker run --device=/dev/infiniband --ulimit memlock=-1"
                                        + " --network=host …"));
    }

    /// Another port where a program has the usual one.
    private static String port(Host host, String address) {
        return SocketCheck.isTaken(host, address) ? ":" + (SocketCheck.ROCE_PORT + 1) : "";
    }

    private static Finding ways(Host host) {
        List<String> uris =
                Addresses.of(host).stream()
                        .limit(URIS_MAX)
                        .map(address -> "roce://" + address + port(host, address))
                        .toList();
        return new Finding(
                Code.VD904,
                "Verbena can open " + String.join(", ", uris),
                List.of(),
                "",
                "verbena devinfo " + uris.getFirst());
    }
}
