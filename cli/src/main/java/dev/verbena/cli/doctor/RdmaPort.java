package dev.verbena.cli.doctor;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A port of a device, as sysfs shows it.
///
/// @param path its directory
/// @param isIwarp whether it speaks TCP below: no GIDs to choose from, no MTU of its own
/// @param state the word only, such as `ACTIVE`
/// @param networkInterface what it sends through; empty on InfiniBand, or when nothing says so
/// @param gids those places of the table that are taken
record RdmaPort(
        String device,
        String number,
        String path,
        String state,
        boolean isEthernet,
        boolean isIwarp,
        Optional<String> networkInterface,
        List<GidEntry> gids) {

    static RdmaPort of(Host host, String device, String number) {
        String path = RdmaDevice.CLASS + "/" + device + "/ports/" + number;
        List<GidEntry> gids = gids(host, path);
        String state = host.text(path + "/state").orElse("");
        return new RdmaPort(
                device,
                number,
                path,
                state.substring(state.indexOf(':') + 1).strip(),
                host.text(path + "/link_layer").filter("Ethernet"::equals).isPresent(),
                host.text(RdmaDevice.CLASS + "/" + device + "/node_type")
                        .filter(type -> type.endsWith("RNIC"))
                        .isPresent(),
                networkInterface(host, device, gids),
                gids);
    }

    /// As rdma-core names ports.
    String name() {
        return device + "/" + number;
    }

    boolean isRoce() {
        return isEthernet && !isIwarp;
    }

    boolean isActive() {
        return state.equals("ACTIVE");
    }

    private static List<GidEntry> gids(Host host, String path) {
        List<GidEntry> gids = new ArrayList<>();
        List<String> names = host.names(path + "/gids");
        for (String name : names.stream().filter(it -> it.matches("[0-9]{1,5}")).toList()) {
            gid(host.text(path + "/gids/" + name).orElse(""))
                    .filter(gid -> gid.high() != 0 || gid.low() != 0)
                    .ifPresent(
                            gid ->
                                    gids.add(
                                            new GidEntry(
                                                    Integer.parseInt(name),
                                                    gid,
                                                    attribute(host, path, "types", name),
                                                    attribute(host, path, "ndevs", name))));
        }
        gids.sort((left, right) -> Integer.compare(left.index(), right.index()));
        return List.copyOf(gids);
    }

    private static Optional<Gid> gid(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Gid.parse(text));
        } catch (VerbsException _) {
            return Optional.empty();
        }
    }

    private static String attribute(Host host, String path, String kind, String index) {
        return host.text(path + "/gid_attrs/" + kind + "/" + index).orElse("");
    }

    /// Whatever of these there is: what a GID says, what rdma_rxe says, what shares the NIC.
    private static Optional<String> networkInterface(
            Host host, String device, List<GidEntry> gids) {
        String directory = RdmaDevice.CLASS + "/" + device;
        return gids.stream()
                .map(GidEntry::networkInterface)
                .filter(name -> !name.isEmpty())
                .findFirst()
                .or(() -> host.text(directory + "/parent").filter(name -> !name.isEmpty()))
                .or(() -> host.names(directory + "/device/net").stream().findFirst());
    }
}
