package dev.verbena.conformance.hostile;

import dev.verbena.verbs.MemoryRegion;
import java.lang.foreign.Arena;

/// Registered memory that the program may free under the device.
record Closable(Arena arena, MemoryRegion region) {}
