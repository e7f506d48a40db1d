package dev.verbena.plan;

import java.util.Optional;

/// Cables of one kind.
///
/// @param medium the shortest-reaching one of the catalogue that is long enough, if any
/// @param upperEnds transceivers, or plugs, at switches
/// @param hostEnds the same at nodes
/// @param shares links that share a plug at a switch
public record CableLine(
        String between,
        int count,
        double metres,
        Optional<Medium> medium,
        int upperEnds,
        int hostEnds,
        int shares) {

    public boolean isOptical() {
        return medium.map(Medium::isOptical).orElse(false);
    }

    public String mediumName() {
        return medium.map(Medium::name).orElse("no medium that reaches");
    }

    /// Transceivers, of both ends.
    public int transceivers() {
        return isOptical() ? upperEnds + hostEnds : 0;
    }
}
