/// What the data path costs, in time and in allocated bytes.
///
/// Classes named `…Benchmark` are plain JMH and can be run with any of its options; [WireGate] runs
/// a short selection, holds it against the limits that the project promises, and writes the page
/// with the figures. Nothing here is published. Read [IcrcBenchmark] first.
@NullMarked
package dev.verbena.benchmarks;

import org.jspecify.annotations.NullMarked;
