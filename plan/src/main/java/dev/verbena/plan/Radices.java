package dev.verbena.plan;

/// Links of the switches of each tier.
record Radices(int leaf, int spine, int core) {}
