package dev.verbena.easy;

import dev.verbena.easy.Calls.Call;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.verbs.UnsupportedException;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Carries whole messages, and requests with replies, between two programs. Threads may share it.
///
/// A message arrives once, whole and in order. A sender waits while the peer's program has a window
/// of messages that it has not taken, so neither side needs more memory than [NodeSettings] says.
/// Requests and messages go separate ways in the receiving program: one thread may take messages
/// while others serve requests.
///
/// A call that waits ends at its limit with a [SocketTimeoutException], at an interrupt with an
/// [InterruptedIOException], and when the channel ends with a [ChannelException].
public final class MessageChannel implements AutoCloseable {
    private final RdmaNode node;
    private final Protocol protocol;
    private final Gate gate;
    private final Lane lane;
    private final @Nullable RemoteOps remote;

    /// Senders in the order in which they came, as soon as one of them has to wait.
    private final ArrayDeque<Object> line = new ArrayDeque<>();

    private final BooleanSupplier hasMessage;
    private final BooleanSupplier hasRequest;
    private boolean isClosed;

    MessageChannel(RdmaNode node, Protocol protocol, Lane lane, @Nullable RemoteOps remote) {
        this.node = node;
        this.protocol = protocol;
        this.lane = lane;
        this.remote = remote;
        gate = protocol.gate;
        hasMessage = () -> isOver() || !protocol.messages.isEmpty();
        hasRequest = () -> isOver() || !protocol.requests.isEmpty();
    }

    /// The longest message that both sides take.
    public int messageBytes() {
        return protocol.messageBytes();
    }

    /// The address of the peer.
    public String peer() {
        return lane.peer();
    }

    /// Whether it runs over RDMA, and not over TCP.
    public boolean isRdma() {
        return remote != null;
    }

    // ---- messages

    /// Sends a message, waiting for room for the node's timeout at most. The bytes are copied.
    public void send(byte[] message) throws IOException {
        send(MemorySegment.ofArray(message), node.settings().timeout());
    }

    /// Sends a message; makes no object unless it has to wait.
    public void send(MemorySegment message, Duration limit) throws IOException {
        requireFits(message.byteSize());
        gate.lock();
        try {
            requireSending();
            if (!line.isEmpty() || !protocol.hasRoom()) {
                awaitRoom(enter(), gate.waits.after(limit), limit);
            }
            protocol.put(Frame.MESSAGE, 0, 0, message);
        } finally {
            gate.unlock();
        }
    }

    /// Sends a message; the future is complete when the message has left. Messages leave in the
    /// order of the calls.
    public CompletableFuture<@Nullable Void> sendAsync(byte[] message) {
        requireFits(message.length);
        gate.lock();
        try {
            requireSending();
            if (line.isEmpty() && protocol.hasRoom()) {
                protocol.put(Frame.MESSAGE, 0, 0, MemorySegment.ofArray(message));
                return CompletableFuture.completedFuture(null);
            }
            Object place = enter();
            CompletableFuture<@Nullable Void> future =
                    node.tasks().run(() -> later(place, message));
            if (future.isCompletedExceptionally()) {
                leave(place);
            }
            return future;
        } catch (IOException ended) {
            return CompletableFuture.failedFuture(ended);
        } finally {
            gate.unlock();
        }
    }

    private @Nullable Void later(Object place, byte[] message) throws IOException {
        Duration limit = node.settings().timeout();
        gate.lock();
        try {
            awaitRoom(place, gate.waits.after(limit), limit);
            protocol.put(Frame.MESSAGE, 0, 0, MemorySegment.ofArray(message));
        } finally {
            gate.unlock();
        }
        return null;
    }

    /// Takes the next message, waiting for it without a limit; null when the peer has closed the
    /// channel and all its messages were taken.
    public byte @Nullable [] receive() throws IOException {
        return take(protocol.messages, protocol.takers, hasMessage, null, Waits.NEVER);
    }

    /// The same with a limit.
    public byte @Nullable [] receive(Duration limit) throws IOException {
        return take(protocol.messages, protocol.takers, hasMessage, limit, gate.waits.after(limit));
    }

