package dev.verbena.easy;

/// What a node does where its RDMA device cannot be opened.
public enum Fallback {
    /// It is not opened either.
    NONE,
    /// Its channels run over TCP, with the same messages and requests and without remote memory.
    /// Listening nodes accept TCP beside RDMA.
    TCP
}
