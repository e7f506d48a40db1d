package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.reliable.DeviceWindow;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SendBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// One window for all queue pairs of a device.
class DeviceWindowTest {
    private static final int LIMIT = 64;
    private static final int DEPTH = 40;
    private static final int MTU = 4096;
    private static final int BYTES = 100 * MTU;

    /// A turn moves what a window holds, so that this many are far more than any test needs.
    private static final int MOST_TURNS = 100_000;

    private final Loopback network = new Loopback(1);
    private final TransportDevice left = network.open("left", it -> it.windowInAll(LIMIT));
    private final TransportDevice right = network.open("right");
    private final ProtectionDomain here = left.protectionDomain();
    private final ProtectionDomain there = right.protectionDomain();
    private final CompletionQueue done = left.completionQueue(1 << 16);
    private final CompletionQueue unused = right.completionQueue(1);
    private final MemoryRegion source = here.allocate(BYTES, Access.LOCAL_WRITE);
    private final MemoryRegion target =
            there.allocate(BYTES, Access.REMOTE_WRITE, Access.REMOTE_READ);
    private final DeviceWindow window = left.engine().reliable.window;
    private final List<QueuePair> pairs = new ArrayList<>();
    private int mostInFlight;

    @AfterEach
    void close() {
        left.close();
        right.close();
    }

    private void connect(int count) {
        connect(count, 0);
    }

    private void connect(int count, long bitsPerSecond) {
        for (int i = 0; i < count; i++) {
            QueuePair one =
                    here.queuePair(QueuePairType.RC, it -> it.completions(done).sendDepth(DEPTH));
            QueuePair other =
                    there.queuePair(
                            QueuePairType.RC,
                            it ->
                                    it.completions(unused)
                                            .access(
                                                    Set.of(
                                                            Access.REMOTE_READ,
                                                            Access.REMOTE_WRITE)));
            one.connect(other.endpoint(), it -> it.rateLimit(bitsPerSecond));
            other.connect(one.endpoint());
            pairs.add(one);
        }
        turn(2);
    }

    private void turn(int times) {
        for (int i = 0; i < times; i++) {
            network.turn();
        }
    }

    private void write(QueuePair pair, int count, int bytes) {
        SendBatch batch = pair.sends();
        for (int i = 0; i < count; i++) {
            batch.write(target.address(), target.remoteKey())
                    .local(source, 0, bytes)
                    .id(i)
                    .signaled();
        }
        assertThat(batch.post()).isTrue();
    }

    private void read(QueuePair pair, int bytes) {
        pair.sends()
                .read(target.address(), target.remoteKey())
                .local(source, 0, bytes)
                .signaled()
                .post();
    }

    /// Lets the network work until so many requests are done, or nothing moves.
    private int run(int completions) {
        int completed = 0;
        for (int turn = 0; turn < MOST_TURNS && completed < completions; turn++) {
            boolean moved = network.turn();
            mostInFlight = Math.max(mostInFlight, window.inFlight());
            int before = completed;
            while (completed < completions && done.poll() != null) {
                completed++;
            }
            if (!moved && completed == before) {
                break;
            }
        }
        return completed;
    }

    private long stalls() {
        return left.engine().counters.value(Counter.DEVICE_WINDOW_STALL);
    }

    @Test
    void aThousandQueuePairsShareItEvenly() {
        connect(1_000);
        pairs.forEach(pair -> write(pair, DEPTH, 8));
        run(1_000 * DEPTH / 2);
        double sum = 0;
        double squares = 0;
        for (QueuePair pair : pairs) {
            double completed = pair.sendRoom();
            sum += completed;
            squares += completed * completed;
        }
        assertThat(sum * sum / (pairs.size() * squares)).isGreaterThan(0.99);
        run(1_000 * DEPTH);
        assertThat(pairs).allSatisfy(pair -> assertThat(pair.sendRoom()).isEqualTo(DEPTH));
        assertThat(mostInFlight).isBetween(1, LIMIT);
        assertThat(stalls()).isPositive();
        assertThat(window.inFlight()).isZero();
    }

