/// Schedules in the GOAL format of LogGOPSim and ATLAHS: the text form
/// ([dev.verbena.job.goal.GoalText]) and the binary form ([dev.verbena.job.goal.GoalBinary]).
///
/// Layouts are those of LogGOPSim at commit 76451de. The readers open no file.
package dev.verbena.job.goal;
