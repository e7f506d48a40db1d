package dev.verbena.ibverbs;

import dev.verbena.verbs.DatagramListener;
import dev.verbena.verbs.DatagramRequest;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.UnsupportedException;
import dev.verbena.verbs.WrongStateException;
import dev.verbena.verbs.spi.ConnectionRules;

/// A question for a datagram queue pair that waits for the program's word.
final class IbvDatagramRequest extends CmRequest implements DatagramRequest {
    private static final int MOST_DATA = 136;

    IbvDatagramRequest(IbvDatagramListener listener, CmId id, CmEvent event) {
        super(listener, id, event, MOST_DATA);
    }

    @Override
    public void accept(QueuePair queuePair, byte... data) {
        IbvContext context = listener.device.context;
        context.lock.lock();
        try {
            requireOpen();
            IbvQueuePair pair = listener.home.own(queuePair);
            requireFits(pair);
            ConnectionRules.requireData(this, data.length, MOST_DATA);
            answered();
            int reason = id.accept(new CmParameters(data).of(pair.number()));
            id.end();
            if (reason != 0) {
                throw new WrongStateException(
                        toString(),
                        "it is over: " + Errno.text(reason),
                        "wait for the next request");
            }
        } finally {
            context.lock.unlock();
        }
    }

    private void requireFits(IbvQueuePair pair) {
        ConnectionRules.requireDatagrams(this, pair);
        ConnectionRules.requireActive(pair);
        int key = pair.known().queueKey();
        if (key != DatagramListener.USUAL_QUEUE_KEY) {
            throw new UnsupportedException(
                    pair.toString(),
                    "rdma_cm of Linux sends every peer the queue key 0x%x; its key is 0x%x"
                            .formatted(DatagramListener.USUAL_QUEUE_KEY, key),
                    "make it with the queue key DatagramListener.USUAL_QUEUE_KEY");
        }
    }
}
