package dev.verbena.plan;

/// Inputs or a catalogue from which no plan can be made; the message is one line with the remedy.
public final class PlanException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public PlanException(String message) {
        super(message);
    }
}
