package dev.verbena.ibverbs;

import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.WrongStateException;

/// A request that waits for the program's word.
final class IbvConnectionRequest implements ConnectionRequest {
    private static final int MOST_DATA = 196;
    private static final int MOST_REFUSAL = 148;

    private final IbvListener listener;
    private final CmId id;
    private final SocketAddress peer;
    private final byte[] privateData;

    /// Reads and atomics that the peer would have under way, and that it would serve.
    private final int wanted;

    private final int offered;
    private boolean isAnswered;

    IbvConnectionRequest(IbvListener listener, CmId id, CmEvent event) {
        this.listener = listener;
        this.id = id;
        this.peer = id.peer();
        this.privateData = event.privateData();
        this.wanted = event.responderResources();
        this.offered = event.initiatorDepth();
    }

    @Override
    public Gid peer() {
        return peer.gid();
    }

    @Override
    public int peerPort() {
        return peer.port();
    }

    /// Linux' manager takes no other request for a port.
    @Override
    public QueuePairType type() {
        return QueuePairType.RC;
    }

    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    @Override
    public Connection accept(QueuePair queuePair, byte... data) {
        IbvContext context = listener.device.context;
        context.lock.lock();
        try {
            requireOpen();
            IbvQueuePair pair = listener.home.own(queuePair);
            if (pair.type() != type()) {
                throw new InvalidRequestException(
                        toString(),
                        "it is for type " + type() + ", and " + pair + " is " + pair.type(),
                        "make a queue pair of the type that the request names");
            }
            Connections.requireUnconnected(pair);
            Connections.requireData(this, MOST_DATA, data);
            isAnswered = true;
            IbvConnection made = new IbvConnection(listener.home, pair, peer(), id, privateData);
            made.agree(wanted, offered, data);
            return made;
        } finally {
            context.lock.unlock();
        }
    }

    @Override
    public void reject(byte... data) {
        IbvContext context = listener.device.context;
        context.lock.lock();
        try {
            Connections.requireData(this, MOST_REFUSAL, data);
            if (!isAnswered) {
                isAnswered = true;
                id.reject(data);
                id.end();
            }
        } finally {
            context.lock.unlock();
        }
    }

    private void requireOpen() {
        listener.device.requireOpen();
        if (isAnswered || !id.isOpen()) {
            throw new WrongStateException(
                    toString(), "it is over, or was answered", "wait for the next request");
        }
    }

    @Override
    public String toString() {
        return "request of " + peer() + " for " + listener;
    }
}
