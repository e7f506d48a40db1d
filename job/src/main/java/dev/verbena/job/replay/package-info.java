/// Jobs that were recorded elsewhere, carried out on a simulated fabric.
///
/// Read [dev.verbena.job.replay.Schedule] first: what one rank does, as a graph of calculations,
/// messages and collective operations. [dev.verbena.job.replay.Replay] carries the schedules of all
/// ranks out in virtual time. Schedules are made by the readers of file formats, each in a package
/// of its own.
package dev.verbena.job.replay;
