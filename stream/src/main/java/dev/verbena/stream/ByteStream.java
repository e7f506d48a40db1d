package dev.verbena.stream;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.UnsupportedException;
import dev.verbena.verbs.WrongStateException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.NotYetConnectedException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A stream that never waits. It moves when its group is driven ([StreamGroup#progress]), and then
/// calls the listener. It belongs to the thread that drives the group.
///
/// Written bytes are copied into a ring of this side, from there the device writes them into a ring
/// of the peer, and [#read] copies them out. When a ring is full, [#append] takes nothing: the peer
/// has to read first.
public final class ByteStream implements AutoCloseable {
    /// Requests with data in the send queue.
    static final int REQUESTS_MAX = 64;

    static final int CONTROLS_MAX = 4;

    private static final long RESET_NS = 100_000_000;

    private final StreamGroup group;
    private final StreamSettings settings;
    private final long idBase;
    private final StreamGroup.Shelf shelf;
    private final QueuePair pair;
    private final Ending ending = new Ending();
    private final Framing framing;

    private @Nullable Connection connection;
    private @Nullable InetSocketAddress remote;
    private Consumer<? super ByteStream> listener = stream -> {};
    private boolean hasMet;
    private boolean connected;
    private boolean outputEnding;
    private boolean closing;
    private boolean isReset;
    private boolean released;
    private boolean isLingering;
    private long lingerEndNs;
    private boolean isTouched;

    ByteStream(StreamGroup group, StreamGroup.Shelf shelf, long idBase) {
        this.group = group;
        this.shelf = shelf;
        this.idBase = idBase;
        settings = group.settings();
        CompletionQueue completions = shelf.completions();
        pair =
                group.domain()
                        .queuePair(
                                QueuePairType.RC,
                                options ->
                                        options.completions(completions)
                                                .access(EnumSet.of(Access.REMOTE_WRITE))
                                                .sendDepth(REQUESTS_MAX + CONTROLS_MAX)
                                                .receiveDepth(Framing.receives(settings)));
        boolean isMade = false;
        try {
            framing = Framing.of(settings, group.domain(), pair, idBase, ending);
            isMade = true;
        } finally {
            if (!isMade) {
                pair.close();
            }
        }
        if (!framing.postReceives()) {
            group.again(this);
        }
    }

    void connect(Address to, int port) {
        remote = new InetSocketAddress(to.gid().toInetAddress(), port);
        connection = group.device().connect(pair, to, port, framing.hello());
    }

    /// @throws ProtocolException when the peer speaks another protocol
    void accept(ConnectionRequest request) throws ProtocolException {
        remote = new InetSocketAddress(request.peer().toInetAddress(), request.peerPort());
        framing.meet(request.privateData(), false);
        hasMet = true;
        connection = request.accept(pair, framing.hello());
    }

    /// Called when the stream's bytes, room or state may have changed, by the thread that drives
    /// the group. It must not drive the group.
    public void onChange(Consumer<? super ByteStream> called) {
        listener = called;
    }

    /// The address of the peer.
    public InetSocketAddress remoteAddress() {
        return Objects.requireNonNull(remote, "set before the stream is handed out");
    }

    /// The source port that the peer sees; 0 on the side that accepted, and where the device does
    /// not report it.
    public int localPort() {
        Connection present = connection;
        return present == null ? 0 : present.localPort();
    }

    /// Whether the connection was established; stays so when it ends.
    public boolean isConnected() {
        return connected;
    }

    /// Why the stream cannot be used any more; null while it can, or when it ended in order.
    public @Nullable IOException failure() {
        return ending.failure();
    }

    /// Bytes that can be read now.
    public int available() {
        return released ? 0 : framing.available();
    }

    /// Whether the peer has ended its output, or the connection is over; bytes that arrived before
    /// can still be read.
    public boolean isInputEnded() {
        return ending.isInputEnded() || ending.isDown();
    }

    /// Moves bytes that arrived into the buffer.
    ///
    /// @return their number; 0 when there is none now, -1 at the end of the peer's output
    /// @throws IOException when the connection failed and all that arrived before was read
    public int read(ByteBuffer into) throws IOException {
        requireOpen();
        int count = framing.read(into);
        if (count > 0) {
            // What is free again is published soon, not only when more arrives.
            if (framing.hasFreePart()) {
                advance();
            }
            return count;
        }
        if (!into.hasRemaining()) {
            return 0;
        }
        if (ending.isInputEnded()) {
            return -1;
        }
        @Nullable IOException failure = ending.failure();
        if (failure != null) {
            throw new IOException(failure.getMessage(), failure);
        }
        return ending.isDown() ? -1 : 0;
    }

    /// Bytes that [#append] would take now.
    public int room() {
        return released || outputEnding || ending.isDown() ? 0 : framing.room();
    }

    /// Copies bytes for the peer, as many as there is room for, and returns their number. They are
    /// sent by [#flush].
    ///
    /// @throws IOException when the peer cannot receive them any more
    public int append(ByteBuffer from) throws IOException {
        requireOpen();
        @Nullable IOException failure = ending.failure();
        if (failure != null) {
            throw new IOException(failure.getMessage(), failure);
        }
        if (outputEnding || ending.isPeerGone() || ending.isDown() || isDisconnected()) {
            throw new SocketException(
                    outputEnding
                            ? "the output was ended"
                            : "broken pipe: the peer " + remote + " has closed the stream");
        }
        if (!connected) {
            throw new NotYetConnectedException();
        }
        return framing.append(from);
    }

    /// Known before the completions that tell it were polled. Asked for each append, so it must not
    /// be a system call.
    private boolean isDisconnected() {
        return connection != null && connection.reportedState() == Connection.State.DISCONNECTED;
    }

    /// Sends what was appended, as far as the peer has room; the rest follows by itself.
    public void flush() {
        if (!released) {
            advance();
        }
    }

    /// [#append], then [#flush].
    public int write(ByteBuffer from) throws IOException {
        int count = append(from);
        flush();
        return count;
    }

    /// Tells the peer, after all that was written, that no more follows. Reading goes on.
    ///
    /// @throws UnsupportedException when the protocol has no end of one direction
    public void endOutput() {
        framing.requireHalfClose();
        if (!released && !outputEnding) {
            outputEnding = true;
            advance();
        }
    }

    /// Whether all that was written, and the end of it, have reached the peer.
    public boolean isOutputDelivered() {
        return outputEnding && framing.isDelivered();
    }

    /// Ends the stream: what was written is delivered first, as long as [StreamSettings#linger]
    /// allows. Returns at once; the group does the rest.
    @Override
    public void close() {
        if (closing) {
            return;
        }
        closing = true;
        // The peer of a stream that was accepted may be connected already: it gets its farewell.
        if (!hasMet) {
            release();
            return;
        }
        if (settings.linger().isZero()) {
            reset();
            return;
        }
        outputEnding = true;
        linger(settings.linger().toNanos());
        advance();
        finish();
    }

    /// Lets the group look at the stream until it is over. A reset may follow a close.
    private void linger(long mostNs) {
        lingerEndNs = group.nowNs() + mostNs;
        if (!isLingering) {
            isLingering = true;
            group.lingers(this);
        }
    }

    /// Ends the stream without a farewell, so that the peer sees a reset. Bytes that are on their
    /// way may still arrive, for at most 100 ms; others are lost.
    public void reset() {
        if (released || isReset) {
            return;
        }
        closing = true;
        isReset = true;
        linger(RESET_NS);
        finish();
    }

    /// Ends the stream at once; what the peer has not received yet is lost, and it sees a reset.
    public void abort() {
        closing = true;
        release();
    }

    /// Whether the stream has given back its memory.
    public boolean isReleased() {
        return released;
    }

    /// Called by the group until it returns true: whether the stream is over.
    boolean finish() {
        if (!released && (ending.isDown() || isDelivered() || group.nowNs() - lingerEndNs >= 0)) {
            release();
        }
        return released;
    }

    private boolean isDelivered() {
        return isReset ? framing.isDataAcknowledged() : isOutputDelivered();
    }

    private void release() {
        if (released) {
            return;
        }
        released = true;
        Connection established = connection;
        if (established != null) {
            established.disconnect();
        }
        pair.close();
        framing.close();
        group.released(this);
    }

    /// Whether the connection came to be, or never will.
    boolean settle() {
        Connection present = Objects.requireNonNull(connection);
        switch (present.state()) {
            case CONNECTING -> {
                return false;
            }
            // A peer may have sent all that it has and ended, before this is called: what arrived
            // is read, and then the end.
            case ESTABLISHED, DISCONNECTED -> begin(present);
            case FAILED -> ending.fail(reasonOf(present));
        }
        return true;
    }

    private void begin(Connection established) {
        if (connected) {
            return;
        }
        try {
            if (!hasMet) {
                framing.meet(established.privateData(), true);
                hasMet = true;
            }
            connected = true;
        } catch (ProtocolException stranger) {
            violate(stranger);
            return;
        }
        if (!settings.keepAlive().isZero()) {
            try {
                established.keepAlive(settings.keepAlive());
            } catch (UnsupportedException without) {
                // A NIC may have none: then a silent peer is noticed when something is sent to it.
            } catch (WrongStateException over) {
                // The completions tell.
            }
        }
    }

    private static IOException reasonOf(Connection failed) {
        try {
            failed.await(Duration.ZERO);
            return new IOException("the connection failed");
        } catch (ConnectionFailedException reason) {
            return reason;
        }
    }

    /// Marks the stream for [#changed]; returns false when it is marked already.
    boolean touch() {
        boolean isFirst = !isTouched;
        isTouched = true;
        return isFirst;
    }

    /// Called by the group after all completions of a round.
    void changed() {
        isTouched = false;
        if (!released) {
            // What the listener reads and writes leaves together with the rest.
            listener.accept(this);
            advance();
        }
    }

    void complete(Completion done, int message) {
        if (!hasMet && done.isSuccess()) {
            // The first message may be seen before the state of the connection.
            settle();
        }
        try {
            framing.complete(done, message);
        } catch (ProtocolException stranger) {
            violate(stranger);
        }
    }

    /// The peer does what the protocol forbids: the connection ends.
    private void violate(ProtocolException how) {
        ending.fail(how);
        Objects.requireNonNull(connection).disconnect();
    }

    /// Posts whatever can be posted now.
    private void advance() {
        if (released || isReset || !connected || ending.isDown()) {
            return;
        }
        try {
            boolean hasReceives = framing.postReceives();
            if (!framing.post(outputEnding, closing) || !hasReceives) {
                group.again(this);
            }
        } catch (WrongStateException down) {
            // The queue pair failed just now; its completions tell.
        }
    }

    int slot() {
        return StreamGroup.slotOf(idBase);
    }

    StreamGroup.Shelf shelf() {
        return shelf;
    }

    /// The connection, for a thread that waits for it.
    @Nullable Connection connection() {
        return connection;
    }

    private void requireOpen() throws IOException {
        if (closing) {
            throw new SocketException("the stream is closed");
        }
    }

    @Override
    public String toString() {
        return "stream to " + remote;
    }
}