    /// Takes the next message into memory of the caller; makes no object. Returns its length, or -1
    /// when the peer has closed the channel. A message that does not fit stays.
    public int receive(MemorySegment into, Duration limit) throws IOException {
        gate.lock();
        try {
            if (!awaitInput(protocol.takers, hasMessage, limit, gate.waits.after(limit))) {
                return -1;
            }
            int slot = protocol.messages.peek();
            MemorySegment message = protocol.at(slot);
            int bytes = (int) message.byteSize();
            if (bytes > into.byteSize()) {
                throw new InvalidRequestException(
                        toString(),
                        "a message of %d bytes, and memory for %d"
                                .formatted(bytes, into.byteSize()),
                        "bring memory for messageBytes(), " + messageBytes());
            }
            into.copyFrom(message);
            protocol.messages.take();
            protocol.taken(slot);
            return bytes;
        } finally {
            gate.unlock();
        }
    }

    /// Takes the next message as [#receive()] does, by a future.
    public CompletableFuture<byte @Nullable []> receiveAsync() {
        return node.tasks().run(() -> receive());
    }

    // ---- requests

    /// Sends a request and waits for its reply, for the node's timeout at most.
    ///
    /// @throws RequestFailedException when the peer's handler failed
    public byte[] request(byte[] request) throws IOException {
        return request(request, node.settings().timeout());
    }

    /// The same with a limit of its own. After the limit the peer may still carry the request out.
    public byte[] request(byte[] request, Duration limit) throws IOException {
        requireFits(request.length);
        gate.lock();
        try {
            long deadlineNs = gate.waits.after(limit);
            requireSending();
            boolean isFree =
                    gate.await(
                            protocol.callers,
                            deadlineNs,
                            () -> isOver() || protocol.calls.hasFree());
            requireSending();
            if (!isFree) {
                throw late("requests without a reply take all places to %s", limit);
            }
            Call call = protocol.calls.begin();
            return answerTo(call, request, deadlineNs, limit);
        } finally {
            gate.unlock();
        }
    }

    private byte[] answerTo(Call call, byte[] request, long deadlineNs, Duration limit)
            throws IOException {
        boolean isSent = false;
        boolean isEnded = false;
        try {
            if (!line.isEmpty() || !protocol.hasRoom()) {
                awaitRoom(enter(), deadlineNs, limit);
            }
            protocol.put(Frame.REQUEST, 0, call.number(), MemorySegment.ofArray(request));
            isSent = true;
            boolean isOver =
                    gate.await(call.waiter, deadlineNs, () -> !call.isPending() || isOver());
            if (!isOver) {
                throw late("no reply from %s", limit);
            }
            if (call.isPending()) {
                throw ended();
            }
            byte[] reply = call.reply;
            if (call.isFailed) {
                throw RequestFailedException.of(peer(), reply);
            }
            isEnded = true;
            protocol.calls.end(call);
            return reply;
        } finally {
            if (!isEnded && isSent) {
                protocol.calls.giveUp(call);
            } else if (!isEnded) {
                protocol.calls.end(call);
            }
            gate.wake(protocol.callers);
        }
    }

    /// Sends a request; the future has the reply, or an [IOException].
    public CompletableFuture<byte[]> requestAsync(byte[] request, Duration limit) {
        requireFits(request.length);
        return node.tasks().run(() -> request(request, limit));
    }

    /// Takes the next request of the peer, waiting for it without a limit; null when the peer has
    /// closed the channel.
    public @Nullable Request nextRequest() throws IOException {
        gate.lock();
        try {
            if (!awaitInput(protocol.servers, hasRequest, null, Waits.NEVER)) {
                return null;
            }
            int slot = protocol.requests.take();
            byte[] bytes = protocol.at(slot).toArray(ValueLayout.JAVA_BYTE);
            Request request = new Request(this, protocol.number(slot), bytes);
            protocol.taken(slot);
            return request;
        } finally {
            gate.unlock();
        }
    }

    /// Answers requests until the channel is closed, here or by the peer; several threads may serve
    /// one channel.
    public void serve(RequestHandler handler) throws IOException {
        try {
            Request request;
            while ((request = nextRequest()) != null) {
                answer(request, handler);
            }
        } catch (ChannelException ended) {
            if (!isClosedNow()) {
                throw ended;
            }
        }
    }

