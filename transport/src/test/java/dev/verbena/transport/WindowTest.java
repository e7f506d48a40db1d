package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.WindowType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What becomes of a window's key when its bind is not carried out, and of a window when what it
/// stands on is closed.
class WindowTest {
    private static final int DEPTH = 4;

    private final Loopback network = new Loopback(1);
    private final TransportDevice left = network.open("left");
    private final TransportDevice right = network.open("right");
    private final ProtectionDomain domain = left.protectionDomain();
    private final CompletionQueue completions = left.completionQueue(64);
    private final MemoryWindow window = domain.window(WindowType.TYPE_2);

    @AfterEach
    void close() {
        left.close();
        right.close();
    }

    @Test
    void aBindThatFoundNoRoomCanBePostedAgain() {
        QueuePair pair = connected();
        MemoryRegion region = region();
        assertThat(pair.post(batch -> batch.bind(window, region.slice(), Access.REMOTE_READ)))
                .isTrue();
        int before = window.remoteKey();
        for (int i = 0; i < DEPTH - 1; i++) {
            assertThat(pair.post(batch -> batch.send(region.slice(0, 8)))).isTrue();
        }
        assertThat(rebind(pair, region)).as("room for two more").isFalse();
        assertThat(window.remoteKey()).as("the key that is in force").isEqualTo(before);
        assertThat(statuses()).isEmpty();
        assertThat(rebind(pair, region)).isTrue();
        assertThat(statuses()).containsExactly(CompletionStatus.SUCCESS);
        assertThat(window.remoteKey()).isNotEqualTo(before);
    }

    @Test
    void aBindThatIsGivenUpLeavesTheKeyThatIsInForce() {
        QueuePair pair = connected();
        MemoryRegion region = region();
        pair.post(batch -> batch.bind(window, region.slice(), Access.REMOTE_READ).signaled());
        statuses();
        int before = window.remoteKey();
        pair.sends().bind(window, region.slice(), Access.REMOTE_READ).abort();
        assertThat(window.remoteKey()).isEqualTo(before);
    }

    @Test
    void aWindowOfAClosedRegionCanBeBoundAgain() {
        QueuePair pair = connected();
        MemoryRegion first = region();
        pair.post(batch -> batch.bind(window, first.slice(), Access.REMOTE_READ).signaled());
        assertThat(statuses()).containsExactly(CompletionStatus.SUCCESS);
        first.close();
        MemoryRegion second = region();
        pair.post(batch -> batch.bind(window, second.slice(), Access.REMOTE_READ).signaled());
        assertThat(statuses()).containsExactly(CompletionStatus.SUCCESS);
    }

    @Test
    void aWindowOfAClosedQueuePairCanBeBoundByAnother() {
        QueuePair first = connected();
        MemoryRegion region = region();
        first.post(batch -> batch.bind(window, region.slice(), Access.REMOTE_READ).signaled());
        assertThat(statuses()).containsExactly(CompletionStatus.SUCCESS);
        first.close();
        QueuePair second = connected();
        second.post(batch -> batch.bind(window, region.slice(), Access.REMOTE_READ).signaled());
        assertThat(statuses()).containsExactly(CompletionStatus.SUCCESS);
    }

    private boolean rebind(QueuePair pair, MemoryRegion region) {
        return pair.post(
                batch ->
                        batch.localInvalidate(window.remoteKey())
                                .bind(window, region.slice(), Access.REMOTE_READ)
                                .signaled());
    }

    private MemoryRegion region() {
        return domain.allocate(4096, Access.REMOTE_WRITE, Access.WINDOW_BIND);
    }

    private QueuePair connected() {
        ProtectionDomain there = right.protectionDomain();
        CompletionQueue theirs = right.completionQueue(64);
        MemoryRegion memory = there.allocate(4096, Access.LOCAL_WRITE);
        QueuePair peer = there.queuePair(QueuePairType.RC, it -> it.completions(theirs));
        QueuePair pair =
                domain.queuePair(
                        QueuePairType.RC, it -> it.completions(completions).sendDepth(DEPTH));
        for (int i = 0; i < 2 * DEPTH; i++) {
            assertThat(peer.postReceive(batch -> batch.receive(memory.slice(0, 8)))).isTrue();
        }
        pair.connect(peer.endpoint());
        peer.connect(pair.endpoint());
        return pair;
    }

    private List<CompletionStatus> statuses() {
        List<CompletionStatus> seen = new ArrayList<>();
        completions.await(Duration.ofMillis(10), done -> seen.add(done.status()));
        return seen;
    }
}
