package dev.verbena.stream;

import dev.verbena.verbs.Completion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import java.net.ProtocolException;
import java.nio.ByteBuffer;

/// A protocol of streams: the messages, and the memory of both directions. The stream owns the
/// queue pair and knows when it begins and ends.
///
/// The identifier of each request is that of the stream, with a [Message] in its lower half.
sealed interface Framing permits RsocketFraming, ValkeyFraming {
    /// Takes the memory of the stream.
    static Framing of(
            StreamSettings settings,
            ProtectionDomain domain,
            QueuePair pair,
            long idBase,
            Ending ending) {
        return switch (settings.protocol()) {
            case RSOCKET -> new RsocketFraming(settings, domain, pair, idBase, ending);
            case VALKEY -> new ValkeyFraming(settings, domain, pair, idBase, ending);
        };
    }

    /// Receives that a stream posts.
    static int receives(StreamSettings settings) {
        return switch (settings.protocol()) {
            case RSOCKET -> RsocketFraming.receivesOf(settings);
            case VALKEY -> ValkeyFraming.RECEIVES;
        };
    }

    /// Looks at the private data of a request before the stream has taken memory for it.
    static void require(StreamProtocol protocol, byte[] privateData) throws ProtocolException {
        if (protocol == StreamProtocol.RSOCKET) {
            Hello.parse(privateData);
        }
    }

    /// The private data of this side.
    byte[] hello();

    /// The private data of the peer; called once, before any data is sent.
    ///
    /// @param isClient whether this side asked for the connection
    void meet(byte[] theirs, boolean isClient) throws ProtocolException;

    /// Bytes that can be read now.
    int available();

    int read(ByteBuffer into);

    /// Whether the peer should hear what was read.
    boolean hasFreePart();

    /// Bytes that [#append] would take now.
    int room();

    int append(ByteBuffer from);

    /// Posts receives; returns false when there is no room now.
    boolean postReceives();

    /// Posts what can be posted; returns false when there is no room now.
    ///
    /// @param isEnding no more will be appended
    /// @param isLast this side reads no more either
    boolean post(boolean isEnding, boolean isLast);

    /// A request is over.
    ///
    /// @throws ProtocolException when the peer does what the protocol forbids
    void complete(Completion done, int message) throws ProtocolException;

    /// Whether the peer's device has all that was posted.
    boolean isDataAcknowledged();

    /// Whether all that was appended has reached the peer, and the end of it, if the protocol has
    /// one.
    boolean isDelivered();

    /// Checks that one direction can be ended alone.
    ///
    /// @throws dev.verbena.verbs.UnsupportedException when one direction cannot be ended alone
    void requireHalfClose();

    /// Gives the memory back, when the queue pair is closed.
    void close();
}
