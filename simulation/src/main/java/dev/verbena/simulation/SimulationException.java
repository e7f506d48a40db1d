package dev.verbena.simulation;

import dev.verbena.verbs.baton.BatonFailure;
import org.jspecify.annotations.Nullable;

/// A simulation that did not come to its end. The message names the program, the virtual time and
/// the remedy; programs that were waiting are among the suppressed exceptions, each with its stack.
public final class SimulationException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// Why a simulation ended early.
    public enum Reason {
        /// A program threw.
        THROWN,
        /// All programs wait, and nothing will ever happen.
        STUCK,
        /// A program has the baton and does not hand it on.
        HELD,
        /// The limit of virtual time has come.
        TIME_OVER,
        /// The thread that called [Simulation#run] was interrupted.
        INTERRUPTED
    }

    private final Reason reason;
    private final String program;

    SimulationException(Reason reason, String program, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
        this.program = program;
    }

    /// The same with the words of a simulation.
    static SimulationException of(BatonFailure failure) {
        Reason reason =
                switch (failure.reason()) {
                    case THROWN -> Reason.THROWN;
                    case STUCK -> Reason.STUCK;
                    case HELD -> Reason.HELD;
                    case TIME_OVER -> Reason.TIME_OVER;
                    case INTERRUPTED -> Reason.INTERRUPTED;
                };
        SimulationException made =
                new SimulationException(
                        reason,
                        failure.thread(),
                        String.valueOf(failure.getMessage()),
                        failure.getCause());
        // It is the same failure, in the same place.
        made.setStackTrace(failure.getStackTrace());
        for (Throwable waiting : failure.getSuppressed()) {
            made.addSuppressed(waiting);
        }
        return made;
    }

    public Reason reason() {
        return reason;
    }

    /// The program that is named, or empty when it is none in particular.
    public String program() {
        return program;
    }
}