    @Test
    void longMessagesOfManyQueuePairsAllGetThrough() {
        connect(100);
        pairs.forEach(pair -> write(pair, 2, 70 * MTU));
        assertThat(run(200)).isEqualTo(200);
        assertThat(mostInFlight).isBetween(1, LIMIT);
        assertThat(window.inFlight()).isZero();
    }

    @Test
    void aReadCountsWithItsAnswersAndALongerOneGoesAlone() {
        connect(3);
        read(pairs.get(0), 10 * MTU);
        turn(1);
        assertThat(window.inFlight()).isEqualTo(10);
        read(pairs.get(1), BYTES);
        write(pairs.get(2), 1, 70 * MTU);
        read(pairs.get(2), 8);
        assertThat(run(4)).isEqualTo(4);
        assertThat(mostInFlight).isEqualTo(100);
        assertThat(window.inFlight()).isZero();
    }

    @Test
    void aMessageGoesOnBeforeAReadThatNeedsAllTheRoom() {
        connect(2);
        write(pairs.get(0), 1, 10 * MTU);
        read(pairs.get(1), BYTES);
        assertThat(run(2)).isEqualTo(2);
        assertThat(window.inFlight()).isZero();
    }

    @Test
    void aMessageThatMustKeepItsRateGivesTheTurnToOthers() {
        connect(2, 1_000_000_000);
        write(pairs.get(0), 1, 10 * MTU);
        read(pairs.get(1), BYTES);
        // Nothing is waited for here: between its packets the device has nothing to do.
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> turn(10));
        assertThat(left.engine().counters.value(Counter.PACE_STALL)).isBetween(1L, 100L);
    }

    @Test
    void aFailedOrClosedQueuePairGivesItsRoomToOthers() {
        connect(4);
        pairs.forEach(pair -> write(pair, 1, BYTES));
        // Everything of the first leaves, and nothing comes back.
        right.close();
        turn(10);
        assertThat(window.inFlight()).isEqualTo(LIMIT);
        pairs.get(0).modify(QueuePairState.ERROR, _ -> {});
        pairs.get(1).modify(QueuePairState.RESET, _ -> {});
        pairs.get(2).close();
        turn(10);
        assertThat(window.inFlight()).isEqualTo(LIMIT);
        pairs.get(3).close();
        assertThat(window.inFlight()).isZero();
    }

    @Test
    void aQueuePairThatWaitsForAReceiverHoldsNoRoom() {
        connect(1);
        pairs.getFirst().sends().send().local(source, 0, 20 * MTU).signaled().post();
        turn(10);
        // It was sent, refused for want of a receive, and waits for the time to try again.
        assertThat(left.engine().counters.value(Counter.RECEIVED_RNR)).isPositive();
        assertThat(window.inFlight()).isZero();
    }

    @Test
    void aSelectiveQueuePairThatWaitsForAReceiverHoldsNoRoomAndThenSendsItAll() {
        try (TransportDevice one =
                        network.open("one", it -> it.windowInAll(LIMIT).selectiveRepeat(true));
                TransportDevice other = network.open("other", it -> it.selectiveRepeat(true))) {
            ProtectionDomain domain = one.protectionDomain();
            ProtectionDomain far = other.protectionDomain();
            CompletionQueue sent = one.completionQueue(1);
            CompletionQueue received = other.completionQueue(1);
            QueuePair from = domain.queuePair(QueuePairType.RC, it -> it.completions(sent));
            QueuePair to = far.queuePair(QueuePairType.RC, it -> it.completions(received));
            from.connect(to.endpoint());
            to.connect(from.endpoint());
            MemoryRegion data = domain.allocate(20 * MTU, Access.LOCAL_WRITE);
            from.sends().send().local(data, 0, 20 * MTU).signaled().post();
            turn(10);
            assertThat(one.engine().counters.value(Counter.RECEIVED_RNR)).isPositive();
            assertThat(one.engine().reliable.window.inFlight()).isZero();

            MemoryRegion place = far.allocate(20 * MTU, Access.LOCAL_WRITE);
            to.receives().receive().local(place, 0, 20 * MTU).post();
            assertThat(sent.await(Duration.ofSeconds(1), it -> assertThat(it.isSuccess()).isTrue()))
                    .isEqualTo(1);
            assertThat(received.poll()).isNotNull();
        }
    }
}
