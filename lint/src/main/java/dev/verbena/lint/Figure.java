package dev.verbena.lint;

/// A number that was read, and where.
record Figure(long value, Place place) {
    int asInt() {
        return Math.toIntExact(Math.clamp(value, Integer.MIN_VALUE, Integer.MAX_VALUE));
    }
}
