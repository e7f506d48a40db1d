package dev.verbena.fabric;

import java.util.Set;

/// What the switches of a fabric offer for reductions in the network.
///
/// @param groups that one switch reduces for at a time; 0 when switches do not reduce
/// @param bufferBytes of one switch, for packets that wait to be combined and for results
/// @param bytesPerSecond how fast the ALU of one switch takes in the bytes of its children
/// @param window packets that a host has under way, at most
/// @param timeoutPs after how long without a result a host sends a packet again
/// @param types names of elements that switches combine, such as `float32`; none for all
public record ReductionSettings(
        int groups,
        long bufferBytes,
        long bytesPerSecond,
        int window,
        long timeoutPs,
        Set<String> types) {
    /// Switches that do not reduce.
    public static final ReductionSettings NONE = new ReductionSettings(0, 0, 1, 1, 1, Set.of());

    /// Switches that reduce; every number is assumed.
    public static final ReductionSettings DEFAULT =
            new ReductionSettings(16, 64 << 20, 12_800_000_000_000L, 64, 50_000_000, Set.of());

    private static final int GROUPS_MAX = 1 << 16;
    private static final int WINDOW_MAX = 1 << 12;
    private static final long SECOND_PS = 1_000_000_000_000L;

    public ReductionSettings {
        types = Set.copyOf(types);
        require("groups of a switch", groups, 0, GROUPS_MAX);
        require("bytes of a switch", bufferBytes, 0, 1L << 40);
        require("bytes a second of a switch", bytesPerSecond, 1, 1L << 50);
        require("packets of a window", window, 1, WINDOW_MAX);
        require("time-out in picoseconds", timeoutPs, 1, SECOND_PS);
    }

    private static void require(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "reductions: %,d %s: use %,d to %,d".formatted(value, what, least, most));
        }
    }

    /// Whether switches reduce at all.
    public boolean isOffered() {
        return groups > 0;
    }

    public ReductionSettings withGroups(int value) {
        return new ReductionSettings(value, bufferBytes, bytesPerSecond, window, timeoutPs, types);
    }

    public ReductionSettings withBufferBytes(long value) {
        return new ReductionSettings(groups, value, bytesPerSecond, window, timeoutPs, types);
    }

    public ReductionSettings withBytesPerSecond(long value) {
        return new ReductionSettings(groups, bufferBytes, value, window, timeoutPs, types);
    }

    public ReductionSettings withWindow(int value) {
        return new ReductionSettings(groups, bufferBytes, bytesPerSecond, value, timeoutPs, types);
    }

    public ReductionSettings withTimeoutPs(long value) {
        return new ReductionSettings(groups, bufferBytes, bytesPerSecond, window, value, types);
    }

    public ReductionSettings withTypes(Set<String> value) {
        return new ReductionSettings(groups, bufferBytes, bytesPerSecond, window, timeoutPs, value);
    }

    /// How long the ALU of a switch takes for that many bytes.
    public long aluPs(long bytes) {
        return Math.round((double) bytes * SECOND_PS / bytesPerSecond);
    }
}
