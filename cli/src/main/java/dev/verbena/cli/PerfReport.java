package dev.verbena.cli;

import dev.verbena.verbs.Device;
import java.util.List;

/// Prints a test: its options, both sides, and a row for each size.
interface PerfReport {
    /// Prints the facts that are known before the first message.
    ///
    /// @param isClient whether this side asks
    record Setting(
            PerfOptions options,
            Device device,
            int mtu,
            boolean isClient,
            PerfPeer here,
            PerfPeer there) {}

    void begin(Setting setting);

    /// Is called again and again while messages are under way.
    default void look() {}

    /// Prints the result of one size.
    ///
    /// @param isWarm whether the code was compiled before the measuring began
    void row(PerfResult result, boolean isWarm);

    /// Single values of a latency test, in microseconds.
    void samples(double[] values);

    void end();

    /// Several reports at once.
    static PerfReport all(List<PerfReport> reports) {
        return new PerfReport() {
            @Override
            public void begin(Setting setting) {
                reports.forEach(it -> it.begin(setting));
            }

            @Override
            public void look() {
                reports.forEach(PerfReport::look);
            }

            @Override
            public void row(PerfResult result, boolean isWarm) {
                reports.forEach(it -> it.row(result, isWarm));
            }

            @Override
            public void samples(double[] values) {
                reports.forEach(it -> it.samples(values));
            }

            @Override
            public void end() {
                reports.forEach(PerfReport::end);
            }
        };
    }
}
