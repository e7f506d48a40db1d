package dev.verbena.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A kind of cable of the catalogue.
///
/// @param isOptical whether it is a fibre between two transceivers
/// @param rates in Gb/s, at which it is known
/// @param reachMetres how long it can be
/// @param wattsPerEnd of one transceiver, or of one end of the cable
/// @param nsPerMetre how long a bit takes
/// @param priceUsd of a cable, or of one transceiver
public record Medium(
        String name,
        String title,
        boolean isOptical,
        List<Integer> rates,
        Figure reachMetres,
        @Nullable Figure wattsPerEnd,
        Figure nsPerMetre,
        @Nullable Figure priceUsd) {

    /// The shorter length, where sources name two.
    boolean reaches(int rate, double metres) {
        return rates.contains(rate) && metres <= reachMetres.low();
    }
}
