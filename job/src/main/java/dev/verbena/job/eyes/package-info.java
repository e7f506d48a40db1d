/// What holds a simulated job up, as its operator could find out: from the traces of its ranks, the
/// ways of their messages, and the counters of ports. Faults that were planted are not looked at.
///
/// Read [dev.verbena.job.eyes.JobTrace] first.
package dev.verbena.job.eyes;
