package dev.verbena.cli;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The side that asks: it says what is to be done, and shows what came out.
///
/// @param sizes of messages, one run each
/// @param samples whether single latencies are wanted, and how
record PerfClient(
        PerfOptions options,
        DeviceFlags device,
        List<Integer> sizes,
        Samples samples,
        PerfReport report) {
    private static final int CONNECT_LIMIT_MS = 10_000;
    private static final int KEPT_MAX = 1 << 24;

    /// Which single values of a latency test are shown.
    enum Samples {
        NONE,
        SORTED,
        UNSORTED
    }

    /// @param from the address to use on this side, or null for any
    void run(InetSocketAddress server, @Nullable InetSocketAddress from) throws IOException {
        try (SocketChannel channel = connect(server, from);
                PerfExchange exchange = new PerfExchange(channel)) {
            try {
                exchange.send(PerfHandshake.HELLO + " " + options.toText());
                exchange.await("ok", PerfHandshake.LIMIT_NS, PerfExchange::nap);
                String uri = device.uri(exchange.localAddress());
                try (Device opened = Devices.open(uri);
                        PerfEnd end = new PerfEnd(opened, options)) {
                    run(exchange, end);
                }
            } catch (RuntimeException failed) {
                exchange.fail(String.valueOf(failed.getMessage()));
                throw failed;
            }
        }
    }

    private static SocketChannel connect(InetSocketAddress server, @Nullable InetSocketAddress from)
            throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            if (from != null) {
                channel.bind(from);
            }
            channel.socket().connect(server, CONNECT_LIMIT_MS);
            return channel;
        } catch (IOException | RuntimeException failed) {
            channel.close();
            throw new PerfException(
                    "%s port %d: cannot connect (%s); start the same command there without a host"
                            .formatted(
                                    server.getHostString(), server.getPort(), failed.getMessage()),
                    failed);
        }
    }

    private void run(PerfExchange exchange, PerfEnd end) {
        PerfPeer self = end.describe();
        PerfHandshake.tell(exchange, self);
        PerfPeer peer = PerfHandshake.hear(exchange, options.queuePairs());
        end.connect(peer);
        exchange.send("connected");
        exchange.await("connected", PerfHandshake.LIMIT_NS, end::progress);
        report.begin(new PerfReport.Setting(options, end.device, end.mtu(), true, self, peer));
        int kept = samples == Samples.NONE ? 0 : KEPT_MAX;
        PerfSession session = new PerfSession(exchange, end, true, kept);
        for (int bytes : sizes) {
            PerfSide side = session.side(bytes);
            exchange.send("size " + bytes);
            exchange.await("ready", PerfHandshake.LIMIT_NS, end::progress);
            PerfResult result = session.run(side);
            if (side instanceof LatencySide latency && samples != Samples.NONE) {
                report.samples(
                        samples == Samples.SORTED
                                ? latency.meter().sorted()
                                : latency.meter().unsorted());
            }
            report.row(result);
        }
        report.end();
        exchange.send("bye");
    }
}
