package dev.verbena.verbs;

/// Kinds of memory windows (IBA 10.6.7.2).
public enum WindowType {
    /// Opens to every queue pair of its domain; bound anew or to nothing at any time, and never
    /// invalidated by the peer.
    TYPE_1(1),
    /// Opens to the queue pair that bound it, and to no other; must be invalidated, by either side,
    /// before it is bound again, unless its region or that queue pair was closed. It outlives a
    /// reset of the queue pair: invalidate it before another peer is connected. What the
    /// specification calls type 2B.
    TYPE_2(2);

    private final int code;

    WindowType(int code) {
        this.code = code;
    }

    /// The number of libibverbs' `ibv_mw_type`.
    public int code() {
        return code;
    }
}
