package dev.verbena.simulation;

/// Ends a program of a simulation that has failed elsewhere. No `catch (Exception …)` of a program
/// takes it for an error of its own.
final class Stopped extends Error {
    private static final long serialVersionUID = 1;

    Stopped() {
        super("the simulation has ended", null, false, false);
    }
}
