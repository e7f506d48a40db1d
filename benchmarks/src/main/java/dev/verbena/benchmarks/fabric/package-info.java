/// The simulator beside another one, and how it grows: `bin/bench fabric`.
@NullMarked
package dev.verbena.benchmarks.fabric;

import org.jspecify.annotations.NullMarked;
