/// Benchmarks of what only the fabric itself can see.
@NullMarked
package dev.verbena.fabric;

import org.jspecify.annotations.NullMarked;
