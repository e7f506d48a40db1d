package example.log;

import dev.verbena.testkit.junit.RdmaHost;
import java.util.List;

class ReplicatedLogTest extends LogContract {
    @Override
    ReplicatedLog log(RdmaHost leader, List<RdmaHost> followers) {
        return new ReplicatedLog(
                leader.memory(), leader.completions(), copies(leader, followers));
    }
}
