package dev.verbena.easy;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A queue pair that moves the frames of one channel.
///
/// Identifiers of completions: tag of the lane in 32 bits, kind in 8, place in 24.
final class RdmaLane implements Lane {
    static final int SEND = 1;
    static final int RECEIVE = 2;
    static final int OPERATION = 3;

    private static final int KIND_SHIFT = 24;

    private final Gate gate;
    private final CompletionLoop loop;
    private final LaneUser user;
    private final Slab slab;
    private final int tag;
    private final MemoryRegion region;
    private final QueuePair pair;
    private final RemoteOps remote;
    private String peer = "a peer";
    private @Nullable Connection connection;
    private boolean isEnded;
    private boolean hasFailed;

    /// All receives are posted, before a peer can send.
    RdmaLane(Gate gate, CompletionLoop loop, ProtectionDomain domain, Slab slab, LaneUser user) {
        this.gate = gate;
        this.loop = loop;
        this.user = user;
        this.slab = slab;
        tag = loop.reserve();
        try {
            region = domain.allocate(slab.bytes(), Access.LOCAL_WRITE);
        } catch (RuntimeException refused) {
            loop.release(tag);
            throw refused;
        }
        try {
            pair =
                    domain.queuePair(
                            QueuePairType.RC,
                            it ->
                                    it.completions(loop.queue())
                                            .sendDepth(slab.sends + RemoteOps.SLOTS)
                                            .receiveDepth(slab.receives));
        } catch (RuntimeException refused) {
            region.close();
            loop.release(tag);
            throw refused;
        }
        remote = new RemoteOps(gate, domain, pair, slab.messageBytes, tag);
        loop.attach(tag, this);
        for (int slot = 0; slot < slab.receives; slot++) {
            receive(slot);
        }
    }

    /// Requests in flight on one lane, and so completions.
    static int completions(Slab slab) {
        return slab.sends + RemoteOps.SLOTS + slab.receives;
    }

    static long id(int tag, int kind, int slot) {
        return (long) tag << 32 | (long) kind << KIND_SHIFT | slot;
    }

    static int tag(long id) {
        return (int) (id >>> 32);
    }

    QueuePair pair() {
        return pair;
    }

    RemoteOps remote() {
        return remote;
    }

    void connected(Connection made, String to) {
        connection = made;
        peer = to;
    }

    @Override
    public MemorySegment memory() {
        return region.segment();
    }

    @Override
    public void send(int slot, int bytes) {
        boolean isPosted =
                pair.sends()
                        .send()
                        .local(region, slab.ofSend(slot), bytes)
                        .id(id(tag, SEND, slot))
                        .signaled()
                        .post();
        assert isPosted : "the send queue has room for every place";
    }

    @Override
    public void receive(int slot) {
        boolean isPosted =
                pair.receives()
                        .receive()
                        .local(region, slab.ofReceive(slot), slab.stride)
                        .id(id(tag, RECEIVE, slot))
                        .post();
        assert isPosted : "the receive queue has room for every place";
    }

    /// Called by the thread that waits for completions.
    void completed(Completion done) {
        gate.lock();
        try {
            if (isEnded || hasFailed) {
                return;
            }
            if (!done.isSuccess()) {
                fail(why(done));
                return;
            }
            int kind = (int) done.id() >>> KIND_SHIFT;
            int slot = (int) done.id() & (1 << KIND_SHIFT) - 1;
            switch (kind) {
                case SEND -> user.sent(slot);
                case RECEIVE -> user.arrived(slot, done.byteLength());
                default -> remote.completed(slot);
            }
        } finally {
            gate.unlock();
        }
    }

    /// The device, or the thread that waits for completions, cannot go on.
    void broken(Throwable cause) {
        gate.lock();
        try {
            if (!isEnded && !hasFailed) {
                String message = "the channel to %s has ended: %s".formatted(peer, cause);
                fail(new ChannelException(message, null, cause));
            }
        } finally {
            gate.unlock();
        }
    }

    private void fail(ChannelException why) {
        hasFailed = true;
        user.failed(why);
        remote.wakeAll();
    }

    /// A flushed request says nothing about the cause. The first error of a queue pair is reported
    /// before what it flushes, so what is flushed first was ended by the connection.
    private ChannelException why(Completion done) {
        CompletionStatus status = done.status();
        if (status == CompletionStatus.FLUSHED) {
            return new ChannelException(
                    ("the connection to %s has ended without a goodbye: its program ended or was"
                                    + " stopped, the network is down, or the channel was not"
                                    + " closed")
                            .formatted(peer),
                    status,
                    null);
        }
        return new ChannelException(
                "the channel to %s has ended: %s".formatted(peer, done.explanation()),
                status,
                null);
    }

    @Override
    public String peer() {
        return peer;
    }

    @Override
    public void end() {
        gate.lock();
        try {
            if (isEnded) {
                return;
            }
            isEnded = true;
        } finally {
            gate.unlock();
        }
        Connection made = connection;
        if (made != null) {
            made.close();
        }
        pair.close();
        loop.release(tag); // nothing more completes
        gate.lock();
        try {
            remote.end();
        } finally {
            gate.unlock();
        }
        region.close();
    }
}
