package dev.verbena.interop.matrix;

import static dev.verbena.interop.matrix.Cell.Extent.FAULTS;
import static dev.verbena.interop.matrix.Cell.Extent.MESSAGE;
import static dev.verbena.interop.matrix.Cell.Extent.PACKET;
import static dev.verbena.interop.matrix.ConnectedSides.SOURCE;
import static dev.verbena.interop.matrix.ConnectedSides.TARGET;
import static dev.verbena.interop.matrix.ConnectedSides.expectEqual;

import dev.verbena.interop.matrix.Request.Operation;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.QueuePairType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Cells of unreliable connections (UC): messages arrive whole or not at all, and the requester
/// hears of neither (IBA 9.8.2).
final class ConnectionCells {
    private static final Setup UNRELIABLE = Setup.ORDINARY.type(QueuePairType.UC);
    private static final int MESSAGES = 24;
    private static final int STEP = 32 * 1024;
    private static final Duration QUIET = Duration.ofMillis(300);

    private ConnectionCells() {}

    static List<Cell> all() {
        return List.of(
                new Cell("UC SEND", PACKET, it -> one(it, Operation.SEND)),
                new Cell("UC SEND with immediate", PACKET, it -> one(it, Operation.SEND_IMMEDIATE)),
                new Cell("UC WRITE", PACKET, it -> one(it, Operation.WRITE)),
                new Cell(
                        "UC WRITE with immediate",
                        PACKET,
                        it -> one(it, Operation.WRITE_IMMEDIATE)),
                new Cell("UC zero length", PACKET, ConnectionCells::zeroLength),
                new Cell("UC odd lengths", MESSAGE, ConnectionCells::oddLengths),
                new Cell("UC SEND of 1 MiB + 3", MESSAGE, it -> large(it, Operation.SEND)),
                new Cell(
                        "UC SEND with immediate of 1 MiB + 3",
                        MESSAGE,
                        it -> large(it, Operation.SEND_IMMEDIATE)),
                new Cell("UC WRITE of 1 MiB + 3", MESSAGE, it -> large(it, Operation.WRITE)),
                new Cell(
                        "UC WRITE with immediate of 1 MiB + 3",
                        MESSAGE,
                        it -> large(it, Operation.WRITE_IMMEDIATE)),
                new Cell("UC messages, whole or lost", FAULTS, ConnectionCells::wholeOrLost),
                new Cell("UC without a receive", MESSAGE, ConnectionCells::noReceive),
                new Cell(
                        "UC message too long",
                        PACKET,
                        it -> RefusalCells.unreliableTooLong(it, UNRELIABLE)),
                new Cell("UC bad key", MESSAGE, ConnectionCells::badKey));
    }

    private static void one(ConnectedSides it, Operation operation) {
        Cells.one(it, UNRELIABLE, operation);
    }

    private static void large(ConnectedSides it, Operation operation) {
        Cells.large(it, UNRELIABLE, operation);
    }

    private static void zeroLength(ConnectedSides it) {
        it.open(UNRELIABLE);
        it.transfer(Operation.SEND, 0);
        it.transfer(Operation.SEND_IMMEDIATE, 0);
        it.transfer(Operation.WRITE, 0);
        it.transfer(Operation.WRITE_IMMEDIATE, 0);
        it.expectAtRest();
    }

    private static void oddLengths(ConnectedSides it) {
        it.open(UNRELIABLE);
        for (Operation operation : List.of(Operation.SEND, Operation.WRITE_IMMEDIATE)) {
            for (int length : new int[] {1, 3, it.mtu() - 1, it.mtu() + 1, 5 * it.mtu() + 2}) {
                it.transfer(operation, length);
            }
        }
        it.expectAtRest();
    }

    /// Many messages over a network that may lose some: each that arrives is whole, in its order,
    /// and arrives once. A copy of a packet breaks a message of several just as a lost one does.
    private static void wholeOrLost(ConnectedSides it) {
        it.open(UNRELIABLE);
        int length = 5 * it.mtu() + 2;
        List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            it.requester().fill(SOURCE + (long) i * STEP, length, i);
            expected.add(it.requester().checksum(SOURCE + (long) i * STEP, length));
            it.responder().receive(i, TARGET + (long) i * STEP, STEP);
        }
        for (int i = 0; i < MESSAGES; i++) {
            Request request =
                    Request.of(
                            Operation.SEND_IMMEDIATE,
                            SOURCE + (long) i * STEP,
                            length,
                            it.remote(0, 0));
            it.requester().post(request.id(i).first(i));
            it.expectSent(i, Operation.SEND_IMMEDIATE);
        }
        int before = -1;
        int arrived = 0;
        while (arrived < MESSAGES) {
            Optional<CompletionRecord> next = it.responder().received(QUIET);
            if (next.isEmpty()) {
                break;
            }
            CompletionRecord done = next.orElseThrow();
            expectEqual("status of a receive", CompletionStatus.SUCCESS, done.status());
            expectEqual("receive", (long) arrived, done.id());
            expectEqual("length of a message", (long) length, done.length());
            int message = done.immediate().orElse(-1);
            expectEqual("order after message " + before, true, message > before);
            expectEqual(
                    "bytes of message " + message,
                    expected.get(message),
                    it.responder().checksum(TARGET + done.id() * STEP, length));
            before = message;
            arrived++;
        }
        boolean enough = it.isFaulty() ? arrived >= MESSAGES / 2 : arrived == MESSAGES;
        expectEqual("enough of the messages, which are " + arrived, true, enough);
        it.expectAtRest();
    }

    private static void noReceive(ConnectedSides it) {
        it.open(UNRELIABLE);
        int length = 3 * it.mtu() + 1;
        it.requester().fill(SOURCE, length, 21);
        sendUnnoticed(it, Request.of(Operation.SEND, SOURCE, length, it.remote(0, 0)));
        it.transfer(Operation.SEND, length);
        it.expectAtRest();
    }

    private static void badKey(ConnectedSides it) {
        it.open(UNRELIABLE);
        int length = 3 * it.mtu() + 1;
        it.requester().fill(SOURCE, length, 22);
        it.responder().fill(TARGET, length, 23);
        int before = it.responder().checksum(TARGET, length);
        it.responder().receive(77, TARGET + STEP, 100);
        for (Operation operation : List.of(Operation.WRITE, Operation.WRITE_IMMEDIATE)) {
            sendUnnoticed(
                    it,
                    Request.of(
                            operation,
                            SOURCE,
                            length,
                            RefusalCells.wrongKey(it.remote(TARGET, length))));
        }
        expectEqual("bytes under a wrong key", before, it.responder().checksum(TARGET, length));
        it.requester().post(Request.of(Operation.SEND, SOURCE, 100, it.remote(0, 0)).id(78));
        it.expectSent(78, Operation.SEND);
        it.expectReceived(77, Operation.SEND, 100, 0);
        it.expectAtRest();
    }

    /// Sends what the responder drops, to the requester's satisfaction.
    private static void sendUnnoticed(ConnectedSides it, Request request) {
        it.requester().post(request.id(99));
        it.expectSent(99, request.operation());
        it.settle();
        expectEqual(
                request + " was received", true, it.responder().received(Duration.ZERO).isEmpty());
    }
}
