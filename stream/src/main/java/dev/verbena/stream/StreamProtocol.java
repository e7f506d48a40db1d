package dev.verbena.stream;

/// What two ends of a stream say to each other. Both must speak the same; nothing on the wire is
/// the same in both, so a peer of the other one is refused or ends the connection.
public enum StreamProtocol {
    /// That of librdmacm's rsocket: two rings, credits, each direction ended by itself.
    RSOCKET,
    /// That of Valkey's RDMA transport: each side gives the other a buffer, and gives it again when
    /// it is full and was read. One direction cannot be ended alone, and an end of the peer looks
    /// the same as its death.
    VALKEY
}
