package dev.verbena.cli;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.function.IntConsumer;

/// The server: it waits for one client, runs the test of that client, and prints the same result.
///
/// @param waitMs how long to wait for a client, 0 for ever
record PerfServer(PerfVerb verb, PerfKind kind, DeviceFlags device, int waitMs, PerfReport report) {
    /// Listens, says where, and serves one client.
    void run(InetSocketAddress at, IntConsumer listening) throws IOException {
        try (SocketChannel channel = PerfTcp.accept(at, waitMs, listening);
                PerfExchange exchange = new PerfExchange(channel)) {
            try {
                serve(exchange);
            } catch (RuntimeException failed) {
                exchange.fail(String.valueOf(failed.getMessage()));
                throw failed;
            }
        }
    }

    private void serve(PerfExchange exchange) {
        String asked =
                exchange.await(PerfHandshake.HELLO, PerfHandshake.LIMIT_NS, PerfExchange::nap);
        PerfOptions options = PerfOptions.parse(asked, device.isCaller());
        if (options.measure().verb() != verb || options.measure().kind() != kind) {
            throw new PerfException(
                    "%s: the client runs %s, this side %s; use the same command on both sides"
                            .formatted(
                                    exchange.peerName(),
                                    options.test(),
                                    (verb + " " + kind).toLowerCase(java.util.Locale.ROOT)));
        }
        exchange.send("ok");
        try (Device opened = Devices.open(device.uri(exchange.localAddress()));
                PerfEnd end = new PerfEnd(opened, options)) {
            run(exchange, end);
        }
    }

    private void run(PerfExchange exchange, PerfEnd end) {
        PerfPeer peer = PerfHandshake.hear(exchange, end.options.pairs().count());
        PerfPeer self = end.describe();
        end.connect(peer);
        PerfHandshake.tell(exchange, self);
        exchange.await("connected", PerfHandshake.LIMIT_NS, end::progress);
        exchange.send("connected");
        report.begin(new PerfReport.Setting(end.options, end.device, end.mtu(), false, self, peer));
        PerfSession session = new PerfSession(exchange, end, false, 0, report::look);
        for (String size = next(exchange, end); !size.isEmpty(); size = next(exchange, end)) {
            PerfSide side = session.side(Integer.parseInt(size));
            exchange.send("ready");
            PerfResult result = session.run(side);
            report.row(result, session.isWarm());
        }
        report.end();
    }

    /// The next size, or nothing when the client has seen enough.
    private static String next(PerfExchange exchange, PerfEnd end) {
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < PerfHandshake.LIMIT_NS) {
            String text = exchange.poll();
            if (text != null) {
                return text.equals("bye") ? "" : PerfExchange.words(text, "size");
            }
            end.progress();
        }
        throw new PerfException(
                exchange.peerName()
                        + ": it sends no request and does not disconnect; check"
                        + " whether it still runs");
    }
}
