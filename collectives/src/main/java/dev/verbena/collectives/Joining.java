package dev.verbena.collectives;

import dev.verbena.collectives.link.Member;
import dev.verbena.collectives.link.Reception;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.ConnectionFailedException.Reason;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How ranks that know nothing of each other but rank 0 become a communicator: all others tell rank
/// 0 where they listen, and get the list of all from it.
final class Joining {
    private static final long WORLD = 1;
    private static final Duration ATTEMPT = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Device device;
    private final int rank;
    private final int size;
    private final CommunicatorSettings settings;
    private final long deadlineNs;

    Joining(Device device, int rank, int size, CommunicatorSettings settings, Duration within) {
        if (size < 1 || size > Card.RANKS_MAX || rank < 0 || rank >= size) {
            throw new IllegalArgumentException(
                    "rank %d of %d: there may be 1 to %,d, counted from 0"
                            .formatted(rank, size, Card.RANKS_MAX));
        }
        this.device = device;
        this.rank = rank;
        this.size = size;
        this.settings = settings;
        deadlineNs = settings.clock().getAsLong() + within.toNanos();
    }

    Communicator join(Address root, int port, int host) throws ConnectionFailedException {
        Reception reception = new Reception(device, 0);
        try {
            Member self = new Member(List.of(Member.addressOf(device)), reception.port(), host);
            List<Member> members = size == 1 ? List.of(self) : gather(self, root, port);
            return new Communicator(WORLD, rank, members, List.of(reception), settings).owning();
        } catch (ConnectionFailedException | RuntimeException failed) {
            reception.close();
            throw failed;
        }
    }

    private List<Member> gather(Member self, Address root, int port)
            throws ConnectionFailedException {
        try (ProtectionDomain domain = device.protectionDomain();
                CompletionQueue completions = device.completionQueue(2 * size);
                MemoryRegion table =
                        domain.allocate((long) Card.LENGTH * size, Access.LOCAL_WRITE)) {
            return rank == 0
                    ? collect(self, port, domain, completions, table)
                    : ask(self, root, port, domain, completions, table);
        }
    }

    // ---- rank 0

