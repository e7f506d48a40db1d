package dev.verbena.job.replay;

import dev.verbena.collectives.CommunicatorSettings;
import dev.verbena.fabric.PhantomMemory;
import dev.verbena.transport.TransportOptions;
import dev.verbena.verbs.QueuePairAttributes;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// How a job is carried out.
///
/// @param overheadNs time that a cpu needs for each message that it sends or takes
/// @param options changes the options of each device
/// @param connections changes each connection of messages
/// @param communicators changes the settings of collective operations
public record ReplaySettings(
        long overheadNs,
        Consumer<TransportOptions> options,
        Consumer<QueuePairAttributes> connections,
        UnaryOperator<CommunicatorSettings> communicators) {
    /// No overhead, and the usual transport.
    public static final ReplaySettings DEFAULT =
            new ReplaySettings(0, _ -> {}, _ -> {}, it -> it.withMemory(PhantomMemory::in));

    public ReplaySettings {
        if (overheadNs < 0 || overheadNs > Budget.CALC_MAX_NS) {
            throw new IllegalArgumentException(
                    "an overhead of %,d ns: use 0 to %,d"
                            .formatted(overheadNs, Budget.CALC_MAX_NS));
        }
    }

    public ReplaySettings withOverheadNs(long value) {
        return new ReplaySettings(value, options, connections, communicators);
    }
}
