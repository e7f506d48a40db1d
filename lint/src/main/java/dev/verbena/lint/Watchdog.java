package dev.verbena.lint;

import java.util.Optional;

/// A row of `PFC_WD`: what ends a pause storm at a port.
///
/// @param detection milliseconds of pause that are a storm
/// @param restoration milliseconds without pauses after which the queue is as before
record Watchdog(
        Place place,
        Optional<Figure> detection,
        Optional<Figure> restoration,
        Optional<Setting> action) {}
