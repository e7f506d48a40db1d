package dev.verbena.cli;

import dev.verbena.verbs.Endpoint;

/// One test with a program of perftest behind an exchange.
///
/// ```
/// both    address             twice for the latency of READ and atomics
/// both    address             twice when connected, three times for SEND
///         the test
/// both    address, result     bandwidth only, and not of SEND
/// both    address, done
/// ```
///
/// The other side of WRITE, READ and atomics says nothing until its client does. That of SEND has
/// the number of messages from its own command line, and both must have the same.
final class PerftestSession {
    /// How often a side looks whether the other is still there; a device with a thread of its own
    /// is waited for in every turn.
    private static final int TURNS_OF_CALLER = 1 << 12;

    private static final int TURNS_OF_THREAD = 1 << 6;
    private static final int WARM_UP_PARTS = 4;
    private static final long STALL_NS = 30_000_000_000L;

    /// How long a latency program may take to find out how fast its clock is, after it has said
    /// that it is ready.
    private static final long CLOCK_NS = 500_000_000L;

    private final PerftestExchange exchange;
    private final PerfEnd end;
    private final PerfOptions options;
    private final int bytes;
    private final PerfClient.Samples samples;
    private final PerftestExchange.Work work;

    PerftestSession(PerftestExchange exchange, PerfEnd end, int bytes, PerfClient.Samples samples) {
        this.exchange = exchange;
        this.end = end;
        this.bytes = bytes;
        this.samples = samples;
        options = end.options;
        work =
                new PerftestExchange.Work() {
                    @Override
                    public void turn() {
                        end.progress();
                    }

                    @Override
                    public long moved() {
                        return end.device.counters().values().stream()
                                .mapToLong(Long::longValue)
                                .sum();
                    }
                };
    }

    void run(PerfReport report, boolean inGigabits) {
        PerfPeer here = end.describeIncoming();
        Endpoint ours = here.endpoints().getFirst();
        boolean isRoundTrip = options.measure().verb().isRoundTrip();
        boolean isCounted = options.measure().verb().needsReceives();
        boolean isLatency = options.measure().kind() == PerfKind.LAT;
        byte[] record = PerftestRecord.of(here, isRoundTrip ? ours.reads() : 1).toBytes();
        byte[] heard = swap(record, isRoundTrip && isLatency ? 2 : 1);
        PerfPeer there =
                PerftestRecord.parse(heard, program(options))
                        .toPeer(ours, options.pairs().mtu(), here.memory().length());
        if (isRoundTrip && exchange.isClient() && there.endpoints().getFirst().reads() == 0) {
            throw new PerfException(
                    exchange.peerName() + ": it answers no READs and atomics; start it with -o 1");
        }
        end.connectToOnePlace(there);
        // Before the other side hears that this one is ready: it has the receives.
        PerfSide side = PerfSide.of(end, bytes, exchange.isClient(), samples.keptMax());
        report.begin(
                new PerfReport.Setting(
                        options, end.device, end.mtu(), exchange.isClient(), here, there));
        swap(record, isCounted ? 3 : 2);
        PerfResult result = measure(side);
        if (!isLatency && !isCounted) {
            swap(record, 1);
            result = PerftestResult.swap(exchange, result, inGigabits, work);
        }
        if (exchange.isClient()) {
            samples.show(side, report);
        }
        report.row(result, !isCounted && options.amount().warmUpMs() > 0);
        report.end();
        swap(record, 1);
        exchange.bye();
    }

    /// The program that does the same test.
    static String program(PerfOptions options) {
        return "ib_" + options.test().replace(' ', '_');
    }

    /// Repeats an exchange a number of times, and returns the last answer.
    private byte[] swap(byte[] record, int times) {
        byte[] heard = exchange.swap(record, work);
        for (int i = 1; i < times; i++) {
            heard = exchange.swap(record, work);
        }
        return heard;
    }

    private PerfResult measure(PerfSide side) {
        boolean isCounted = options.measure().verb().needsReceives();
        if (!exchange.isClient() && !isCounted) {
            return new PerfResult.None();
        }
        if (!isCounted) {
            warmUp(side);
        } else if (exchange.isClient() && options.measure().kind() == PerfKind.LAT) {
            awaitClock();
        }
        side.begin(options.amount().iterations(), System.nanoTime() + (Long.MAX_VALUE >> 1), true);
        drive(side, exchange.isClient() ? 0 : options.amount().iterations());
        return side.result();
    }

    private void awaitClock() {
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < CLOCK_NS && !exchange.isSpoken()) {
            end.progress();
        }
    }

    /// Where the other side counts nothing, so that compiled code is measured.
    private void warmUp(PerfSide side) {
        for (int part = 0; part < WARM_UP_PARTS && options.amount().warmUpMs() > 0; part++) {
            long partNs = options.amount().warmUpMs() * 1_000_000L / WARM_UP_PARTS;
            side.begin(Long.MAX_VALUE, System.nanoTime() + partNs, false);
            drive(side, 0);
        }
    }

    /// Runs until this side is done and has transferred a number of messages.
    private void drive(PerfSide side, long messages) {
        long moved = side.moved();
        long movedNs = System.nanoTime();
        int turns = options.isCaller() ? TURNS_OF_CALLER : TURNS_OF_THREAD;
        while (!isDone(side, messages)) {
            for (int i = 0; i < turns && !isDone(side, messages); i++) {
                side.turn();
            }
            long nowNs = System.nanoTime();
            if (side.moved() != moved) {
                moved = side.moved();
                movedNs = nowNs;
            } else if (exchange.isSpoken() || nowNs - movedNs > STALL_NS) {
                throw new PerfException(
                        ("%s: it stopped after %d messages; check its output, and use the"
                                        + " same -n and -s on both sides")
                                .formatted(exchange.peerName(), moved));
            }
        }
    }

    private static boolean isDone(PerfSide side, long messages) {
        return side.isFinished() && side.moved() >= messages;
    }
}
