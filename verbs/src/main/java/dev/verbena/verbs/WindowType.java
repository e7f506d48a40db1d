package dev.verbena.verbs;

/// Kinds of memory windows (IBA 10.6.7.2).
public enum WindowType {
    /// Valid for every queue pair of its domain. It can be bound again, or to nothing, at any time;
    /// the peer cannot invalidate it.
    TYPE_1(1),
    /// Valid only for the queue pair that bound it. Either side must invalidate it before it is
    /// bound again, unless its region or that queue pair was closed. It survives a reset of the
    /// queue pair: invalidate it before connecting to another peer. The specification calls it type
    /// 2B.
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
