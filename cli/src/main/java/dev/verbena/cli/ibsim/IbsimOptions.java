package dev.verbena.cli.ibsim;

import java.net.InetSocketAddress;

/// How a server is run.
///
/// @param address of the control socket; the sockets of clients have the ports that follow
/// @param clients at most so many at a time
/// @param ratio simulated seconds in a second
/// @param trafficBytes of the message that each host sends when the subnet is up; 0 for none
/// @param limitNs it ends after this time
public record IbsimOptions(
        InetSocketAddress address, int clients, double ratio, long trafficBytes, long limitNs) {
    private static final int CLIENTS_MAX = 1000;
    private static final double RATIO_MAX = 1e6;

    public IbsimOptions {
        if (clients < 1 || clients > CLIENTS_MAX) {
            throw new IllegalArgumentException(
                    "%d clients: use 1 to %d".formatted(clients, CLIENTS_MAX));
        }
        if (!(ratio > 0 && ratio <= RATIO_MAX)) {
            throw new IllegalArgumentException(
                    "%s simulated seconds a second: use more than 0, at most 1000000"
                            .formatted(ratio));
        }
        if (address.getPort() == 0 || address.getPort() + clients > 0xFFFF) {
            throw new IllegalArgumentException(
                    "ports %d to %d: use a lower one, or fewer clients"
                            .formatted(address.getPort(), address.getPort() + clients));
        }
    }
}
