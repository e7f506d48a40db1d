package dev.verbena.verbs;

import java.util.function.Consumer;

/// Two queues of work, one to send and one to receive, and usually a peer.
///
/// One thread posts at a time. Objects that are named in posted work may be closed by the program
/// at any time; what is in flight holds on to them.
public interface QueuePair extends AutoCloseable {
    /// The number that datagrams to a multicast group are sent to (IBA 10.5.2.1).
    int MULTICAST_NUMBER = 0xFF_FFFF;

    /// The number that peers address, 24 bits.
    int number();

    QueuePairType type();

    ProtectionDomain domain();

    QueuePairState state();

    /// What the peer needs to connect to this side, as it stands now.
    Endpoint endpoint();

    /// Connects to a peer with ordinary settings: INIT, ready to receive, ready to send.
    default void connect(Endpoint peer) {
        connect(peer, attributes -> {});
    }

    /// Connects with settings of the caller's: whatever is set in `changes` replaces the default.
    ///
    /// @throws InvalidRequestException when the peer is of another type, or in no partition of ours
    void connect(Endpoint peer, Consumer<QueuePairAttributes> changes);

    /// Makes a datagram queue pair ready: INIT, ready to receive, ready to send. It has no peer;
    /// each request names one with [SendBatch#to].
    default void activate() {
        activate(attributes -> {});
    }

    /// Makes a datagram queue pair ready with settings of the caller's.
    ///
    /// @throws InvalidRequestException when it is of a connected type
    void activate(Consumer<QueuePairAttributes> changes);

    /// Takes datagrams to a multicast group as well (IBA 10.5.2.1), those that show this queue
    /// pair's queue key. What it sends to the group itself, it does not get from software; a NIC
    /// may give it a copy.
    ///
    /// @param lid the group's LID on InfiniBand, 0 on Ethernet
    /// @throws InvalidRequestException when it is of a connected type, or attached already, or the
    ///   GID is no group's
    /// @throws LimitExceededException when the device has no room for the group, or the group none
    ///   for it
    void attachMulticast(Gid group, int lid);

    /// Takes no datagrams to a group any more.
    ///
    /// @throws InvalidRequestException when it is not attached
    void detachMulticast(Gid group, int lid);

    /// One transition, checked against [QueuePairTransitions].
    ///
    /// @throws WrongStateException when there is no such transition
    /// @throws InvalidRequestException when attributes are missing, or do not belong to it
    void modify(QueuePairState target, Consumer<QueuePairAttributes> values);

    /// All attributes as they are now.
    QueuePairAttributes query();

    /// Posts what the caller puts into the batch: all of it, or nothing and `false` when the send
    /// queue has no room for all. A lambda that captures something is a new object in every call;
    /// [#sends] needs none.
    default boolean post(Consumer<? super SendBatch> work) {
        return Filling.post(sends(), work);
    }

    /// An empty batch to fill and post without any allocation. A queue pair has one at a time; one
    /// that was left unposted is given up.
    SendBatch sends();

    /// Posts receive requests: all of them, or nothing and `false` when the receive queue has no
    /// room for all.
    default boolean postReceive(Consumer<? super ReceiveBatch> work) {
        return Filling.post(receives(), work);
    }

    /// An empty batch of receive requests to fill and post without any allocation. A queue pair has
    /// one at a time; one that was left unposted is given up.
    ///
    /// @throws InvalidRequestException when it takes them from a [SharedReceiveQueue]
    ReceiveBatch receives();

    /// How many requests the send queue would take now.
    int sendRoom();

    /// How many requests the receive queue would take now; 0 when it is a shared one.
    int receiveRoom();

    /// Ends it at once: what is in flight is neither finished nor completed, a request that it took
    /// from a [SharedReceiveQueue] for an unfinished message included. To end in order, wait for
    /// the completions, or [#modify] to [QueuePairState#ERROR] and poll the flushed ones.
    @Override
    void close();
}
