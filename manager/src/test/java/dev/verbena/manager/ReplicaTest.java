package dev.verbena.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.subnet.state.Command;
import dev.verbena.subnet.state.SubnetState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Managers keep one state, over sockets and on disk.
@Timeout(120)
class ReplicaTest {
    @TempDir private Path place;

    @Test
    void allManagersHaveTheCommandsOfTheLeader() throws IOException {
        try (Cluster cluster = new Cluster(place, 3)) {
            for (int i = 1; i <= 20; i++) {
                cluster.propose(new Command.GiveLid(i, i));
            }
            cluster.awaitSame();
            assertThat(cluster.get("a").commands())
                    .hasSize(20)
                    .contains(new Command.GiveLid(20, 20));
            assertThat(cluster.members.stream().filter(it -> leads(cluster, it.id())).count())
                    .isEqualTo(1);
        }
    }

    private static boolean leads(Cluster cluster, String id) {
        return Cluster.isLeading(cluster.get(id));
    }

    @Test
    void anotherManagerLeadsWithTheSameStateWhenTheLeaderEnds() throws IOException {
        try (Cluster cluster = new Cluster(place, 3)) {
            cluster.propose(new Command.BeginTerm(1, 11));
            String first = cluster.awaitLeader();
            cluster.end(first);
            String second = cluster.awaitLeader();
            assertThat(second).isNotEqualTo(first);
            cluster.propose(new Command.BeginTerm(2, 22));
            cluster.start(first);
            cluster.awaitSame();
            assertThat(cluster.get(first).commands())
                    .containsExactly(new Command.BeginTerm(1, 11), new Command.BeginTerm(2, 22));
        }
    }

    @Test
    void aManagerWithoutAMajorityDoesNotLead() throws IOException {
        try (Cluster cluster = new Cluster(place, 3)) {
            String leader = cluster.awaitLeader();
            for (Member member : cluster.members) {
                if (!member.id().equals(leader)) {
                    cluster.end(member.id());
                }
            }
            Cluster.await("an end of the lease", () -> cluster.leader().isEmpty());
        }
    }

    @Test
    void aGroupThatStartsAgainHasItsStateFromItsLogAndFromItsSnapshot() throws IOException {
        List<Command> before;
        try (Cluster cluster = new Cluster(place, 3)) {
            cluster.propose(new Command.BeginTerm(1, 11));
            cluster.propose(new Command.GiveLid(7, 7));
            cluster.awaitSame();
            for (Member member : cluster.members) {
                cluster.get(member.id()).takeSnapshot();
            }
            cluster.propose(new Command.GiveLid(8, 8));
            cluster.awaitSame();
            before = cluster.get("a").commands();
            for (Member member : cluster.members) {
                cluster.end(member.id());
            }
            for (Member member : cluster.members) {
                cluster.start(member.id());
            }
            cluster.awaitLeader();
            cluster.propose(new Command.GiveLid(9, 9));
            cluster.awaitSame();
            assertThat(cluster.get("b").commands())
                    .containsAll(before)
                    .contains(new Command.GiveLid(9, 9));
        }
    }

    @Test
    void aManagerWithAnEmptyStoreGetsTheSnapshotOfALogThatIsGone() throws IOException {
        try (Cluster cluster = new Cluster(place, 3, ReplicaTest::shortLogs)) {
            cluster.propose(new Command.GiveLid(1, 1));
            cluster.awaitSame();
            String absent = cluster.awaitLeader().equals("c") ? "b" : "c";
            cluster.end(absent);
            Group.delete(place.resolve(absent));
            for (int i = 2; i <= 60; i++) {
                cluster.propose(new Command.GiveLid(i, i));
            }
            String leader = cluster.awaitLeader();
            Cluster.await("an end of the first entries", () -> !hasFirstEntries(leader));
            Replica late = cluster.start(absent);
            cluster.awaitSame();
            assertThat(late.commands()).hasSize(60).contains(new Command.GiveLid(1, 1));
            assertThat(hasFirstEntries(absent)).isFalse();
            cluster.propose(new Command.GiveLid(61, 61));
            cluster.awaitSame();
            assertThat(late.commands()).hasSize(61);
        }
    }

    /// Files of few entries, and a snapshot after few.
    private static void shortLogs(RaftProperties all) {
        RaftServerConfigKeys.Log.setSegmentSizeMax(all, SizeInBytes.valueOf(512));
        RaftServerConfigKeys.Log.setPreallocatedSize(all, SizeInBytes.valueOf(512));
        RaftServerConfigKeys.Log.setPurgeGap(all, 1);
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(all, 16);
    }

    /// Whether the log of a manager has a file that begins with the first entry.
    private boolean hasFirstEntries(String id) {
        try (Stream<Path> files = Files.walk(place.resolve(id))) {
            return files.map(it -> it.getFileName().toString())
                    .anyMatch(it -> it.startsWith("log_0-") || it.equals("log_inprogress_0"));
        } catch (IOException moved) {
            throw new UncheckedIOException(moved);
        }
    }

    @Test
    void aCopyFollowsFromTheMomentOnAtWhichItWasTaken() throws IOException {
        try (Cluster cluster = new Cluster(place, 1)) {
            cluster.propose(new Command.GiveLid(1, 1));
            ReplicatedState.Copy copy = cluster.get("a").copy();
            cluster.propose(new Command.GiveLid(2, 2));
            Cluster.await("a command", () -> copy.more().size() == 1);
            assertThat(copy.state().lids()).containsOnlyKeys(1L);
            assertThat(copy.more().remove().command()).isEqualTo(new Command.GiveLid(2, 2));
        }
    }

    @Test
    void takesCommandsOfNoOtherProgram() throws Exception {
        try (Cluster cluster = new Cluster(place, 1)) {
            cluster.awaitLeader();
            Batch batch = new Batch(List.of(new Batch.Item(1, new Command.GiveLid(1, 1))));
            boolean isTaken =
                    cluster.get("a")
                            .submit(ClientId.randomId(), batch)
                            .handle((reply, failed) -> failed == null && reply.isSuccess())
                            .get(30, TimeUnit.SECONDS);
            assertThat(isTaken).isFalse();
            assertThat(cluster.get("a").commands()).isEmpty();
        }
    }

    @Test
    void aFileOfAStateThatWasChangedIsRefused() throws IOException {
        SubnetState state = new SubnetState();
        for (int i = 1; i < 9; i++) {
            state.apply(new Command.GiveLid(i, i));
        }
        Path file = place.resolve("state");
        StateFile.write(file, state);
        assertThat(StateFile.read(file).commands()).isEqualTo(state.commands());
        byte[] bytes = Files.readAllBytes(file);
        for (int length = 0; length < bytes.length; length += 3) {
            Path part = place.resolve("part");
            Files.write(part, Arrays.copyOf(bytes, length));
            assertThatThrownBy(() -> StateFile.read(part)).isInstanceOf(IOException.class);
        }
    }
}
