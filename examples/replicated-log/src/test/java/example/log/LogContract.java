package example.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.testkit.Choices;
import dev.verbena.testkit.junit.RdmaGroup;
import dev.verbena.testkit.junit.RdmaHost;
import dev.verbena.testkit.junit.RdmaTest;
import example.log.ReplicatedLog.Copy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// What a replicated log promises, on a bad network: one leader and two followers.
abstract class LogContract {
    abstract ReplicatedLog log(RdmaHost leader, List<RdmaHost> followers);

    @RdmaTest(hosts = 3, loss = 0.02, reorder = 0.02, seeds = 200)
    void everythingCommittedIsThere(RdmaGroup group, Choices choices) {
        RdmaHost leader = group.host(0);
        List<RdmaHost> followers = group.hosts().subList(1, 3);
        ReplicatedLog log = log(leader, followers);
        List<String> committed = entries(choices.between(1, 20));
        committed.forEach(log::append);
        leader.device().close(); // a crash: what it has not sent by now, it never will
        for (RdmaHost follower : followers) {
            List<String> missing = missing(committed, follower);
            assertEquals(List.of(), missing, "committed, and not at " + follower);
        }
    }

    static List<Copy> copies(RdmaHost leader, List<RdmaHost> followers) {
        return followers.stream()
                .map(it -> new Copy(leader.pairTo(it), it.memory().remote()))
                .toList();
    }

    private static List<String> entries(int count) {
        return IntStream.range(0, count).mapToObj(i -> "entry " + i).toList();
    }

    private static List<String> missing(List<String> committed, RdmaHost follower) {
        List<String> missing = new ArrayList<>(committed);
        missing.removeAll(LogLayout.read(follower.memory().segment()));
        return missing;
    }
}
