package dev.verbena.interop.matrix;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.DatagramHeader;
import dev.verbena.verbs.DatagramListener;
import dev.verbena.verbs.DatagramRequest;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.Resolution;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/// The other side of librdmacm's `udaddy`: several datagram queue pairs, found by port; the client
/// sends to each with its own number as immediate data, the server answers there as often.
///
/// `Daddy server|client DEVICE ADDRESS PAIRS MESSAGES BYTES`
public final class Daddy {
    private static final int PORT = 7174;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration TURN = Duration.ofMillis(20);
    private static final int KEY = DatagramListener.USUAL_QUEUE_KEY;

    private record Peer(AddressHandle way, int number) {}

    private final Device device;
    private final int messages;
    private final int bytes;
    private final CompletionQueue completions;
    private final ProtectionDomain domain;
    private final MemoryRegion region; // what is sent, then what came
    private final Map<Integer, QueuePair> pairs = new HashMap<>();

    /// Whom a queue pair of the server's answers.
    private final Map<QueuePair, Peer> peers = new HashMap<>();

    private int sent;
    private int received;

    private Daddy(Device device, int count, int messages, int bytes) {
        this.device = device;
        this.messages = messages;
        this.bytes = bytes;
        completions = device.completionQueue(2 * count * messages);
        domain = device.protectionDomain();
        region = domain.allocate(2L * bytes + DatagramHeader.LENGTH, Access.LOCAL_WRITE);
    }

    /// Ends with 1 when something is not as it should be.
    public static void main(String... words) throws ConnectionFailedException {
        int count = Integer.parseInt(words[3]);
        int messages = Integer.parseInt(words[4]);
        try (Device device = Devices.open(words[1])) {
            Daddy run = new Daddy(device, count, messages, Integer.parseInt(words[5]));
            if (words[0].equals("server")) {
                run.serve(count);
            } else {
                run.ask(Address.to(Gid.parse(words[2])), count);
            }
            System.out.printf(
                    "%d queue pairs, %d messages sent, %d received%n",
                    count, run.sent, run.received);
        }
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

    private void serve(int count) {
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

    private void ask(Address server, int count) throws ConnectionFailedException {
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
            throw new IllegalStateException(done.status().explanation());
        }
        if (done.operation() != CompletedOperation.RECEIVE) {
            sent++;
            return;
        }
        received++;
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
