package dev.verbena.interop.matrix;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.DatagramHeader;
import dev.verbena.verbs.DatagramListener;
import dev.verbena.verbs.DatagramRequest;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.Resolution;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The other side of librdmacm's `udaddy`: several datagram queue pairs, found by port; the client
/// sends to each with its own number as immediate data, the server answers there as often.
///
/// `UdaddyPeer server|client DEVICE ADDRESS PAIRS MESSAGES BYTES`
public final class UdaddyPeer extends CmExamplePeer {
    private static final int PORT = 7174;
    private static final int KEY = DatagramListener.USUAL_QUEUE_KEY;

    private record Peer(AddressHandle way, int number) {}

    private final Map<Integer, QueuePair> pairs = new HashMap<>();

    /// The peer that a queue pair of the server answers.
    private final Map<QueuePair, Peer> peers = new HashMap<>();

    private UdaddyPeer(Task task) {
        super(task, DatagramHeader.LENGTH);
    }

    /// Ends with 1 when something is not as it should be.
    public static void main(String... words) throws ConnectionFailedException {
        run(words, "queue pairs", UdaddyPeer::new);
    }

    private QueuePair pair() {
        QueuePair pair =
                domain.queuePair(
                        QueuePairType.UD,
                        it ->
                                it.completions(completions)
                                        .queueKey(KEY)
                                        .sendDepth(messages)
                                        .receiveDepth(messages));
        for (int i = 0; i < messages; i++) {
            pair.receives().receive().local(region, bytes, DatagramHeader.LENGTH + bytes).post();
        }
        pair.activate();
        pairs.put(pair.number(), pair);
        return pair;
    }

    @Override
    void serve(int count) {
        try (DatagramListener listener = device.listenForDatagrams(PORT, count)) {
            for (int i = 0; i < count; i++) {
                DatagramRequest request = listener.await(LIMIT);
                if (request == null) {
                    throw new IllegalStateException("only " + i + " clients came");
                }
                request.accept(pair());
            }
            await("messages", () -> received == count * messages);
            peers.forEach((pair, peer) -> send(pair, peer.way, peer.number, KEY));
            await("answers", () -> sent == count * messages);
        }
    }

    @Override
    void ask(Address server, int count) throws ConnectionFailedException {
        List<Resolution> asked = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            asked.add(device.resolve(server, PORT));
        }
        for (Resolution one : asked) {
            if (!one.await(LIMIT)) {
                throw new IllegalStateException(one + ": not answered in time");
            }
            AddressHandle way = domain.addressHandle(one.address());
            send(pair(), way, one.queuePair(), one.queueKey());
        }
        await("answers", () -> received == count * messages);
    }

    private void send(QueuePair from, AddressHandle way, int peer, int key) {
        for (int i = 0; i < messages; i++) {
            from.sends()
                    .sendImmediate(from.number())
                    .local(region, 0, bytes)
                    .to(way, peer, key)
                    .signaled()
                    .post();
        }
    }

    @Override
    void failed(Completion done) {
        throw new IllegalStateException(done.status().explanation());
    }

    @Override
    void came(Completion done) {
        QueuePair pair = pairs.get(done.queuePair());
        if (done.byteLength() != DatagramHeader.LENGTH + bytes || !done.hasImmediate()) {
            throw new IllegalStateException(
                    "a datagram of " + done.byteLength() + " bytes, or without its number");
        }
        if (pair != null && !peers.containsKey(pair)) {
            var back = Address.replyTo(done, region.segment(), bytes, device.gids(1));
            peers.put(pair, new Peer(domain.addressHandle(back), done.immediate()));
        }
    }
}
