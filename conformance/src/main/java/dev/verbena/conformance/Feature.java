package dev.verbena.conformance;

/// Features that a provider may lack and still conform; see [World#lacks].
public enum Feature {
    /// `Access.INVALIDATE` and `MemoryRegion.renew`: keys of whole regions that come and go.
    INVALIDATE_REGION,
    /// The ports of both devices have the same two partition keys, at index 0 and 1.
    TWO_PARTITIONS,
    /// `AsyncEvent`s of a queue pair that its peer made fail.
    PEER_FAILURE_EVENTS,
    /// `QueuePairType.UC`. A network that spoils a packet of every longer message lacks it too:
    /// none would arrive whole.
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
    /// No packet is ever lost, repeated or overtaken. Where one can be lost, the response with the
    /// reason of a failure can be lost too, and then the requester only sees that the peer does not
    /// reply. With unreliable services, lost messages stay lost, and a copy may arrive twice.
    LOSSLESS,
    /// Bytes land in the order of their WRITEs, so that a WRITE over an earlier one wins, and a
    /// program may poll memory: not so where packets are placed when they come, and are repeated
    /// one by one.
    BYTES_IN_ORDER,
    /// Nothing but the network makes time pass: where it is real, a busy machine may take longer
    /// for anything than it should.
    EXACT_TIME,
    /// Waiting at one device lets its peer work too: not so where each device is driven by its
    /// polling thread.
    AWAIT_MOVES_PEERS,
    /// Each device has an address of its own, at the standard port: a stranger is known by it, and
    /// an answer finds its way by it.
    OWN_ADDRESSES,
    /// `Device.listen` and `connect`, on both devices at a time.
    MANAGED_CONNECTIONS,
    /// The same for queue pairs of type UC.
    MANAGED_UNRELIABLE,
    /// A refusal for lack of room has its own reason, not the general one.
    ROOM_IS_TOLD,
    /// A peer can get any queue key of a datagram queue pair, not only the usual one.
    ANY_QUEUE_KEY,
    /// Received datagrams show their traffic class.
    TRAFFIC_CLASS,
    /// That the arena of registered memory was closed is noticed at each access: not by a NIC,
    /// which holds the memory itself.
    CLOSED_ARENAS,
    /// `Completion.isSolicited`: a NIC wakes a thread that waits for such a completion, and does
    /// not mark it.
    SOLICITED_MARK
}
