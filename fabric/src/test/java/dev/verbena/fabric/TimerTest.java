package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TimerTest {
    @Test
    void aRequestThatIsPostedBeforeAnOldTimerIsOverStillEnds() {
        Fabric fabric = new Fabric(FatTree.single(2).topology(), FabricSettings.ROCE);
        TransportDevice left = fabric.open(0);
        TransportDevice right = fabric.open(1);
        CompletionQueue completions = left.completionQueue(4);
        ProtectionDomain domain = left.protectionDomain();
        QueuePair pair = domain.queuePair(QueuePairType.RC, it -> it.completions(completions));
        CompletionQueue others = right.completionQueue(4);
        ProtectionDomain other = right.protectionDomain();
        QueuePair peer = other.queuePair(QueuePairType.RC, it -> it.completions(others));
        MemoryRegion memory = domain.phantom(64, Access.LOCAL_WRITE);
        MemoryRegion target = other.phantom(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        pair.connect(peer.endpoint());
        peer.connect(pair.endpoint());

        pair.sends().write(memory.slice(0, 64), target.remote().slice(0, 64)).signaled().post();
        fabric.advance(Duration.ofMillis(50));
        assertStatus(completions.poll(), CompletionStatus.SUCCESS);

        // The timer of the first is still set, for a time at which the second must go on waiting.
        right.close();
        pair.sends().write(memory.slice(0, 64), target.remote().slice(0, 64)).signaled().post();
        fabric.advance(Duration.ofSeconds(2));
        assertStatus(completions.poll(), CompletionStatus.RETRY_EXCEEDED);
    }

    private static void assertStatus(@Nullable Completion done, CompletionStatus status) {
        assertThat(done).isNotNull();
        assertThat(done.status()).isEqualTo(status);
    }
}
