/// An endurance run: two processes that connect, move data of known content, and part, for hours.
@NullMarked
package dev.verbena.benchmarks.soak;

import org.jspecify.annotations.NullMarked;
