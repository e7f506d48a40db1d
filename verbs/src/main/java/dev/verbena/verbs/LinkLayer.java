package dev.verbena.verbs;

/// The link layer of a port. It decides how peers are addressed.
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
