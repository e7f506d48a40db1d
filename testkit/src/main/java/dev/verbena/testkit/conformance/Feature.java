package dev.verbena.testkit.conformance;

/// What a provider may lack and still conform; see [World#lacks].
public enum Feature {
    /// `ProtectionDomain.phantom`: regions that have a length and no memory.
    PHANTOM_MEMORY,
    /// `Access.INVALIDATE` and `MemoryRegion.renew`: keys of whole regions that come and go.
    INVALIDATE_REGION,
    /// The ports of both devices have the same two partition keys, at index 0 and 1.
    TWO_PARTITIONS,
    /// `AsyncEvent`s of a queue pair that its peer made fail.
    PEER_FAILURE_EVENTS,
    /// No packet is ever lost. Where one can be, the answer that says why the peer failed can be
    /// too, and then its requester only learns that nobody answers.
    LOSSLESS
}
