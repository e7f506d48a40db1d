package dev.verbena.ibverbs;

import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.spi.ConnectionRules;

/// A request that waits for the program's word.
final class IbvConnectionRequest extends CmRequest implements ConnectionRequest {
    private static final int MOST_DATA = 196;
    private static final int MOST_REFUSAL = 148;

    /// Reads and atomics that the peer would have under way, and that it would serve.
    private final int wanted;

    private final int offered;

    IbvConnectionRequest(IbvListener listener, CmId id, CmEvent event) {
        super(listener, id, event, MOST_REFUSAL);
        this.wanted = event.responderResources();
        this.offered = event.initiatorDepth();
    }

    /// Linux' manager takes no other request for a port.
    @Override
    public QueuePairType type() {
        return QueuePairType.RC;
    }

    @Override
    public Connection accept(QueuePair queuePair, byte... data) {
        IbvContext context = listener.device.context;
        context.lock.lock();
        try {
            requireOpen();
            IbvQueuePair pair = listener.home.own(queuePair);
            ConnectionRules.requireType(this, type(), pair);
            ConnectionRules.requireUnconnected(pair, pair.connection != null);
            ConnectionRules.requireData(this, data.length, MOST_DATA);
            answered();
            IbvConnection made = new IbvConnection(listener.home, pair, peer(), id, privateData);
            made.agree(wanted, offered, data);
            return made;
        } finally {
            context.lock.unlock();
        }
    }
}
