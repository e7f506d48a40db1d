package dev.verbena.benchmarks.netty;

/// A figure as the page has it.
enum NettyFigure {
    MEDIAN("echo of 64 B, one connection: round trip, median", "µs", "us", false),
    TAIL("echo of 64 B, one connection: round trip, 99th percentile", "µs", "us", false),
    ECHOES("echo of 64 B, 32 connections: round trips", "1,000/s", "k/s", true),
    RATE("writes of 1 MiB, one connection", "Gb/s", "Gb/s", true),
    PROCESSOR("writes of 1 MiB: processor time of both ends", "s/GiB", "s/GiB", false);

    /// Less than that is no difference.
    private static final double EQUAL = 0.05;

    final String subject;
    final String shown;
    final String unit;

    private final boolean isMoreBetter;

    NettyFigure(String subject, String shown, String unit, boolean isMoreBetter) {
        this.subject = subject;
        this.shown = shown;
        this.unit = unit;
        this.isMoreBetter = isMoreBetter;
    }

    /// What a ratio to another transport means.
    String verdict(double ratio) {
        if (Math.abs(ratio - 1) < EQUAL) {
            return "about the same";
        }
        return ratio > 1 == isMoreBetter ? "better" : "worse";
    }
}
