package dev.verbena.verbs;

import java.util.function.Consumer;

/// Two queues of work, one to send and one to receive, and usually a peer.
///
/// One thread posts at a time. Objects that are named in posted work may be closed by the program
/// at any time; what is in flight holds on to them.
public interface QueuePair extends AutoCloseable {
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
        SendBatch batch = sends();
        try {
            work.accept(batch);
        } catch (RuntimeException | Error failure) {
            try {
                batch.abort();
            } catch (WrongStateException posted) {
                failure.addSuppressed(posted);
            }
            throw failure;
        }
        return batch.post();
    }

    /// An empty batch to fill and post without any allocation. A queue pair has one at a time; one
    /// that was left unposted is given up.
    SendBatch sends();

    /// Posts receive requests: all of them, or nothing and `false` when the receive queue has no
    /// room for all.
    default boolean postReceive(Consumer<? super ReceiveBatch> work) {
        ReceiveBatch batch = receives();
        try {
            work.accept(batch);
        } catch (RuntimeException | Error failure) {
            try {
                batch.abort();
            } catch (WrongStateException posted) {
                failure.addSuppressed(posted);
            }
            throw failure;
        }
        return batch.post();
    }

    /// An empty batch of receive requests to fill and post without any allocation. A queue pair has
    /// one at a time; one that was left unposted is given up.
    ReceiveBatch receives();

    /// How many requests the send queue would take now.
    int sendRoom();

    /// How many requests the receive queue would take now.
    int receiveRoom();

    /// Ends it at once: what is in flight is neither finished nor completed. To end in order, wait
    /// for the completions, or [#modify] to [QueuePairState#ERROR] and poll the flushed ones.
    @Override
    void close();
}