    private void answer(Request request, RequestHandler handler) throws IOException {
        byte[] reply;
        try {
            reply = handler.handle(request.bytes());
            requireFits(reply.length);
        } catch (Exception failure) {
            request.fail(failure.toString());
            return;
        }
        request.reply(reply);
    }

    private boolean isClosedNow() {
        gate.lock();
        try {
            return isClosed;
        } finally {
            gate.unlock();
        }
    }

    /// A reply costs no credit: the peer has kept a receive for it.
    void answer(int flag, long number, byte[] reply) throws IOException {
        Duration limit = node.settings().timeout();
        gate.lock();
        try {
            requireSending();
            long deadlineNs = gate.waits.after(limit);
            boolean isFree =
                    gate.await(
                            protocol.senders, deadlineNs, () -> isOver() || protocol.hasFreeSend());
            requireSending();
            if (!isFree) {
                throw late("no message leaves for %s", limit);
            }
            protocol.put(Frame.REPLY, flag, number, MemorySegment.ofArray(reply));
        } finally {
            gate.unlock();
        }
    }

    // ---- memory of the peer

    /// The memory that the peer's node exports under a name.
    ///
    /// @throws ChannelException when it exports none
    /// @throws UnsupportedException when the channel runs over TCP
    public RemoteMemory memory(String name) throws IOException {
        RemoteOps ops = requireRemote();
        byte[] asked = ExportedMemory.nameBytes(name);
        Duration limit = node.settings().timeout();
        gate.lock();
        try {
            requireSending();
            RemoteSlice slice = lookUp(asked, gate.waits.after(limit), limit);
            if (slice == null) {
                throw new ChannelException(
                        "%s exports no memory '%s'; RdmaNode.export does".formatted(peer(), name));
            }
            return new RemoteMemory(this, ops, slice, limit);
        } finally {
            gate.unlock();
        }
    }

    /// The memory of a slice that the peer's program has sent.
    ///
    /// @throws UnsupportedException when the channel runs over TCP
    public RemoteMemory memory(RemoteSlice slice) {
        return new RemoteMemory(this, requireRemote(), slice, node.settings().timeout());
    }

    private RemoteOps requireRemote() {
        if (remote == null) {
            throw new UnsupportedException(
                    toString(),
                    "it runs over TCP, which has no remote memory",
                    "use requests, or open an RDMA device");
        }
        return remote;
    }

    private @Nullable RemoteSlice lookUp(byte[] name, long deadlineNs, Duration limit)
            throws IOException {
        boolean isFree =
                gate.await(
                        protocol.lookers,
                        deadlineNs,
                        () -> isOver() || (!protocol.isLookingUp() && protocol.hasFreeSend()));
        requireSending();
        if (!isFree) {
            throw late("other threads ask %s for memory", limit);
        }
        protocol.ask(name);
        boolean isHere = false;
        try {
            isHere =
                    gate.await(
                            protocol.lookers, deadlineNs, () -> isOver() || protocol.isFoundHere());
        } finally {
            if (!isHere) {
                protocol.giveLookupUp();
            }
        }
        if (!isHere) {
            throw late("no answer about memory from %s", limit);
        }
        if (!protocol.isFoundHere()) {
            throw ended();
        }
        return protocol.takeFound();
    }

    // ---- the end

    /// Sends what is under way, tells the peer, and ends the channel. Threads that wait get a
    /// [ChannelException]; what the peer sent and no thread has taken is lost.
    @Override
    public void close() {
        gate.lock();
        try {
            if (isClosed) {
                return;
            }
            isClosed = true;
            wakeAll();
            sayGoodbye();
            protocol.end(new ChannelException(this + " was closed here"));
        } finally {
            gate.unlock();
        }
        lane.end();
        node.closed(this);
    }

    /// What was sent has arrived when its place is free again; a peer that takes nothing for the
    /// node's timeout loses it.
    private void sayGoodbye() {
        long deadlineNs = gate.waits.after(node.settings().timeout());
        try {
            if (gate.await(
                    protocol.senders,
                    deadlineNs,
                    () -> protocol.isOver() || protocol.hasFreeSend())) {
                if (!protocol.isOver()) {
                    protocol.bye();
                    gate.await(
                            protocol.senders,
                            deadlineNs,
                            () -> protocol.isOver() || protocol.areAllSent());
                }
            }
        } catch (InterruptedIOException interrupt) {
            // The thread wants to end: without waiting for the peer.
        }
    }

