package example.log;

import dev.verbena.testkit.junit.RdmaHost;
import dev.verbena.verbs.QueuePair;
import example.log.ReplicatedLog.Copy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Fails, as it should: see [HastyLog].
class HastyLogTest extends LogContract {
    @Override
    ReplicatedLog log(RdmaHost leader, List<RdmaHost> followers) {
        List<Copy> copies = copies(leader, followers);
        Map<Copy, QueuePair> entryPairs = new HashMap<>();
        for (int i = 0; i < copies.size(); i++) {
            entryPairs.put(copies.get(i), leader.connect(followers.get(i)));
        }
        return new HastyLog(leader.memory(), leader.completions(), copies, entryPairs);
    }
}
