package dev.verbena.lint;

import java.util.Optional;

/// How much of the buffer a priority group or a queue gets.
///
/// @param pool the pool that it uses, where it names one that is there
/// @param size bytes reserved
/// @param xoff bytes for packets that arrive after a pause; only of lossless profiles
/// @param xon bytes below which the peer may go on
/// @param dynamicTh power of two of the share of the free bytes
/// @param staticTh bytes above which a group pauses or a queue drops
record BufferProfile(
        String name,
        Place place,
        Optional<BufferPool> pool,
        Optional<Figure> size,
        Optional<Figure> xoff,
        Optional<Figure> xon,
        Optional<Figure> dynamicTh,
        Optional<Figure> staticTh) {

    /// How a group or queue refers to a profile.
    ///
    /// @param place of the reference
    /// @param profile empty when the switch calculates it, or when it is not in the file
    record Use(Place place, Optional<BufferProfile> profile, boolean isCalculated) {
        boolean isLossless() {
            return isCalculated || profile.flatMap(BufferProfile::xoff).isPresent();
        }
    }
}