    private void wakeAll() {
        protocol.wakeAll();
        if (remote != null) {
            remote.wakeAll();
        }
    }

    // ---- waiting; the lock is held

    private boolean isOver() {
        return isClosed || protocol.isOver();
    }

    /// A place in the line of senders.
    private Object enter() {
        Object place = new Object();
        line.addLast(place);
        return place;
    }

    private void leave(Object place) {
        line.remove(place);
        gate.wake(protocol.senders);
    }

    private void awaitRoom(Object place, long deadlineNs, Duration limit) throws IOException {
        try {
            boolean isFree =
                    gate.await(
                            protocol.senders,
                            deadlineNs,
                            () ->
                                    isOver()
                                            || (place.equals(line.peekFirst())
                                                    && protocol.hasRoom()));
            requireSending();
            if (!isFree) {
                throw late("%s takes no more messages", limit);
            }
        } finally {
            leave(place);
        }
    }

    private byte @Nullable [] take(
            IntRing from,
            ArrayDeque<Thread> among,
            BooleanSupplier isHere,
            @Nullable Duration limit,
            long deadlineNs)
            throws IOException {
        gate.lock();
        try {
            if (!awaitInput(among, isHere, limit, deadlineNs)) {
                return null;
            }
            int slot = from.take();
            byte[] bytes = protocol.at(slot).toArray(ValueLayout.JAVA_BYTE);
            protocol.taken(slot);
            return bytes;
        } finally {
            gate.unlock();
        }
    }

    /// Returns false when the peer has closed the channel and there is nothing left to take.
    private boolean awaitInput(
            ArrayDeque<Thread> among,
            BooleanSupplier isHere,
            @Nullable Duration limit,
            long deadlineNs)
            throws IOException {
        boolean isOver = gate.await(among, deadlineNs, isHere);
        if (isClosed) {
            throw closed();
        }
        boolean isRequest = isHere.equals(hasRequest);
        if (!(isRequest ? protocol.requests : protocol.messages).isEmpty()) {
            return true;
        }
        if (!isOver && limit != null) {
            throw late(isRequest ? "no request from %s" : "no message from %s", limit);
        }
        if (protocol.hasPeerLeft()) {
            return false;
        }
        throw ended();
    }

    private void requireSending() throws IOException {
        if (isClosed || protocol.isOver()) {
            throw ended();
        }
    }

    private IOException ended() {
        if (isClosed) {
            return closed();
        }
        ChannelException why = protocol.failure();
        return why != null
                ? why.again()
                : new ChannelException(peer() + " has closed the channel and takes nothing more");
    }

    private ChannelException closed() {
        return new ChannelException(this + " was closed here");
    }

    SocketTimeoutException late(String what, Duration limit) {
        return new SocketTimeoutException(
                what.formatted(peer()) + " within " + limit.toMillis() + " ms");
    }

    void requireFits(long bytes) {
        if (bytes > messageBytes()) {
            throw new InvalidRequestException(
                    toString(),
                    "%d bytes, and messages have at most %d".formatted(bytes, messageBytes()),
                    "raise NodeSettings.messageBytes on both sides, or use RemoteMemory");
        }
    }

    /// For remote memory; the lock is held.
    void requireOpen() throws IOException {
        requireSending();
    }

    /// The queue pair takes nothing more.
    void gone(VerbsException over) throws IOException {
        protocol.end(protocol.gone(over));
        throw ended();
    }

    boolean isEnding() {
        return isOver();
    }

    boolean isClosedHere() {
        return isClosed;
    }

    <T extends @Nullable Object> CompletableFuture<T> run(Callable<T> work) {
        return node.tasks().run(work);
    }

    void requireNode(Object other) {
        if (other != node) {
            throw new InvalidRequestException(
                    toString(), "the buffer belongs to another node", "use a pool of this node");
        }
    }

    @Override
    public String toString() {
        return "channel to " + peer();
    }
}
