/// Jobs on simulated fabrics.
///
/// Read [dev.verbena.job.RankRun] first: it lets the communicators of all ranks work on a simulated
/// fabric, in virtual time.
package dev.verbena.job;
