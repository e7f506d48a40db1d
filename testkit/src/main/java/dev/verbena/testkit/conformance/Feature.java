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
    /// `QueuePairType.UC`.
    UNRELIABLE_CONNECTION,
    /// `QueuePairType.UD` and address handles.
    DATAGRAM,
    /// `QueuePair.attachMulticast`; the groups are those of [World#group].
    MULTICAST,
    /// `ProtectionDomain.sharedReceiveQueue`.
    SHARED_RECEIVES,
    /// `WindowType.TYPE_1`.
    WINDOWS_TYPE_1,
    /// `WindowType.TYPE_2`.
    WINDOWS_TYPE_2,
    /// `QueuePairAttributes.rateLimit`.
    RATE_LIMIT,
    /// No packet is ever lost. Where one can be, the answer that says why the peer failed can be
    /// too, and then its requester only learns that nobody answers. Of a service that is not
    /// reliable, what is lost stays lost, and a copy may come twice.
    LOSSLESS,
    /// Nothing but the network makes time pass: where it is real, a busy machine may take longer
    /// for anything than it should.
    EXACT_TIME,
    /// Waiting at one device lets its peer work too: not so where each is driven by who polls it.
    AWAIT_MOVES_PEERS,
    /// Each device has an address of its own, at the standard port: a stranger is known by it, and
    /// an answer finds its way by it.
    OWN_ADDRESSES,
    /// `Device.listen` and `connect`, on both devices at a time.
    MANAGED_CONNECTIONS,
    /// The same for queue pairs of type UC.
    MANAGED_UNRELIABLE,
    /// A peer that is refused for want of room is told that, not a plain no.
    ROOM_IS_TOLD,
    /// Peers can be told any queue key of a datagram queue pair, not the usual one alone.
    ANY_QUEUE_KEY,
    /// Received datagrams tell their traffic class.
    TRAFFIC_CLASS,
    /// That the arena of registered memory was closed is noticed at each access: not by a NIC,
    /// which holds the memory itself.
    CLOSED_ARENAS,
    /// `Completion.isSolicited`: a NIC wakes who waits for such a completion, and does not mark it.
    SOLICITED_MARK
}
