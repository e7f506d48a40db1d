/// Flows through a bottleneck that marks and drops, live: `bin/congestion`.
@NullMarked
package dev.verbena.benchmarks.congestion;

import org.jspecify.annotations.NullMarked;
