package dev.verbena.cli;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The client: it sends the options to the server, and prints the result.
///
/// @param sizes of messages, one run each
/// @param samples whether single latencies are wanted, and how
record PerfClient(
        PerfOptions options,
        DeviceFlags device,
        List<Integer> sizes,
        Samples samples,
        PerfReport report) {
    private static final String HINT = "start the same command there without a host";
    private static final int KEPT_MAX = 1 << 24;

    /// Which single values of a latency test are shown.
    enum Samples {
        NONE,
        SORTED,
        UNSORTED;

        /// How many of them to keep.
        int keptMax() {
            return this == NONE ? 0 : KEPT_MAX;
        }

        /// Shows them, where there are any.
        void show(PerfSide side, PerfReport report) {
            if (this != NONE && side instanceof LatencySide latency) {
                report.samples(
                        this == SORTED ? latency.meter().sorted() : latency.meter().unsorted());
            }
        }
    }

    /// @param from the address to use on this side, or null for any
    void run(InetSocketAddress server, @Nullable InetSocketAddress from) throws IOException {
        try (SocketChannel channel = PerfTcp.connect(server, from, HINT);
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

    private void run(PerfExchange exchange, PerfEnd end) {
        PerfPeer self = end.describe();
        PerfHandshake.tell(exchange, self);
        PerfPeer peer = PerfHandshake.hear(exchange, options.pairs().count());
        end.connect(peer);
        exchange.send("connected");
        exchange.await("connected", PerfHandshake.LIMIT_NS, end::progress);
        report.begin(new PerfReport.Setting(options, end.device, end.mtu(), true, self, peer));
        PerfSession session = new PerfSession(exchange, end, true, samples.keptMax(), report::look);
        for (int bytes : sizes) {
            PerfSide side = session.side(bytes);
            exchange.send("size " + bytes);
            exchange.await("ready", PerfHandshake.LIMIT_NS, end::progress);
            PerfResult result = session.run(side);
            samples.show(side, report);
            report.row(result, session.isWarm());
        }
        report.end();
        exchange.send("bye");
    }
}
