package dev.verbena.lint;

import java.util.Optional;
import java.util.Set;

/// A row of `WRED_PROFILE`: when a queue marks, for packets of the colour green, which RoCE has.
///
/// @param ecn which colours are marked in place of being dropped
/// @param greenEnable whether the profile is on for green packets
/// @param least bytes in the queue from which some packets are marked (Kmin)
/// @param most bytes from which all are (Kmax)
/// @param percent the share of marked packets at Kmax
record MarkingProfile(
        String name,
        Place place,
        Optional<Setting> ecn,
        Optional<Setting> greenEnable,
        Optional<Figure> least,
        Optional<Figure> most,
        Optional<Figure> percent) {
    /// Values of `ecn` that mark green packets.
    private static final Set<String> MARKS =
            Set.of("ecn_green", "ecn_green_yellow", "ecn_green_red", "ecn_all");

    boolean marks() {
        return ecn.filter(it -> MARKS.contains(it.text())).isPresent();
    }
}
