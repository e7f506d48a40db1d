package dev.verbena.manager;

import dev.verbena.subnet.state.Command;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Managers that know each other through [Wires], with stores as they are after a first start.
///
/// Ratis elects no leader by the vote of a manager with an empty log, once another one has entries:
/// its disk may have been lost. So a run begins with managers that have led before.
final class Group implements AutoCloseable {
    private static final long TIMEOUT_MS = 250;
    private static final long FIRST_KEY = 0x5EED;

    final Wires wires = new Wires();
    final List<Member> members = new ArrayList<>();
    final List<Integer> ports;
    private final Path stores;

    Group(Path place, int count) throws IOException {
        stores = place.resolve("stores");
        ports = Failover.freePorts(count);
        for (int i = 0; i < count; i++) {
            String id = Character.toString('a' + i);
            members.add(new Member(id, "127.0.0.1", wires.door(id, ports.get(i))));
        }
        prepare();
    }

    private void prepare() throws IOException {
        List<Replica> replicas = new ArrayList<>();
        try {
            for (int i = 0; i < members.size(); i++) {
                String id = members.get(i).id();
                replicas.add(
                        new Replica(
                                members,
                                id,
                                ports.get(i),
                                stores.resolve(id),
                                TIMEOUT_MS,
                                () -> {}));
                replicas.getLast().start();
            }
            Cluster.await("a first leader", () -> replicas.stream().anyMatch(Cluster::isLeading));
            Cluster.await("a first term", () -> Cluster.propose(replicas, first(replicas)));
            Cluster.await(
                    "the first term everywhere",
                    () -> replicas.stream().noneMatch(it -> it.commands().isEmpty()));
        } finally {
            for (Replica replica : replicas) {
                replica.close();
            }
        }
    }

    private static Command first(List<Replica> replicas) {
        return new Command.BeginTerm(1 + replicas.getFirst().commands().size(), FIRST_KEY);
    }

    /// The same managers anew, with the stores of the beginning.
    void copyTo(Path place) throws IOException {
        try (Stream<Path> all = Files.walk(stores)) {
            all.forEach(
                    it -> {
                        try {
                            if (!it.equals(stores) && !it.endsWith("in_use.lock")) {
                                Files.copy(it, place.resolve(stores.relativize(it)));
                            }
                        } catch (IOException failed) {
                            throw new UncheckedIOException(failed);
                        }
                    });
        }
    }

    String list() {
        return String.join(",", members.stream().map(it -> it.id() + "=" + it.address()).toList());
    }

    static void delete(Path place) throws IOException {
        try (Stream<Path> all = Files.walk(place)) {
            all.sorted(Comparator.reverseOrder())
                    .forEach(
                            it -> {
                                try {
                                    Files.deleteIfExists(it);
                                } catch (IOException failed) {
                                    throw new UncheckedIOException(failed);
                                }
                            });
        }
    }

    @Override
    public void close() throws IOException {
        wires.close();
    }
}
