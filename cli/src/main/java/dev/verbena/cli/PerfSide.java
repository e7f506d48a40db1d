package dev.verbena.cli;

/// One side of a test at one message size, driven turn by turn: by a loop of its own process, or
/// with the other side in one thread.
abstract class PerfSide {
    final PerfEnd end;
    final int bytes;

    PerfSide(PerfEnd end, int bytes) {
        this.end = end;
        this.bytes = bytes;
    }

    /// The side that the options ask for.
    ///
    /// @param isClient whether it is the one that asks
    /// @param keptMax how many single latencies to keep
    static PerfSide of(PerfEnd end, int bytes, boolean isClient, int keptMax) {
        PerfOptions options = end.options;
        if (options.measure().kind() == PerfKind.BW) {
            boolean isSender = isClient || options.measure().isBidirectional();
            boolean isReceiver = !isClient || options.measure().isBidirectional();
            return new BandwidthSide(end, bytes, isSender, isReceiver);
        }
        return switch (options.measure().verb()) {
            case WRITE -> new WriteLatencySide(end, bytes, isClient, keptMax);
            case SEND -> new SendLatencySide(end, bytes, isClient, keptMax);
            case READ, ATOMIC -> new ReadLatencySide(end, bytes, isClient, keptMax);
        };
    }

    /// Makes it ready to run: `messages` per queue pair, or until `limitNs` of the clock when that
    /// comes first. Measures only when asked to.
    abstract void begin(long messages, long limitNs, boolean isMeasured);

    /// Does one step of the test, and drives the device.
    abstract void turn();

    /// Whether this side has done its part; it goes on answering the other until that has, too.
    abstract boolean isFinished();

    /// A number that grows as long as the test goes on.
    abstract long moved();

    /// The messages that were sent in this phase; of a bandwidth test.
    long sent() {
        return 0;
    }

    /// The messages that have arrived since this was asked last; of a bandwidth test.
    long takeReceived() {
        return 0;
    }

    /// The result; empty on a side that only answers.
    abstract PerfResult result();
}
