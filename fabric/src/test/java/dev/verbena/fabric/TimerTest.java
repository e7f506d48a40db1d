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

/// Requests to a peer that has gone end by timers, which are 67 ms long.
class TimerTest {
    private final Fabric fabric = new Fabric(FatTree.single(2).topology(), FabricSettings.ROCE);
    private final TransportDevice left = fabric.open(0);
    private final TransportDevice right = fabric.open(1);
    private final CompletionQueue completions = left.completionQueue(8);
    private final ProtectionDomain domain = left.protectionDomain();
    private final ProtectionDomain other = right.protectionDomain();
    private final MemoryRegion memory = PhantomMemory.in(domain, 64, Access.LOCAL_WRITE);
    private final MemoryRegion target =
            PhantomMemory.in(other, 64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);

    private QueuePair pair() {
        CompletionQueue others = right.completionQueue(4);
        QueuePair pair = domain.queuePair(QueuePairType.RC, it -> it.completions(completions));
        QueuePair peer = other.queuePair(QueuePairType.RC, it -> it.completions(others));
        pair.connect(peer.endpoint());
        peer.connect(pair.endpoint());
        return pair;
    }

    private void write(QueuePair pair) {
        pair.sends().write(memory.slice(0, 64), target.remote().slice(0, 64)).signaled().post();
    }

    @Test
    void aRequestThatIsPostedBeforeAnOldTimerIsOverStillEnds() {
        QueuePair pair = pair();
        write(pair);
        fabric.advance(Duration.ofMillis(50));
        assertStatus(completions.poll(), CompletionStatus.SUCCESS);

        right.close();
        write(pair);
        fabric.advance(Duration.ofSeconds(2));
        assertStatus(completions.poll(), CompletionStatus.RETRY_EXCEEDED);
    }

    @Test
    void aTimerOfAQueuePairThatWasClosedLeavesThoseOfOthers() {
        QueuePair first = pair();
        QueuePair second = pair();
        right.close();
        write(first);
        fabric.advance(Duration.ofMillis(10));
        first.close();
        write(second);
        while (completions.poll() != null) {}

        // The first one's time comes before the second one's, and there is nothing to do at it.
        fabric.advance(Duration.ofSeconds(2));
        assertStatus(completions.poll(), CompletionStatus.RETRY_EXCEEDED);
    }

    @Test
    void aLongMessageOfWhichNothingArrivesEndsAsWell() {
        // Its last packet, which asks for an answer, leaves long after it was posted.
        MemoryRegion large = PhantomMemory.in(domain, 1 << 20, Access.LOCAL_WRITE);
        MemoryRegion there =
                PhantomMemory.in(other, 1 << 20, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        QueuePair pair = pair();
        right.close();
        pair.sends().write(large.slice(), there.remote()).signaled().post();

        fabric.advance(Duration.ofSeconds(2));
        assertStatus(completions.poll(), CompletionStatus.RETRY_EXCEEDED);
    }

    @Test
    void aHostThatWasClosedCanBeOpenedAgain() {
        write(pair());
        left.close();
        TransportDevice again = fabric.open(0);
        CompletionQueue done = again.completionQueue(4);
        ProtectionDomain newDomain = again.protectionDomain();
        QueuePair pair = newDomain.queuePair(QueuePairType.RC, it -> it.completions(done));
        CompletionQueue others = right.completionQueue(4);
        QueuePair peer = other.queuePair(QueuePairType.RC, it -> it.completions(others));
        pair.connect(peer.endpoint());
        peer.connect(pair.endpoint());
        MemoryRegion own = PhantomMemory.in(newDomain, 64, Access.LOCAL_WRITE);
        pair.sends().write(own.slice(0, 64), target.remote().slice(0, 64)).signaled().post();
        fabric.advance(Duration.ofMillis(1));
        assertStatus(done.poll(), CompletionStatus.SUCCESS);

        // Its timers work as well.
        right.close();
        pair.sends().write(own.slice(0, 64), target.remote().slice(0, 64)).signaled().post();
        fabric.advance(Duration.ofSeconds(2));
        assertStatus(done.poll(), CompletionStatus.RETRY_EXCEEDED);
    }

    private static void assertStatus(@Nullable Completion done, CompletionStatus status) {
        assertThat(done).isNotNull();
        assertThat(done.status()).isEqualTo(status);
    }
}
