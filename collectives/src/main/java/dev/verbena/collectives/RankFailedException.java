package dev.verbena.collectives;

/// A communicator has failed because of one of its ranks. All its ranks get this exception, with
/// the same rank; [Communicator#without] makes a new one of the others.
public final class RankFailedException extends Exception {
    private static final long serialVersionUID = 1;

    private final int rank;

    RankFailedException(int rank, String message) {
        super(message);
        this.rank = rank;
    }

    /// The rank that caused it.
    public int rank() {
        return rank;
    }
}
