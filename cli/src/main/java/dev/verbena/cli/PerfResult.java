package dev.verbena.cli;

import java.util.Locale;

/// The result of one side at one size.
sealed interface PerfResult {
    /// Nothing: the side only answered.
    record None() implements PerfResult {
        @Override
        public long lost() {
            return 0;
        }

        @Override
        public String toText() {
            return "none";
        }
    }

    /// Of a bandwidth test.
    ///
    /// @param peak bytes per second of the best interval, 0 where it was not looked for
    /// @param average bytes per second of the whole run
    /// @param rate messages per second
    /// @param lost those that did not arrive, of a service that may lose them
    record Bandwidth(int bytes, long messages, double peak, double average, double rate, long lost)
            implements PerfResult {
        /// Both directions together.
        Bandwidth plus(Bandwidth other) {
            return new Bandwidth(
                    bytes,
                    messages,
                    peak + other.peak,
                    average + other.average,
                    rate + other.rate,
                    lost + other.lost);
        }

        Bandwidth withLost(long count) {
            return new Bandwidth(bytes, messages, peak, average, rate, count);
        }

        @Override
        public String toText() {
            return String.format(
                    Locale.ROOT,
                    "bw %d %d %f %f %f %d",
                    bytes,
                    messages,
                    peak,
                    average,
                    rate,
                    lost);
        }
    }

    /// Times in microseconds.
    ///
    /// @param lost questions without an answer, of a service that may lose either
    record Latency(
            int bytes,
            long messages,
            double min,
            double max,
            double typical,
            double average,
            double deviation,
            double percentile99,
            double percentile999,
            double perSecond,
            long lost)
            implements PerfResult {
        @Override
        public String toText() {
            return String.format(
                    Locale.ROOT,
                    "lat %d %d %f %f %f %f %f %f %f %f %d",
                    bytes,
                    messages,
                    min,
                    max,
                    typical,
                    average,
                    deviation,
                    percentile99,
                    percentile999,
                    perSecond,
                    lost);
        }
    }

    /// Messages that were lost, where they may be.
    long lost();

    /// A few words for the peer; [#parse] reads them.
    String toText();

    static PerfResult parse(String text) {
        String[] words = text.strip().split(" ", -1);
        try {
            return switch (words[0]) {
                case "bw" ->
                        new Bandwidth(
                                Integer.parseInt(words[1]),
                                Long.parseLong(words[2]),
                                Double.parseDouble(words[3]),
                                Double.parseDouble(words[4]),
                                Double.parseDouble(words[5]),
                                Long.parseLong(words[6]));
                case "lat" ->
                        new Latency(
                                Integer.parseInt(words[1]),
                                Long.parseLong(words[2]),
                                Double.parseDouble(words[3]),
                                Double.parseDouble(words[4]),
                                Double.parseDouble(words[5]),
                                Double.parseDouble(words[6]),
                                Double.parseDouble(words[7]),
                                Double.parseDouble(words[8]),
                                Double.parseDouble(words[9]),
                                Double.parseDouble(words[10]),
                                Long.parseLong(words[11]));
                default -> new None();
            };
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException malformed) {
            throw new PerfException(
                    "peer: its result '"
                            + text
                            + "' cannot be read; use the same version of"
                            + " verbena on both sides",
                    malformed);
        }
    }
}
