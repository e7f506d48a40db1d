package dev.verbena.conformance.hostile;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/// The side of [HostilePeers] that stays: accepts all that connect, works with their memory, and
/// keeps account of its requests.
final class PeerServer implements AutoCloseable {
    static final int PORT = 7480;

    private static final int BYTES = 1 << 16;
    private static final int COMPLETIONS = 1 << 12;
    private static final int DEPTH = 32;
    private static final int CONNECTIONS_MAX = 32;

    /// One in so many requests goes to a connection that is over.
    private static final int SELDOM = 64;

    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration IDLE = Duration.ofMillis(100);

    /// A connection, and the memory that its peer has named.
    private record Guest(Connection connection, RemoteSlice memory) {}

    private final ProtectionDomain domain;
    private final CompletionQueue queue;
    private final Listener listener;

    /// What peers write to and read; what is sent to them and read from them.
    private final MemoryRegion open;

    private final MemoryRegion own;
    private final List<Guest> guests = new ArrayList<>();
    private final Set<Long> outstanding = new HashSet<>();
    private final Map<CompletionStatus, Long> statuses = new EnumMap<>(CompletionStatus.class);
    private long nextId;
    private long ended;
    private long accepted;

    PeerServer(Device device) {
        domain = device.protectionDomain();
        queue = device.completionQueue(COMPLETIONS);
        listener = device.listen(PORT, CONNECTIONS_MAX);
        open = domain.allocate(BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ);
        own = domain.allocate(BYTES, Access.LOCAL_WRITE);
        open.segment().fill(Side.OURS);
        own.segment().fill(Side.OURS);
    }

    /// Does something, and takes what has completed.
    void turn(SplittableRandom random, boolean posts) {
        accept();
        if (posts && !guests.isEmpty()) {
            post(guests.get(random.nextInt(guests.size())), random);
        }
        queue.await(SHORT, this::completed);
    }

    private void accept() {
        ConnectionRequest request = listener.poll();
        if (request == null) {
            return;
        }
        if (guests.size() == CONNECTIONS_MAX) {
            request.reject();
            return;
        }
        RemoteSlice memory = RemoteSlice.of(request.privateData());
        QueuePair pair =
                domain.queuePair(
                        QueuePairType.RC,
                        it -> it.completions(queue).sendDepth(DEPTH).receiveDepth(DEPTH));
        Connection connection = request.accept(pair, open.remote().toBytes());
        // A peer that is gone is noticed although only receives are posted.
        connection.keepAlive(IDLE);
        guests.add(new Guest(connection, memory));
        accepted++;
    }

    private void post(Guest guest, SplittableRandom random) {
        boolean isUp = guest.connection.state() == Connection.State.ESTABLISHED;
        if (!isUp && random.nextInt(SELDOM) > 0) {
            return;
        }
        QueuePair pair = guest.connection.queuePair();
        long id = nextId++;
        long part = Math.min(guest.memory.length(), BYTES);
        boolean isTaken = false;
        outstanding.add(id);
        try {
            isTaken =
                    switch (random.nextInt(4)) {
                        case 0 ->
                                pair.post(
                                        it ->
                                                it.write(
                                                                own.slice(0, part),
                                                                guest.memory.slice(0, part))
                                                        .id(id)
                                                        .signaled());
                        case 1 ->
                                pair.post(
                                        it ->
                                                it.read(
                                                                own.slice(0, part),
                                                                guest.memory.slice(0, part))
                                                        .id(id)
                                                        .signaled());
                        case 2 -> pair.post(it -> it.send(own.slice(0, 64)).id(id).signaled());
                        default -> pair.postReceive(it -> it.receive(own.slice(0, 64)).id(id));
                    };
        } catch (VerbsException refused) {
            // Not connected yet.
        } finally {
            if (!isTaken) {
                outstanding.remove(id);
            }
        }
    }

    private void completed(Completion done) {
        if (!outstanding.remove(done.id())) {
            throw new AssertionError("completed twice, or never posted: " + done);
        }
        ended++;
        statuses.merge(done.status(), 1L, Long::sum);
    }

    /// Whether nothing is left of the peers.
    boolean isAtRest() {
        return outstanding.isEmpty()
                && guests.stream().allMatch(it -> HostilePeers.isOver(it.connection));
    }

    /// Closes what belonged to peers that are gone.
    void forget() {
        guests.forEach(it -> it.connection.queuePair().close());
        guests.clear();
    }

    void requireNoForeignByte(String what) {
        for (MemoryRegion region : List.of(open, own)) {
            MemorySegment all = region.segment();
            for (long at = 0; at < all.byteSize(); at++) {
                byte found = all.get(ValueLayout.JAVA_BYTE, at);
                if (found != Side.OURS) {
                    throw new AssertionError(
                            "%s: byte %d of %s is 0x%02x, which no memory of the peer's held"
                                    .formatted(what, at, region, found));
                }
            }
        }
    }

    long connections() {
        return accepted;
    }

    long ended() {
        return ended;
    }

    Map<CompletionStatus, Long> statuses() {
        return statuses;
    }

    @Override
    public void close() {
        forget();
        listener.close();
        queue.close();
        open.close();
        own.close();
        domain.close();
    }

    @Override
    public String toString() {
        return "%d requests outstanding, connections %s"
                .formatted(
                        outstanding.size(),
                        guests.stream()
                                .map(it -> it.connection + " " + it.connection.state())
                                .toList());
    }
}
