package dev.verbena.cli;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.QueuePairType;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// A test with an unmodified program of perftest as the peer, such as `ib_write_bw`.
///
/// The peer does not send its options: each side has its own command line.
///
/// @param sizes of messages: one
/// @param samples whether single latencies are wanted, and how
record PerftestRun(
        PerfOptions options,
        DeviceFlags device,
        List<Integer> sizes,
        PerfClient.Samples samples,
        boolean inGigabits,
        PerfReport report) {
    private static final List<String> TESTS =
            List.of(
                    "write bw",
                    "read bw",
                    "read lat",
                    "send bw",
                    "send lat",
                    "atomic bw",
                    "atomic lat");

    PerftestRun {
        if (!TESTS.contains(options.test())) {
            refuse(options.test(), "is not supported", "use one of " + String.join(", ", TESTS));
        }
        if (sizes.size() != 1) {
            refuse("-a", "is not supported", "run it once for each -s");
        }
        if (options.measure().isBidirectional()) {
            refuse("-b", "is not supported", "run it once for each direction");
        }
        if (options.amount().durationSeconds() > 0) {
            refuse("-D", "is not supported", "count messages with -n");
        }
        if (options.amount().rotateBytes() > 0) {
            refuse("--rotate", "is not supported", "leave it out");
        }
        if (options.pairs().count() != 1) {
            refuse("-q " + options.pairs().count(), "is not supported", "use one queue pair");
        }
        if (options.pairs().type() != QueuePairType.RC) {
            refuse("-c " + options.pairs().type(), "is not supported", "use -c RC");
        }
    }

    private static void refuse(String what, String why, String remedy) {
        throw new UsageException("%s: with --perftest it %s; %s".formatted(what, why, remedy));
    }

    /// Connects to a waiting program.
    ///
    /// @param from the address to use on this side, or null for any
    void connect(InetSocketAddress server, @Nullable InetSocketAddress from) throws IOException {
        requireIpv4(server);
        String hint = "start " + PerftestSession.program(options) + " there";
        try (SocketChannel channel = PerfTcp.connect(server, from, hint)) {
            run(channel, true);
        }
    }

    /// Waits for a program that connects.
    ///
    /// @param waitMs how long, 0 for ever
    void serve(InetSocketAddress at, int waitMs, IntConsumer listening) throws IOException {
        requireIpv4(at);
        try (SocketChannel channel = PerfTcp.accept(at, waitMs, listening)) {
            run(channel, false);
        }
    }

    private static void requireIpv4(InetSocketAddress address) {
        if (address.getAddress() instanceof Inet6Address six && !six.isAnyLocalAddress()) {
            refuse(
                    address.getHostString(),
                    "cannot be reached, since perftest exchanges addresses over IPv4 only",
                    "use an IPv4 address, whatever the device has");
        }
    }

    private void run(SocketChannel channel, boolean isClient) throws IOException {
        try (PerftestExchange exchange = new PerftestExchange(channel, isClient);
                Device opened = Devices.open(device.uri(exchange.localAddress()))) {
            int mtu = opened.port(1).activeMtu();
            PerftestHello hello =
                    PerftestHello.swap(
                            exchange,
                            options.pairs().mtu() > 0 ? Math.min(mtu, options.pairs().mtu()) : mtu,
                            PerftestSession.program(options));
            PerfOptions agreed = options.withMtu(hello.mtu());
            try (PerfEnd end = new PerfEnd(opened, agreed, hello.cycleBytes())) {
                new PerftestSession(exchange, end, sizes.getFirst(), samples)
                        .run(report, inGigabits);
            }
        }
    }
}
