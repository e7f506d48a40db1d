package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Wait;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A device whose turn comes late: what has arrived counts before what seems to be overdue.
@Timeout(60)
@Tag("sockets")
class LateTurnTest {
    private static final int BEFORE = 100;
    private static final int IDLE_TURNS = 100;
    private static final long LATE_NS = 150_000_000;
    private static final Duration LONG = Duration.ofSeconds(30);

    private record Pair(QueuePair left, QueuePair right) {
        static Pair between(
                ProtectionDomain here,
                CompletionQueue ours,
                ProtectionDomain there,
                CompletionQueue theirs) {
            QueuePair left = here.queuePair(QueuePairType.RC, it -> it.completions(ours));
            QueuePair right = there.queuePair(QueuePairType.RC, it -> it.completions(theirs));
            // An acknowledgement is overdue after 4 ms.
            left.connect(right.endpoint(), it -> it.timeout(10));
            right.connect(left.endpoint());
            return new Pair(left, right);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"path=portable", "gso=off", "gso=on"})
    void anAnswerThatWaitsToBeReadIsInTime(String options) {
        String more = "?progress=caller&" + options;
        try (Device left = Devices.open("roce://" + TestAddresses.ipv4() + more);
                Device right = Devices.open("roce://" + TestAddresses.ipv4() + more)) {
            ProtectionDomain here = left.protectionDomain();
            ProtectionDomain there = right.protectionDomain();
            CompletionQueue done = left.completionQueue(256);
            CompletionQueue theirs = right.completionQueue(256);
            MemoryRegion ours = here.allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            MemoryRegion far = there.allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            Pair asked = Pair.between(here, done, there, theirs);
            List<Pair> noise = new ArrayList<>();
            for (int i = 0; i < BEFORE; i++) {
                noise.add(Pair.between(here, done, there, theirs));
            }
            asked.left.post(it -> it.write(ours.slice(0, 8), far.remote().slice(0, 8)).signaled());
            left.progress();
            // The packets of others fill the socket before the acknowledgement does.
            for (Pair pair : noise) {
                pair.right.post(it -> it.write(far.slice(0, 8), ours.remote().slice(0, 8)));
            }
            // Until it has nothing more that it may send; a small window holds some of it back.
            int idle = 0;
            while (idle < IDLE_TURNS) {
                idle = right.progress() ? 0 : idle + 1;
            }
            List<CompletionStatus> seen = new ArrayList<>();
            long endNs = System.nanoTime() + LONG.toNanos();
            while (seen.isEmpty() && System.nanoTime() < endNs) {
                // As the turns of a thread that lost its processor, or has other work.
                long beforeNs = System.nanoTime();
                Wait.until("the turn is late", LONG, () -> System.nanoTime() - beforeNs > LATE_NS);
                left.progress();
                done.poll(1, it -> seen.add(it.status()));
            }
            assertThat(seen).containsExactly(CompletionStatus.SUCCESS);
            assertThat(left.counters().get("local_ack_timeout_err")).isZero();
        }
    }
}
