package dev.verbena.lint;

/// A value as a file has it, and where.
record Setting(String text, Place place) {}
