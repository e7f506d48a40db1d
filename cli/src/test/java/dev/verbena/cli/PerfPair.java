package dev.verbena.cli;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.QueuePairType;

/// Both sides of a test in one thread, on two devices of one process.
final class PerfPair implements AutoCloseable {
    private static final long TURNS_MAX = 50_000_000;

    private final PerfEnd left;
    private final PerfEnd right;

    PerfPair(PerfOptions options) {
        this("loopback://perf-left", "loopback://perf-right", options);
    }

    PerfPair(String leftUri, String rightUri, PerfOptions options) {
        left = new PerfEnd(Devices.open(leftUri), options);
        right = new PerfEnd(Devices.open(rightUri), options);
        PerfPeer here = left.describe();
        left.connect(right.describe());
        right.connect(here);
    }

    /// Options of a small test without warming up.
    static PerfOptions options(PerfVerb verb, PerfKind kind, int bytes) {
        boolean isBandwidth = kind == PerfKind.BW;
        return new PerfOptions(
                new PerfOptions.Measure(verb, kind, AtomicKind.FETCH_AND_ADD, false),
                new PerfOptions.Pairs(QueuePairType.RC, 1, 0, 14, 7),
                isBandwidth
                        ? new PerfOptions.Posting(128, 512, 100, 1, 0)
                        : new PerfOptions.Posting(1, 512, 1, 1, 220),
                new PerfOptions.Amount(bytes, 1000, 0, 0, 0),
                true);
    }

    PerfEnd left() {
        return left;
    }

    PerfEnd right() {
        return right;
    }

    Device device() {
        return left.device;
    }

    PerfSide client(int bytes) {
        return PerfSide.of(left, bytes, true, 0);
    }

    PerfSide server(int bytes) {
        return PerfSide.of(right, bytes, false, 0);
    }

    /// One run of the options' number of messages, on both sides.
    static PerfResult run(PerfSide client, PerfSide server, long messages) {
        long farNs = System.nanoTime() + (Long.MAX_VALUE >> 1);
        server.begin(messages, farNs, true);
        client.begin(messages, farNs, true);
        return drive(client, server);
    }

    static PerfResult drive(PerfSide client, PerfSide server) {
        for (long turns = 0; !client.isFinished() || !server.isFinished(); turns++) {
            if (turns == TURNS_MAX) {
                throw new IllegalStateException("not finished after " + turns + " turns");
            }
            client.turn();
            server.turn();
        }
        return client.result();
    }

    @Override
    public void close() {
        left.close();
        right.close();
    }
}
