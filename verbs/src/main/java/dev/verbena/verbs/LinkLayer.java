package dev.verbena.verbs;

/// What a port is connected to, and so how peers are addressed.
public enum LinkLayer {
    /// Peers have a LID.
    INFINIBAND(1),
    /// Peers have a GID that is their IP address.
    ETHERNET(2);

    private final int code;

    LinkLayer(int code) {
        this.code = code;
    }

    /// The number of libibverbs' `IBV_LINK_LAYER_…`.
    public int code() {
        return code;
    }
}
