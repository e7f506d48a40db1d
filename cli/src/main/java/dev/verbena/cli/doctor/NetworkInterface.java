package dev.verbena.cli.doctor;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/// A network interface, as sysfs shows it.
record NetworkInterface(Host host, String name) {
    static final String CLASS = "/sys/class/net";
    private static final int UP = 1;

    // What the kernel sets aside for the largest headers of a RoCE packet, checksum included.
    private static final int HEADERS = 96;
    private static final int PATH_MTU_MAX = 4096;

    /// Those of this network namespace but the loopback.
    static List<String> names(Host host) {
        return host.names(CLASS).stream()
                .filter(name -> host.exists(CLASS + "/" + name + "/mtu"))
                .filter(name -> !name.equals("lo"))
                .toList();
    }

    String path(String file) {
        return CLASS + "/" + name + "/" + file;
    }

    boolean isThere() {
        return host.exists(CLASS + "/" + name);
    }

    /// Whether somebody has turned it on.
    boolean isUp() {
        return host.text(path("flags"))
                .filter(flags -> flags.matches("0x[0-9a-f]{1,7}"))
                .map(flags -> (Integer.decode(flags) & UP) != 0)
                .orElse(true);
    }

    boolean hasCarrier() {
        return host.number(path("carrier"), 1) != 0;
    }

    long mtu() {
        return host.number(path("mtu"), 0);
    }

    /// The payload of RoCE packets that fit; empty when not even the smallest do.
    OptionalInt pathMtu() {
        return IntStream.iterate(PATH_MTU_MAX, mtu -> mtu >= 256, mtu -> mtu / 2)
                .filter(mtu -> mtu + HEADERS <= mtu())
                .findFirst();
    }
}
