package dev.verbena.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.subnet.state.Command;
import dev.verbena.testkit.Wait;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.ratis.conf.RaftProperties;

/// Replicas in this process, which reach each other over the loopback address.
final class Cluster implements AutoCloseable {
    private static final Duration WAIT = Duration.ofSeconds(60);
    private static final long TIMEOUT_MS = 250;

    final List<Member> members;
    private final Path place;
    private final Consumer<RaftProperties> changes;
    private final Map<String, Replica> running = new TreeMap<>();

    Cluster(Path place, int count) throws IOException {
        this(place, count, _ -> {});
    }

    Cluster(Path place, int count, Consumer<RaftProperties> changes) throws IOException {
        this.place = place;
        this.changes = changes;
        members = members(count);
        for (Member member : members) {
            start(member.id());
        }
    }

    static List<Member> members(int count) throws IOException {
        List<Member> members = new ArrayList<>();
        List<ServerSocket> held = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            held.add(socket);
            String id = Character.toString('a' + i);
            members.add(new Member(id, "127.0.0.1", socket.getLocalPort()));
        }
        for (ServerSocket socket : held) {
            socket.close();
        }
        return members;
    }

    Replica start(String id) throws IOException {
        Replica replica =
                new Replica(members, id, 0, place.resolve(id), TIMEOUT_MS, changes, () -> {});
        replica.start();
        running.put(id, replica);
        return replica;
    }

    void end(String id) throws IOException {
        Replica replica = running.remove(id);
        assertThat(replica).as("a replica that runs").isNotNull();
        replica.close();
    }

    Replica get(String id) {
        return Objects.requireNonNull(running.get(id), "a replica that runs");
    }

    /// The replica that may act as leader.
    Optional<String> leader() {
        return running.entrySet().stream()
                .filter(it -> isLeading(it.getValue()))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    static boolean isLeading(Replica replica) {
        try {
            return replica.leaseEndNs() - System.nanoTime() > 0;
        } catch (IOException ended) {
            return false;
        }
    }

    String awaitLeader() {
        await("a leader", () -> leader().isPresent());
        return leader().orElseThrow();
    }

    /// Waits for something that must happen.
    static void await(String what, BooleanSupplier condition) {
        Wait.until(what, WAIT, condition);
    }

    /// Proposes a command at the leader, again where it changes meanwhile.
    void propose(Command command) {
        await(
                "a command in the log",
                () -> {
                    awaitLeader();
                    return propose(running.values(), command);
                });
    }

    /// Whether the leader, if there is one, got a command into the log.
    static boolean propose(Collection<Replica> replicas, Command command) {
        Replica leader = replicas.stream().filter(Cluster::isLeading).findFirst().orElse(null);
        if (leader == null) {
            return false;
        }
        Batch batch = new Batch(List.of(new Batch.Item(leader.nextNumber(), command)));
        try {
            return leader.submit(batch).get(10, TimeUnit.SECONDS).isSuccess();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException failed) {
            return false;
        }
    }

    void awaitSame() {
        await(
                "the same state everywhere",
                () -> running.values().stream().map(Replica::commands).distinct().count() == 1);
    }

    @Override
    public void close() throws IOException {
        for (String id : List.copyOf(running.keySet())) {
            end(id);
        }
    }
}
