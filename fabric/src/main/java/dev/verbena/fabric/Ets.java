package dev.verbena.fabric;

import java.util.List;

/// Enhanced transmission selection (IEEE 802.1Qaz): strict priorities go first, and the others
/// share the rest of the link.
///
/// @param strict a bit for each strict priority; of these, the highest goes first
/// @param shares weights of the other priorities, by priority
public record Ets(int strict, List<Integer> shares) {
    /// Eight priorities with equal shares.
    public static final Ets EQUAL = new Ets(0, List.of(1, 1, 1, 1, 1, 1, 1, 1));

    public Ets {
        shares = List.copyOf(shares);
        if (shares.size() != EthernetPort.PRIORITIES
                || shares.stream().anyMatch(share -> share < 1 || share > 100)) {
            throw new IllegalArgumentException("eight shares of 1 to 100");
        }
    }
}
