package dev.verbena.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/// Two connected devices and a program between them that uses every kind of request.
final class Traffic {
    static final int BYTES = 20_000;

    private static final Access[] RIGHTS = {
        Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC
    };

    final MemoryRegion here;
    final MemoryRegion there;
    final QueuePair left;
    final QueuePair right;
    final CompletionQueue done;
    final CompletionQueue came;

    Traffic(Device one, Device other) {
        this(one, other, 4096);
    }

    Traffic(Device one, Device other, int pathMtu) {
        ProtectionDomain domain = one.protectionDomain();
        ProtectionDomain peer = other.protectionDomain();
        done = one.completionQueue(256);
        came = other.completionQueue(256);
        here = domain.allocate(BYTES, RIGHTS);
        there = peer.allocate(BYTES, RIGHTS);
        // Not zeros, so that what was there before shows where zeros should be.
        here.segment().fill((byte) 0x5A);
        left = domain.queuePair(QueuePairType.RC, it -> it.completions(done));
        right = peer.queuePair(QueuePairType.RC, it -> it.completions(came));
        left.connect(right.endpoint(), it -> it.pathMtu(pathMtu));
        right.connect(left.endpoint(), it -> it.pathMtu(pathMtu));
    }

    /// Messages, writes, reads and atomics, so many rounds of them; all succeed.
    void run(int rounds) {
        for (int i = 0; i < rounds; i++) {
            int round = i;
            here.segment().setAtIndex(ValueLayout.JAVA_LONG, round % 64, round);
            right.postReceive(batch -> batch.receive(there.slice(8192, 4096)).id(round));
            left.post(
                    batch -> {
                        batch.write(here.slice(0, 5000), there.remote().slice(0, 5000));
                        batch.send(here.slice(0, 512 + round % 7)).id(round).signaled();
                    });
            awaitSuccess(done, 1);
            awaitSuccess(came, 1);
            left.post(
                    batch -> {
                        batch.read(here.slice(8192, 6000), there.remote().slice(0, 6000));
                        batch.fetchAndAdd(here.slice(16384, 8), there.remote().slice(16384, 8), 1)
                                .signaled();
                    });
            awaitSuccess(done, 1);
        }
        assertThat(there.segment().get(ValueLayout.JAVA_LONG, 16384)).isEqualTo(rounds);
        assertThat(there.segment().asSlice(0, 5000).mismatch(here.segment().asSlice(0, 5000)))
                .isEqualTo(-1);
    }

    static void awaitSuccess(CompletionQueue queue, int count) {
        int seen = 0;
        while (seen < count) {
            int more =
                    queue.await(
                            Duration.ofSeconds(60),
                            it -> assertThat(it.isSuccess()).as("%s", it.status()).isTrue());
            assertThat(more).as("completions").isPositive();
            seen += more;
        }
    }
}
