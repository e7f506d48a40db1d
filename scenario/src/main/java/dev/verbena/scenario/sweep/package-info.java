/// Sweeps: one scenario with many values. Begin with [Sweep]. Which point runs where and when is
/// decided by what schedules processes: Slurm, GNU parallel, a loop.
package dev.verbena.scenario.sweep;
