package dev.verbena.lint;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/// What saved output of tools says of a host's interface. Filled by [HostReader].
final class HostSettings {
    private static final int DSCP_SHIFT = 2;

    final String name;
    final Place place;
    Optional<NicQos> qos = Optional.empty();
    Optional<Figure> typeOfService = Optional.empty();
    Optional<Figure> speedMbits = Optional.empty();
    Optional<Figure> mtu = Optional.empty();
    Optional<Setting> pause = Optional.empty();

    HostSettings(String name, Place place) {
        this.name = name;
        this.place = place;
    }

    /// The DSCP that connections of rdma_cm get here.
    OptionalInt dscp() {
        return typeOfService
                .map(it -> OptionalInt.of(it.asInt() >> DSCP_SHIFT))
                .orElse(OptionalInt.empty());
    }

    /// The DSCP of RoCE: this host's, else the caller's.
    OptionalInt roceDscp(Assumptions assumptions) {
        return dscp().isPresent() ? dscp() : assumptions.dscp();
    }

    /// The priority of a DSCP: as mapped, else its three high bits, which is the adapter's default.
    static int priorityOf(NicQos qos, int dscp) {
        Figure mapped = new TreeMap<>(qos.priorities()).get(dscp);
        return mapped == null ? dscp >> 3 : mapped.asInt();
    }
}