    private List<Member> collect(
            Member self,
            int port,
            ProtectionDomain domain,
            CompletionQueue completions,
            MemoryRegion table)
            throws ConnectionFailedException {
        @Nullable Member[] known = new @Nullable Member[size];
        known[0] = self;
        List<QueuePair> pairs = new ArrayList<>();
        List<Connection> connections = new ArrayList<>();
        try (Listener listener = device.listen(port, Math.min(1024, 2 * size))) {
            while (connections.size() < size - 1) {
                ConnectionRequest request = listener.await(left("rank 0", missing(known)));
                String refusal = request == null ? "" : admit(request, known);
                if (request == null) {
                    continue;
                }
                if (!refusal.isEmpty()) {
                    request.reject(refusal.getBytes(StandardCharsets.US_ASCII));
                    continue;
                }
                QueuePair pair = pair(domain, completions);
                pairs.add(pair);
                connections.add(request.accept(pair));
            }
            List<Member> members = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                Member member = known[i];
                if (member == null) {
                    throw new AssertionError("rank " + i + " was admitted");
                }
                members.add(member);
                Card.put(table.segment(), (long) i * Card.LENGTH, member);
            }
            hand(pairs, connections, completions, table);
            return members;
        } finally {
            connections.forEach(Connection::close);
            pairs.forEach(QueuePair::close);
        }
    }

    /// Notes where a rank is; returns why not, or nothing.
    private String admit(ConnectionRequest request, @Nullable Member[] known) {
        Card.Hello hello = Card.hello(request.privateData());
        if (hello == null) {
            return "this is no rank of a communicator, or one of another version";
        }
        if (hello.size() != size) {
            return "rank 0 was started for %d ranks, not %d".formatted(size, hello.size());
        }
        if (hello.rank() <= 0 || hello.rank() >= size) {
            return "there is no rank %d of %d".formatted(hello.rank(), size);
        }
        if (known[hello.rank()] != null) {
            return "rank %d is here already".formatted(hello.rank());
        }
        known[hello.rank()] = hello.member();
        return "";
    }

    private void hand(
            List<QueuePair> pairs,
            List<Connection> connections,
            CompletionQueue completions,
            MemoryRegion table)
            throws ConnectionFailedException {
        for (int i = 0; i < pairs.size(); i++) {
            if (!connections.get(i).await(left("rank 0", "connections"))) {
                throw late("rank 0", "a connection to be made");
            }
            pairs.get(i).post(batch -> batch.send(table.slice()).signaled());
        }
        await(completions, pairs.size(), "the list of ranks to arrive");
    }

    private String missing(@Nullable Member[] known) {
        StringBuilder text = new StringBuilder();
        int named = 0;
        for (int i = 0; i < size && named < 8; i++) {
            if (known[i] == null) {
                text.append(named++ == 0 ? "rank " : ", ").append(i);
            }
        }
        return text.toString();
    }

    // ---- the others

    private List<Member> ask(
            Member self,
            Address root,
            int port,
            ProtectionDomain domain,
            CompletionQueue completions,
            MemoryRegion table)
            throws ConnectionFailedException {
        byte[] hello = Card.hello(rank, size, self);
        while (true) {
            QueuePair pair = pair(domain, completions);
            pair.postReceive(batch -> batch.receive(table.slice()));
            Connection connection = device.connect(pair, root, port, hello);
            try (pair;
                    connection) {
                if (connection.await(least(ATTEMPT))) {
                    await(completions, 1, "the list of ranks from rank 0");
                    // Our acknowledgement may be under way: rank 0 ends the connection.
                    connection.awaitDisconnected(least(ATTEMPT));
                    return Card.all(table.segment(), size);
                }
            } catch (ConnectionFailedException refused) {
                if (refused.reason() == Reason.REJECTED) {
                    byte[] why = refused.privateData();
                    String reason = new String(why, StandardCharsets.US_ASCII).trim();
                    throw new ConnectionFailedException(
                            "rank %d: rank 0 refuses it: %s".formatted(rank, reason),
                            Reason.REJECTED,
                            why);
                }
                // Rank 0 may not listen yet.
            }
            left("rank " + rank, "rank 0 to listen at " + root.gid() + ", port " + port);
            completions.await(PAUSE, _ -> {});
        }
    }

    private static QueuePair pair(ProtectionDomain domain, CompletionQueue completions) {
        return domain.queuePair(
                QueuePairType.RC, it -> it.completions(completions).sendDepth(1).receiveDepth(1));
    }

    private void await(CompletionQueue completions, int count, String what)
            throws ConnectionFailedException {
        int[] seen = new int[1];
        String[] wrong = new String[1];
        while (seen[0] < count) {
            completions.await(
                    left("rank " + rank, what),
                    done -> {
                        seen[0]++;
                        if (!done.isSuccess()) {
                            wrong[0] = done.explanation();
                        }
                    });
            if (wrong[0] != null) {
                throw new ConnectionFailedException(
                        "rank %d: %s".formatted(rank, wrong[0]), Reason.OTHER);
            }
        }
    }

    private Duration left(String who, String what) throws ConnectionFailedException {
        long leftNs = deadlineNs - settings.clock().getAsLong();
        if (leftNs <= 0) {
            throw late(who, what);
        }
        return Duration.ofNanos(leftNs);
    }

    private Duration least(Duration atMost) {
        long leftNs = deadlineNs - settings.clock().getAsLong();
        return leftNs < atMost.toNanos() ? Duration.ofNanos(Math.max(0, leftNs)) : atMost;
    }

    private static ConnectionFailedException late(String who, String what) {
        return new ConnectionFailedException(
                who + " has waited in vain for " + what + "; start all ranks, with the same size",
                Reason.NO_ANSWER);
    }
}
