package dev.verbena.conformance.hostile;

import java.util.Set;

/// What an episode keeps to, because of the kind of its devices.
///
/// @param isOneThread whether devices belong to one thread
/// @param holdsArenas whether arenas end only after the devices. A NIC reads and writes memory by
///   its address; when the program has freed it, no check of ours comes between.
/// @param leftOut what its programs do not do
record Rules(boolean isOneThread, boolean holdsArenas, Set<Act> leftOut) {}
