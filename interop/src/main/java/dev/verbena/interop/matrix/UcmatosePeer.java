package dev.verbena.interop.matrix;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.util.ArrayList;
import java.util.List;

/// The other side of librdmacm's `ucmatose`: several connections; the server sends on each, the
/// client answers as often, the server disconnects.
///
/// `UcmatosePeer server|client DEVICE ADDRESS CONNECTIONS MESSAGES BYTES`
public final class UcmatosePeer extends CmExamplePeer {
    private static final int PORT = 7471;

    private final List<QueuePair> pairs = new ArrayList<>();
    private final List<Connection> connections = new ArrayList<>();

    private UcmatosePeer(Task task) {
        super(task, 0);
    }

    /// Ends with 1 when something is not as it should be.
    public static void main(String... words) throws ConnectionFailedException {
        run(words, "connections", UcmatosePeer::new);
    }

    private QueuePair pair() {
        QueuePair pair =
                domain.queuePair(
                        QueuePairType.RC,
                        it ->
                                it.completions(completions)
                                        .sendDepth(messages)
                                        .receiveDepth(messages));
        for (int i = 0; i < messages; i++) {
            pair.receives().receive().local(region, bytes, bytes).post();
        }
        pairs.add(pair);
        return pair;
    }

    @Override
    void serve(int count) throws ConnectionFailedException {
        try (Listener listener = device.listen(PORT, count)) {
            for (int i = 0; i < count; i++) {
                ConnectionRequest request = listener.await(LIMIT);
                if (request == null) {
                    throw new IllegalStateException("only " + i + " clients came");
                }
                connections.add(request.accept(pair()));
            }
        }
        awaitConnections();
        send();
        await("answers", () -> received == count * messages);
        connections.forEach(Connection::disconnect);
    }

    @Override
    void ask(Address server, int count) throws ConnectionFailedException {
        for (int i = 0; i < count; i++) {
            connections.add(device.connect(pair(), server, PORT));
        }
        awaitConnections();
        await("messages", () -> received == count * messages);
        send();
        await("sends", () -> sent == count * messages);
        await(
                "ends",
                () ->
                        connections.stream()
                                .allMatch(it -> it.state() == Connection.State.DISCONNECTED));
    }

    private void awaitConnections() throws ConnectionFailedException {
        for (Connection connection : connections) {
            if (!connection.await(LIMIT)) {
                throw new IllegalStateException(connection + ": not decided in time");
            }
        }
    }

    private void send() {
        for (QueuePair pair : pairs) {
            for (int i = 0; i < messages; i++) {
                pair.sends().send().local(region, 0, bytes).signaled().post();
            }
        }
    }

    @Override
    void failed(Completion done) {
        // Given back when the peer left.
    }
}
