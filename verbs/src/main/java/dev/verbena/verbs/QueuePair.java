package dev.verbena.verbs;

import java.util.function.Consumer;

/// A send queue and a receive queue, usually connected to a peer.
///
/// Which threads may post at a time depends on the provider (docs/verbs.md). The program may close
/// objects that posted work uses at any time; work in flight keeps them alive.
public interface QueuePair extends AutoCloseable {
    /// The destination number of datagrams to a multicast group (IBA 10.5.2.1).
    int MULTICAST_NUMBER = 0xFF_FFFF;

    /// The number that peers address, 24 bits.
    int number();

    QueuePairType type();

    ProtectionDomain domain();

    QueuePairState state();

    /// The values that the peer needs to connect to this queue pair, as they are now.
    Endpoint endpoint();

    /// Connects to a peer with default settings: INIT, ready to receive, ready to send.
    default void connect(Endpoint peer) {
        connect(peer, attributes -> {});
    }

    /// Connects with settings of the caller: each attribute set in `changes` replaces the default.
    ///
    /// @throws InvalidRequestException when the peer has another type, or no partition in common
    ///   with this queue pair
    void connect(Endpoint peer, Consumer<QueuePairAttributes> changes);

    /// Makes a datagram queue pair ready: INIT, ready to receive, ready to send. It has no peer;
    /// each request names one with [SendBatch#to].
    default void activate() {
        activate(attributes -> {});
    }

    /// Makes a datagram queue pair ready with settings of the caller.
    ///
    /// @throws InvalidRequestException when the queue pair has a connected type
    void activate(Consumer<QueuePairAttributes> changes);

    /// Also receives datagrams that are sent to a multicast group (IBA 10.5.2.1) with the queue key
    /// of this queue pair. In software, the queue pair does not receive its own datagrams to the
    /// group; a NIC may deliver a copy.
    ///
    /// @param lid the group's LID on InfiniBand, 0 on Ethernet
    /// @throws InvalidRequestException when the queue pair has a connected type, is already
    ///   attached, or the GID is not a multicast group
    /// @throws LimitExceededException when the device has no room for the group, or the group has
    ///   no room for the queue pair
    void attachMulticast(Gid group, int lid);

    /// Stops receiving datagrams that are sent to a multicast group.
    ///
    /// @throws InvalidRequestException when the queue pair is not attached
    void detachMulticast(Gid group, int lid);

    /// Makes one state transition, checked against [QueuePairTransitions].
    ///
    /// @throws WrongStateException when there is no such transition
    /// @throws InvalidRequestException when attributes are missing, or do not belong to the
    ///   transition
    void modify(QueuePairState target, Consumer<QueuePairAttributes> values);

    /// The current values of all attributes.
    QueuePairAttributes query();

    /// Posts the requests that the caller adds to the batch: all of them, or none and `false` when
    /// the send queue has no room for all. A lambda that captures a variable is a new object in
    /// each call; [#sends] needs no lambda.
    default boolean post(Consumer<? super SendBatch> work) {
        return Filling.post(sends(), work);
    }

    /// An empty batch to fill and post without allocation. A queue pair has one batch at a time; an
    /// unposted batch is cancelled.
    SendBatch sends();

    /// Posts receive requests: all of them, or none and `false` when the receive queue has no room
    /// for all.
    default boolean postReceive(Consumer<? super ReceiveBatch> work) {
        return Filling.post(receives(), work);
    }

    /// An empty batch of receive requests to fill and post without allocation. A queue pair has one
    /// batch at a time; an unposted batch is cancelled.
    ///
    /// @throws InvalidRequestException when the queue pair uses a [SharedReceiveQueue]
    ReceiveBatch receives();

    /// The number of requests that the send queue can accept now.
    int sendRoom();

    /// The number of requests that the receive queue can accept now; 0 when the queue pair uses a
    /// shared receive queue.
    int receiveRoom();

    /// Closes the queue pair at once. Work in flight is neither finished nor completed; this
    /// includes a request taken from a [SharedReceiveQueue] for an unfinished message. For an
    /// orderly end, wait for the completions, or [#modify] to [QueuePairState#ERROR] and poll the
    /// flushed completions.
    @Override
    void close();
}
