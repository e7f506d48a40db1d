package dev.verbena.verbs;

/// What a port is connected to, and so how peers are addressed.
public enum LinkLayer {
    /// Peers have a LID.
    INFINIBAND,
    /// Peers have a GID that is their IP address.
    ETHERNET
}
