package dev.verbena.interop.matrix;

/// One thing that two implementations must agree about.
///
/// @param packets whether its messages take several packets, so that segmentation and faults of the
///   network can make a difference
record Cell(String name, boolean packets, Script script) {
    /// What both sides do and must see; opens the encounter itself.
    @FunctionalInterface
    interface Script {
        void play(Encounter it);
    }
}
