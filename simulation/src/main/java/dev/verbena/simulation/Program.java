package dev.verbena.simulation;

/// The program of a host, on a thread of its own.
@FunctionalInterface
public interface Program {
    /// Runs the program to its end. What it throws ends the simulation.
    ///
    /// @param host where it runs
    void run(Host host) throws Exception;
}
