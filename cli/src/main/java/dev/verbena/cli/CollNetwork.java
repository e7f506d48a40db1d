package dev.verbena.cli;

import dev.verbena.collectives.NetworkOffer;
import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.ReductionSettings;
import picocli.CommandLine.Option;

/// The flags of `verbena coll` that say what the switches of a simulated fabric reduce with.
final class CollNetwork {
    private static final ReductionSettings USUAL = ReductionSettings.DEFAULT;

    @Option(
            names = "--in-network",
            description =
                    "Switches combine vectors, and --algorithm in-network is one to choose from."
                            + " Naming that algorithm implies it.")
    private boolean isOffered;

    @Option(
            names = "--in-network-groups",
            paramLabel = "N",
            description = "Groups of ranks for which a switch reduces (16; assumed).")
    private int groups = USUAL.groups();

    @Option(
            names = "--in-network-buffer",
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "Memory of a switch for packets that wait (64M; assumed).")
    private long bufferBytes = USUAL.bufferBytes();

    @Option(
            names = "--in-network-alu",
            paramLabel = "RATE",
            converter = ByteRate.class,
            description = "How fast a switch takes in the bytes of all ports (12.8TB/s; assumed).")
    private double aluRate = USUAL.bytesPerSecond();

    @Option(
            names = "--in-network-window",
            paramLabel = "N",
            description = "Packets that a rank has under way (64; assumed).")
    private int window = USUAL.window();

    /// The settings of a fabric with what its switches offer.
    FabricSettings offer(CollFlags flags, FabricSettings settings) {
        return isOffered || flags.algorithm() == Algorithm.IN_NETWORK
                ? settings.withReduction(
                        USUAL.withGroups(groups)
                                .withBufferBytes(bufferBytes)
                                .withBytesPerSecond(Math.round(aluRate))
                                .withWindow(window))
                : settings;
    }

    /// One line about what the ranks of a job have got.
    static String text(NetworkOffer offer) {
        return offer.costs() == null
                ? "switches do not reduce: " + offer.text()
                : "switches reduce by " + offer.text();
    }
}
