package dev.verbena.interop.matrix;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/// The other side of librdmacm's `ucmatose`: several connections; the server sends on each, the
/// client answers as often, the server disconnects.
///
/// `Cmatose server|client DEVICE ADDRESS CONNECTIONS MESSAGES BYTES`
public final class Cmatose {
    private static final int PORT = 7471;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration TURN = Duration.ofMillis(20);

    private final Device device;
    private final int messages;
    private final int bytes;
    private final CompletionQueue completions;
    private final ProtectionDomain domain;
    private final MemoryRegion region;
    private final List<QueuePair> pairs = new ArrayList<>();
    private final List<Connection> connections = new ArrayList<>();
    private int sent;
    private int received;

    private Cmatose(Device device, int count, int messages, int bytes) {
        this.device = device;
        this.messages = messages;
        this.bytes = bytes;
        completions = device.completionQueue(2 * count * messages);
        domain = device.protectionDomain();
        region = domain.allocate(2L * bytes, Access.LOCAL_WRITE);
    }

    /// Ends with 1 when something is not as it should be.
    public static void main(String... words) throws ConnectionFailedException {
        int count = Integer.parseInt(words[3]);
        int messages = Integer.parseInt(words[4]);
        try (Device device = Devices.open(words[1])) {
            Cmatose run = new Cmatose(device, count, messages, Integer.parseInt(words[5]));
            if (words[0].equals("server")) {
                run.serve(count);
            } else {
                run.ask(Address.to(Gid.parse(words[2])), count);
            }
            System.out.printf(
                    "%d connections, %d messages sent, %d received%n",
                    count, run.sent, run.received);
        }
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

    private void serve(int count) throws ConnectionFailedException {
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

    private void ask(Address server, int count) throws ConnectionFailedException {
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

    private void await(String what, BooleanSupplier isThere) {
        long endNs = System.nanoTime() + LIMIT.toNanos();
        while (!isThere.getAsBoolean()) {
            completions.await(TURN, this::count);
            if (System.nanoTime() > endNs) {
                throw new IllegalStateException(
                        "%s: %d sent and %d received within %d s"
                                .formatted(what, sent, received, LIMIT.toSeconds()));
            }
        }
    }

    private void count(Completion done) {
        if (!done.isSuccess()) {
            return; // given back when the peer left
        }
        if (done.operation() == CompletedOperation.RECEIVE) {
            received++;
        } else {
            sent++;
        }
    }
}
