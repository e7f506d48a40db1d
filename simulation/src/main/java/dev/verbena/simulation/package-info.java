/// Programs on a simulated fabric, written as for a real one: a thread for each, and calls that
/// wait.
///
/// Read [dev.verbena.simulation.Simulation] first. One thread runs at a time. It hands on the baton
/// when it waits in a call of `verbs`, and when all wait, the fabric's clock moves to the next
/// event. A seed decides which of the threads that could run does, so that a run repeats.
///
/// It is not needed by a program that waits for one device at a time on one thread: that moves the
/// clock by itself.
package dev.verbena.simulation;
