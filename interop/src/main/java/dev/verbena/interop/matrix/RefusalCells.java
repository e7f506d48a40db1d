package dev.verbena.interop.matrix;

import static dev.verbena.interop.matrix.ConnectedSides.SOURCE;
import static dev.verbena.interop.matrix.ConnectedSides.TARGET;
import static dev.verbena.interop.matrix.ConnectedSides.expectEqual;

import dev.verbena.interop.matrix.Request.Operation;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.RemoteSlice;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/// Cells in which the responder says no: each side must understand the other's refusal.
final class RefusalCells {
    private static final Duration LATE = Duration.ofMillis(200);
    private static final Optional<CompletionStatus> FAILED =
            Optional.of(CompletionStatus.LOCAL_QUEUE_PAIR_ERROR);

    /// What counts the refusals of a message for which no receive is posted: ours and mlx5's name,
    /// and that of rdma_rxe.
    private static final List<String> RNR_COUNTERS = List.of("out_of_buffer", "send_rnr_err");

    private RefusalCells() {}

    static void receiveComesLate(ConnectedSides it) {
        receiveComesLate(it, Setup.ORDINARY);
    }

    static void receiveComesLate(ConnectedSides it, Setup setup) {
        it.open(setup);
        int length = 3 * it.mtu() + 1;
        long before = rnrs(it.responder());
        it.requester().fill(SOURCE, length, 13);
        it.requester().post(Request.of(Operation.SEND, SOURCE, length, it.remote(0, 0)).id(1));
        expectEqual("done too early", true, it.requester().sent(LATE).isEmpty());
        it.responder().receive(1, TARGET, length);
        it.expectSent(1, Operation.SEND);
        it.expectReceived(1, Operation.SEND, length, 0);
        expectEqual(
                "bytes",
                it.requester().checksum(SOURCE, length),
                it.responder().checksum(TARGET, length));
        expectEqual("refusals counted", true, rnrs(it.responder()) > before);
        it.expectAtRest();
    }

    static void receiveNeverComes(ConnectedSides it) {
        it.open(Setup.ORDINARY.rnrRetries(2));
        it.requester().post(Request.of(Operation.SEND, SOURCE, 100, it.remote(0, 0)).id(1));
        ConnectedSides.expectFailed(
                it.requester(), it.awaitSent(1), 1, CompletionStatus.RNR_RETRY_EXCEEDED);
        it.expectState(it.requester(), QueuePairState.ERROR);
        it.expectState(it.responder(), QueuePairState.READY_TO_SEND);
    }

    static void badKey(ConnectedSides it) {
        for (Operation operation : List.of(Operation.WRITE, Operation.READ)) {
            it.open(Setup.ORDINARY);
            RemoteSlice wrong = wrongKey(it.remote(TARGET, 100));
            it.refused(
                    Request.of(operation, SOURCE, 100, wrong),
                    CompletionStatus.REMOTE_ACCESS_ERROR);
        }
        it.open(Setup.ORDINARY);
        it.refused(
                Request.fetchAndAdd(SOURCE, wrongKey(it.remote(TARGET, 8)), 1),
                CompletionStatus.REMOTE_ACCESS_ERROR);
    }

    static RemoteSlice wrongKey(RemoteSlice right) {
        return new RemoteSlice(right.address(), right.length(), right.key() ^ 0x5A5A_5A00);
    }

    /// A range that begins inside of the region and leaves it by one byte.
    static void beyondTheRegion(ConnectedSides it) {
        for (Operation operation : List.of(Operation.WRITE, Operation.READ)) {
            it.open(Setup.ORDINARY);
            RemoteSlice end = it.remote(Setup.MEMORY_BYTES - 2999, 2999);
            it.refused(
                    Request.of(operation, SOURCE, 3000, end), CompletionStatus.REMOTE_ACCESS_ERROR);
        }
    }

    static void rightNotGiven(ConnectedSides it) {
        withOnly(it, Access.REMOTE_READ, Operation.WRITE);
        withOnly(it, Access.REMOTE_WRITE, Operation.READ);
    }

    private static void withOnly(ConnectedSides it, Access right, Operation operation) {
        it.open(Setup.ORDINARY.rights(Set.of(Access.LOCAL_WRITE, right)));
        it.refused(
                Request.of(operation, SOURCE, 100, it.remote(TARGET, 100)),
                CompletionStatus.REMOTE_ACCESS_ERROR);
    }

    static void messageTooLong(ConnectedSides it) {
        it.open(Setup.ORDINARY);
        it.responder().receive(1, TARGET, 99);
        it.requester().post(Request.of(Operation.SEND, SOURCE, 100, it.remote(0, 0)).id(2));
        CompletionRecord refused = it.awaitSent(2);
        CompletionRecord received = it.awaitReceived(1);
        boolean other =
                refused.status() == CompletionStatus.REMOTE_OPERATION_ERROR
                        && received.status() == CompletionStatus.LOCAL_QUEUE_PAIR_ERROR
                        && it.responder().admits(Difference.LENGTH_AS_OPERATION);
        if (!other) {
            ConnectedSides.expectFailed(
                    it.requester(), refused, 2, CompletionStatus.REMOTE_INVALID_REQUEST);
            ConnectedSides.expectFailed(
                    it.responder(), received, 1, CompletionStatus.LOCAL_LENGTH_ERROR);
        }
        it.expectState(it.requester(), QueuePairState.ERROR);
        it.expectState(it.responder(), QueuePairState.ERROR);
    }

    /// Of an unreliable service: dropped without a word, and the receive stays for a message that
    /// fits.
    static void unreliableTooLong(ConnectedSides it, Setup setup) {
        it.open(setup);
        it.responder().receive(1, TARGET, setup.headerBytes() + 100);
        it.requester().post(Request.of(Operation.SEND, SOURCE, 101, it.remote(0, 0)).id(2));
        it.expectSent(2, Operation.SEND);
        Optional<CompletionRecord> received = it.responder().received(LATE);
        if (received.map(CompletionRecord::status).equals(FAILED)
                && it.responder().admits(Difference.LENGTH_FAILS_PAIR)) {
            it.expectState(it.responder(), QueuePairState.ERROR);
            it.expectState(it.requester(), QueuePairState.READY_TO_SEND);
            return;
        }
        expectEqual("received", Optional.empty(), received);
        it.requester().post(Request.of(Operation.SEND, SOURCE, 100, it.remote(0, 0)).id(3));
        it.expectSent(3, Operation.SEND);
        it.expectReceived(1, Operation.SEND, 100, 0);
        it.expectAtRest();
    }

    static void misalignedAtomic(ConnectedSides it) {
        it.open(Setup.ORDINARY);
        it.refused(
                Request.fetchAndAdd(SOURCE, it.remote(TARGET + 4, 8), 1),
                CompletionStatus.REMOTE_INVALID_REQUEST);
        it.open(Setup.ORDINARY);
        it.refused(
                Request.compareAndSwap(SOURCE, it.remote(TARGET + 1, 8), 0, 1),
                CompletionStatus.REMOTE_INVALID_REQUEST);
    }

    private static long rnrs(Side side) {
        SortedMap<String, Long> counters = side.counters();
        return RNR_COUNTERS.stream().mapToLong(name -> counters.getOrDefault(name, 0L)).sum();
    }
}
