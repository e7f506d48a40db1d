package dev.verbena.interop.matrix;

import static dev.verbena.interop.matrix.Cell.Extent.FAULTS;
import static dev.verbena.interop.matrix.Cell.Extent.MESSAGE;
import static dev.verbena.interop.matrix.Cell.Extent.PACKET;
import static dev.verbena.interop.matrix.ConnectedSides.SOURCE;
import static dev.verbena.interop.matrix.ConnectedSides.TARGET;
import static dev.verbena.interop.matrix.ConnectedSides.expectEqual;

import dev.verbena.interop.matrix.Request.Operation;
import dev.verbena.verbs.AsyncEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Cells of reliable connections that take from one shared receive queue (SRQ, IBA 10.2.9).
final class SharedCells {
    private static final int MESSAGES = 12;
    private static final int STEP = 32 * 1024;
    private static final Duration SOON = Duration.ofSeconds(5);

    private SharedCells() {}

    static List<Cell> all() {
        return List.of(
                new Cell("SRQ of two connections", FAULTS, SharedCells::twoConnections),
                new Cell(
                        "SRQ empty, RNR, then a receive",
                        MESSAGE,
                        it -> RefusalCells.receiveComesLate(it, Setup.sharing(1))),
                new Cell("SRQ limit", PACKET, SharedCells::limit));
    }

    /// Whichever connection has a message takes the oldest request, and completes it as its own.
    private static void twoConnections(ConnectedSides it) {
        it.open(Setup.sharing(2));
        for (int i = 0; i < MESSAGES; i++) {
            it.responder().receive(i, TARGET + (long) i * STEP, STEP);
        }
        int length = 3 * it.mtu() + 1;
        for (int i = 0; i < MESSAGES; i++) {
            it.use(i % 3 == 0 ? 0 : 1);
            it.requester().fill(SOURCE, length, i);
            Request request = Request.of(Operation.SEND_IMMEDIATE, SOURCE, length, it.remote(0, 0));
            it.requester().post(request.id(i).first(i));
            it.expectSent(i, Operation.SEND_IMMEDIATE);
            it.expectReceived(i, Operation.SEND_IMMEDIATE, length, i);
            expectEqual(
                    "bytes of message " + i,
                    it.requester().checksum(SOURCE, length),
                    it.responder().checksum(TARGET + (long) i * STEP, length));
        }
        it.expectAtRest();
    }

    /// One event when fewer requests are left than asked for, and none before.
    private static void limit(ConnectedSides it) {
        it.open(Setup.sharing(1));
        for (int i = 0; i < 4; i++) {
            it.responder().receive(i, TARGET, 100);
        }
        it.responder().limit(3);
        for (int i = 0; i < 3; i++) {
            it.requester().post(Request.of(Operation.SEND, SOURCE, 100, it.remote(0, 0)).id(i));
            it.expectSent(i, Operation.SEND);
            it.expectReceived(i, Operation.SEND, 100, 0);
            Optional<AsyncEvent.Type> expected =
                    i == 1 ? Optional.of(AsyncEvent.Type.SHARED_RECEIVE_LIMIT) : Optional.empty();
            Duration patience = i == 1 ? SOON : Duration.ZERO;
            expectEqual("event after " + (i + 1), expected, it.responder().event(patience));
        }
        it.expectAtRest();
    }
}
