package dev.verbena.ibverbs;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.spi.ConnectionRules;
import dev.verbena.verbs.spi.ObjectNames;

/// The common part of a connection request and a datagram request: each waits for one decision of
/// the program.
abstract class CmRequest {
    final Backlog<?> listener;
    final CmId id;
    final byte[] privateData;
    private final SocketAddress peer;
    private final int mostRefusal;
    private boolean isAnswered;

    /// @param mostRefusal bytes that may go along with a no
    CmRequest(Backlog<?> listener, CmId id, CmEvent event, int mostRefusal) {
        this.listener = listener;
        this.id = id;
        this.peer = id.peer();
        this.privateData = event.privateData();
        this.mostRefusal = mostRefusal;
    }

    public final Gid peer() {
        return peer.gid();
    }

    public final int peerPort() {
        return peer.port();
    }

    public final byte[] privateData() {
        return privateData.clone();
    }

    public final void reject(byte... data) {
        IbvContext context = listener.device.context;
        context.lock.lock();
        try {
            ConnectionRules.requireData(this, data.length, mostRefusal);
            if (!isAnswered) {
                isAnswered = true;
                id.reject(data);
                id.end();
            }
        } finally {
            context.lock.unlock();
        }
    }

    /// Refuses a second word, and one that comes too late.
    final void requireOpen() {
        listener.device.requireOpen();
        ConnectionRules.requireUnanswered(this, !isAnswered && id.isOpen());
    }

    final void answered() {
        isAnswered = true;
    }

    @Override
    public final String toString() {
        return ObjectNames.request(peer(), listener);
    }
}
