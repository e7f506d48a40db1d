/// What a change costs: the same work on two builds, in turns (`bin/compare`).
@NullMarked
package dev.verbena.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
