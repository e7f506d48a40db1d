package dev.verbena.roce;

/// How many received packets a device drops on purpose, and the seed that decides which.
record Loss(double probability, long seed) {
    static final Loss NONE = new Loss(0, 1);
}
