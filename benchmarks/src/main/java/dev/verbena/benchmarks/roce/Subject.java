package dev.verbena.benchmarks.roce;

import java.util.ArrayList;
import java.util.List;

/// What is measured, and what it must reach beside bare C.
///
/// @param setBytes memory that messages rotate through
record Subject(String name, Kind kind, int bytes, long setBytes, Setting setting, Bound bound) {
    private static final int MIB = 1 << 20;

    /// What `verbena perf` takes for the messages of all queue pairs.
    private static final long SLOTS_BYTES = 64L * MIB;

    /// How it is measured, and in what.
    enum Kind {
        BANDWIDTH("Gb/s", true),
        LATENCY("us", false),
        RATE("M/s", true);

        final String unit;
        final boolean isMoreBetter;

        Kind(String unit, boolean isMoreBetter) {
            this.unit = unit;
            this.isMoreBetter = isMoreBetter;
        }
    }

    /// What differs between subjects of one kind.
    ///
    /// @param rcvbufBytes SO_RCVBUF to ask for; Linux doubles it
    /// @param isCoalesced whether one acknowledgement may do for several messages
    record Setting(int rcvbufBytes, boolean isCoalesced, int queuePairs) {
        /// What a socket asks for unless told: more than any window here needs.
        static final Setting USUAL = new Setting(4 << 20, false, 1);

        static final Setting COALESCED = new Setting(USUAL.rcvbufBytes, true, 1);

        /// The default of Linux: 212,992, as getsockopt reports it.
        static final Setting SMALL_BUFFER = new Setting(212_992 / 2, false, 1);

        static Setting pairs(int count) {
            return new Setting(USUAL.rcvbufBytes, false, count);
        }
    }

    /// A ratio to bare C that fails the command, and the one that we want.
    record Bound(double limit, double goal) {
        static final Bound NONE = new Bound(Double.NaN, Double.NaN);

        boolean isNone() {
            return Double.isNaN(limit);
        }
    }

    private static final Subject WRITE =
            new Subject(
                    "WRITE of 1 MiB",
                    Kind.BANDWIDTH,
                    MIB,
                    MIB,
                    Setting.USUAL,
                    new Bound(0.65, 0.8));

    private static final Subject ROTATING =
            new Subject(
                    "WRITE of 1 MiB, 64 MiB rotating",
                    Kind.BANDWIDTH,
                    MIB,
                    64L * MIB,
                    Setting.USUAL,
                    new Bound(0.5, 0.65));

    private static final Subject LATENCY =
            new Subject(
                    "WRITE of 8 B, half round trip",
                    Kind.LATENCY,
                    8,
                    8,
                    Setting.USUAL,
                    new Bound(1.3, 1.1));

    private static final Subject RATE =
            new Subject("WRITE of 8 B, rate", Kind.RATE, 8, 8, Setting.USUAL, Bound.NONE);

    /// What is measured everywhere.
    static List<Subject> basic() {
        return List.of(
                WRITE,
                ROTATING,
                LATENCY,
                LATENCY.with("acknowledgements coalesced", Setting.COALESCED),
                RATE);
    }

    /// What the system calls alone allow.
    static List<Subject> limits() {
        return List.of(LATENCY, WRITE);
    }

    /// What is measured on loopback: the same with the kernel's default buffer, and with more queue
    /// pairs.
    static List<Subject> all() {
        List<Subject> all = new ArrayList<>(basic());
        for (Subject one : List.of(WRITE, ROTATING, LATENCY, RATE)) {
            all.add(one.with("SO_RCVBUF 212,992", Setting.SMALL_BUFFER));
        }
        for (int count : new int[] {100, 10_000}) {
            for (Subject one : List.of(WRITE, RATE)) {
                all.add(one.with("%,d queue pairs".formatted(count), Setting.pairs(count)));
            }
        }
        return all;
    }

    /// The same in another setting, which has no bound. Each queue pair has a message's memory of
    /// its own, as far as [#SLOTS_BYTES] goes.
    private Subject with(String what, Setting other) {
        long slots = Math.min((long) other.queuePairs * bytes, SLOTS_BYTES);
        long set = kind == Kind.BANDWIDTH ? Math.max(setBytes, slots) : setBytes;
        return new Subject(name + ", " + what, kind, bytes, set, other, Bound.NONE);
    }

    /// Whether programs that know none of our settings measure it too.
    boolean isUsual() {
        return setting.equals(Setting.USUAL);
    }

    /// Whether a figure beside bare C is worse than a bound.
    boolean isMissed(double ratio, double than) {
        return kind.isMoreBetter ? ratio < than : ratio > than;
    }
}
