package dev.verbena.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Do RoCE ports have an address that peers can answer to, and at which index?
final class GidCheck implements Check {
    private static final int SHOWN_MAX = 4;

    @Override
    public List<Finding> examine(Host host) {
        List<Finding> findings = new ArrayList<>();
        for (RdmaPort port : RdmaDevice.ports(host)) {
            if (port.isRoce() && port.isActive() && PlaceCheck.isHere(host, port)) {
                port(port).ifPresent(findings::add);
            }
        }
        return findings;
    }

    private static Optional<Finding> port(RdmaPort port) {
        String through = port.networkInterface().orElse("eth0");
        if (port.gids().isEmpty()) {
            return Optional.of(
                    new Finding(
                            Code.VD401,
                            port.name() + " has no address, so no peer can answer it",
                            List.of(port.path() + "/gids: all zero"),
                            "Give its interface an address; in a container, its own interface.",
                            "ip addr add 192.0.2.1/24 dev " + through));
        }
        if (port.gids().stream().noneMatch(GidEntry::isVersion2)) {
            return Optional.of(
                    new Finding(
                            Code.VD402,
                            port.name() + " speaks RoCE v1 only, which no router passes on",
                            shown(port),
                            "Turn RoCE v2 on in the NIC's firmware; both sides need the same.",
                            "cat "
                                    + port.path()
                                    + "/gid_attrs/types/* 2>/dev/null | sort | uniq -c"));
        }
        if (port.gids().stream().noneMatch(GidEntry::isRoutable)) {
            return Optional.of(
                    new Finding(
                            Code.VD403,
                            port.name()
                                    + " has no RoCE v2 address but fe80::, which stays on the link",
                            shown(port),
                            "Give its interface an IPv4 address, and use the GID that it makes.",
                            "ip addr add 192.0.2.1/24 dev " + through));
        }
        return Optional.of(index(port));
    }

    /// After a port was down, the same address may have another index: programs should look.
    private static Finding index(RdmaPort port) {
        GidEntry best =
                port.gids().stream()
                        .filter(GidEntry::isRoutable)
                        .filter(entry -> entry.gid().isIpv4())
                        .findFirst()
                        .or(() -> port.gids().stream().filter(GidEntry::isRoutable).findFirst())
                        .orElseThrow();
        return new Finding(
                Code.VD404,
                "on %s use GID index %d: %s as RoCE v2"
                        .formatted(port.name(), best.index(), best.gid()),
                List.of(evidence(port, best)),
                "NCCL_IB_GID_INDEX=%1$d, UCX_IB_GID_INDEX=%1$d, perftest's -x %1$d."
                        .formatted(best.index()),
                "ibv_rc_pingpong -d %s -g %d".formatted(port.device(), best.index()));
    }

    private static List<String> shown(RdmaPort port) {
        return port.gids().stream()
                .limit(SHOWN_MAX)
                .map(entry -> evidence(port, entry))
                .collect(Collectors.toList());
    }

    private static String evidence(RdmaPort port, GidEntry entry) {
        String type = entry.type().isEmpty() ? "" : ", " + entry.type();
        return port.path() + "/gids/" + entry.index() + ": " + entry.gid() + type;
    }
}
