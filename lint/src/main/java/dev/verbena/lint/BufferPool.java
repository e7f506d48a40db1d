package dev.verbena.lint;

import java.util.Optional;

/// A pool of a switch's buffer.
///
/// @param type `ingress` or `egress`
/// @param size bytes that its profiles share
/// @param xoff bytes of the headroom that they share
record BufferPool(
        String name, Place place, String type, Optional<Figure> size, Optional<Figure> xoff) {}
