/// Which rank waited for which: the last steps of each, and a verdict on them.
///
/// [dev.verbena.collectives.trace.StepTrace] keeps steps while operations run.
/// [dev.verbena.collectives.TraceGathering] brings those of all ranks to rank 0, and
/// [dev.verbena.collectives.trace.Verdict] names what holds them up. It reads no clock and writes
/// no file.
package dev.verbena.collectives.trace;
