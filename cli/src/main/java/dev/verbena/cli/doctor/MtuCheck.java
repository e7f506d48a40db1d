package dev.verbena.cli.doctor;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Do the interfaces below RoCE ports carry its largest packets?
final class MtuCheck implements Check {
    private static final int PATH_MTU_MAX = 4096;

    @Override
    public List<Finding> examine(Host host) {
        Map<String, NetworkInterface> interfaces = new TreeMap<>();
        for (RdmaPort port : RdmaDevice.ports(host)) {
            port.networkInterface()
                    .filter(_ -> port.isRoce())
                    .map(name -> new NetworkInterface(host, name))
                    .filter(each -> each.mtu() > 0)
                    .ifPresent(each -> interfaces.put(each.name(), each));
        }
        return Stream.concat(
                        interfaces.values().stream().flatMap(each -> small(each).stream()),
                        different(interfaces).stream())
                .toList();
    }

    private static Optional<Finding> small(NetworkInterface each) {
        int fits = each.pathMtu().orElse(0);
        if (fits == PATH_MTU_MAX) {
            return Optional.empty();
        }
        String problem =
                fits == 0
                        ? each.name() + " carries no RoCE packet at all"
                        : String.format(
                                Locale.ROOT,
                                "RoCE on %s has packets of %,d bytes at most",
                                each.name(),
                                fits);
        return Optional.of(
                new Finding(
                        Code.VD501,
                        problem,
                        List.of(each.host().evidence(each.path("mtu"))),
                        "Packets of 4,096 bytes need an MTU of 4,200; on all hosts and switches.",
                        "ip link set " + each.name() + " mtu 4200"));
    }

    private static Optional<Finding> different(Map<String, NetworkInterface> interfaces) {
        List<NetworkInterface> all = List.copyOf(interfaces.values());
        long sizes = all.stream().map(NetworkInterface::pathMtu).distinct().count();
        return sizes <= 1
                ? Optional.empty()
                : Optional.of(
                        new Finding(
                                Code.VD502,
                                "RoCE ports of this host agree on no size of packets",
                                all.stream()
                                        .map(each -> each.host().evidence(each.path("mtu")))
                                        .toList(),
                                "Give all interfaces of a fabric one MTU, or set the path MTU.",
                                "ip link set " + all.getLast().name() + " mtu " + largest(all)));
    }

    private static long largest(List<NetworkInterface> all) {
        return all.stream().mapToLong(NetworkInterface::mtu).max().orElse(0);
    }
}
