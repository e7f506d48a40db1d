package dev.verbena.interop.matrix;

import static dev.verbena.interop.matrix.ConnectedSides.SOURCE;
import static dev.verbena.interop.matrix.ConnectedSides.TARGET;
import static dev.verbena.interop.matrix.ConnectedSides.expectEqual;

import dev.verbena.interop.matrix.Request.Operation;
import java.util.ArrayList;
import java.util.List;

/// Many requests of all kinds in one chain: each is carried out once, and all in their order.
final class Burst {
    private static final int ROUNDS = 12;
    private static final int STEP = 8192;

    private static final long COUNTER = TARGET + 512 * 1024;
    private static final long RECEIVED = TARGET + 1024 * 1024;
    // At the requester: what the atomics return, and what the READs do.
    private static final long VALUES = SOURCE + 512 * 1024;
    private static final long READ_BACK = SOURCE + 1024 * 1024;

    private Burst() {}

    static void run(ConnectedSides it) {
        it.open(Setup.ORDINARY);
        it.requester().fill(SOURCE, (long) ROUNDS * STEP, 12);
        for (int i = 0; i < ROUNDS; i++) {
            it.responder().receive(i, RECEIVED + (long) i * STEP, STEP);
        }
        List<Request> chain = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            round(it, i, chain);
        }
        Request end = chain.removeLast();
        chain.replaceAll(Request::unsignaled);
        chain.add(end.id(ROUNDS));
        it.requester().post(chain);
        it.expectSent(ROUNDS, Operation.SEND_IMMEDIATE);
        expectEqual("the counter", (long) ROUNDS, it.responder().word(COUNTER));
        for (int i = 0; i < ROUNDS; i++) {
            verify(it, i);
        }
        it.expectAtRest();
    }

    private static void round(ConnectedSides it, int i, List<Request> chain) {
        long at = (long) i * STEP;
        int length = length(i);
        chain.add(Request.of(Operation.WRITE, SOURCE + at, length, it.remote(TARGET + at, length)));
        chain.add(Request.fetchAndAdd(VALUES + 8L * i, it.remote(COUNTER, 8), 1));
        chain.add(
                Request.of(Operation.READ, READ_BACK + at, length, it.remote(TARGET + at, length)));
        chain.add(
                Request.of(Operation.SEND_IMMEDIATE, SOURCE + at, 100 + i, it.remote(TARGET, 0))
                        .first(i));
    }

    private static void verify(ConnectedSides it, int i) {
        long at = (long) i * STEP;
        it.expectReceived(i, Operation.SEND_IMMEDIATE, 100 + i, i);
        expectEqual("value of addition " + i, (long) i, it.requester().word(VALUES + 8L * i));
        int source = it.requester().checksum(SOURCE + at, length(i));
        expectEqual("bytes written", source, it.responder().checksum(TARGET + at, length(i)));
        expectEqual("bytes read", source, it.requester().checksum(READ_BACK + at, length(i)));
    }

    private static int length(int i) {
        return 6000 - 7 * i;
    }
}
