/// What every benchmark here needs: programs of other processes, a log of figures that a page is
/// written from, and what machine it was.
@NullMarked
package dev.verbena.benchmarks.results;

import org.jspecify.annotations.NullMarked;
