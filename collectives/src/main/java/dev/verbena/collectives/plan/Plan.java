package dev.verbena.collectives.plan;

/// What one rank sends and receives in a collective operation.
///
/// A plan has lanes. A lane is a list of sends and a list of receives; each list is worked off in
/// its order, the two lists and the lanes beside each other. What must not begin too early says so:
/// [Step#receives], [Step#sends]. The messages from one rank to another in one lane arrive in the
/// order of sending, so that they need no tags: the receives of the peer name them in the same
/// order with the same counts.
///
/// Steps are computed when they are asked for, so that a plan of a million steps takes no memory.
/// The same arguments give the same steps on every rank and in every run; with them the order of
/// all sums is fixed.
///
/// A plan must not need more than one message under way: it ends also where a send lasts until the
/// peer has come to its receive.
public interface Plan {
    int lanes();

    int sends(int lane);

    int receives(int lane);

    /// Fills in a send of a lane, counted from 0.
    void send(int lane, int index, Step into);

    /// Fills in a receive of a lane, counted from 0.
    void receive(int lane, int index, Step into);

    /// Local copies, which are made before anything else.
    default int copies() {
        return 0;
    }

    /// Fills in a local copy: from `operand` to `place`.
    default void copy(int index, Step into) {
        throw new IndexOutOfBoundsException(index);
    }

    /// Elements of [Place#SCRATCH].
    default long scratch() {
        return 0;
    }
}
