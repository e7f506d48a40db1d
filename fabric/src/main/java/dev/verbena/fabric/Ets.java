package dev.verbena.fabric;

import java.util.List;

/// Enhanced transmission selection (IEEE 802.1Qaz): which priorities go first, and how the others
/// share what is left.
///
/// @param strict a bit for each priority that goes before those with a share, the highest first
/// @param shares by priority, a weight
public record Ets(int strict, List<Integer> shares) {
    /// Eight priorities alike.
    public static final Ets EQUAL = new Ets(0, List.of(1, 1, 1, 1, 1, 1, 1, 1));

    public Ets {
        shares = List.copyOf(shares);
        if (shares.size() != EthernetPort.PRIORITIES
                || shares.stream().anyMatch(share -> share < 1 || share > 100)) {
            throw new IllegalArgumentException("eight shares of 1 to 100");
        }
    }
}
