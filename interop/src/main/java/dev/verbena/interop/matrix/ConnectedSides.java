package dev.verbena.interop.matrix;

import dev.verbena.interop.matrix.Request.Operation;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/// Two connected sides, and the operations that the scripts of cells use. An unexpected result ends
/// the script with [CellFailure].
final class ConnectedSides {
    /// Where bytes come from, in the memory of either side.
    static final long SOURCE = 0;

    /// Where they go to.
    static final long TARGET = Setup.MEMORY_BYTES / 2;

    /// Eight bytes that no message uses, in the memory of either side.
    private static final long TOKEN = TARGET - 64;

    /// Bytes after a target that must not change.
    private static final long GUARD = 64;

    /// A request of 1 MiB over a bad link to an emulated machine takes its time; none takes this.
    private static final Duration PATIENCE = Duration.ofSeconds(50);

    private static final int STATE_TRIES = 200;
    private static final long STATE_TRY_MS = 10;
    private static final int IMMEDIATE = 0xCAFE_0000;

    private final Side requester;
    private final Side responder;
    private final Conditions conditions;
    private final long seed;
    private Setup setup = Setup.ORDINARY;
    private long last;

    ConnectedSides(Side requester, Side responder, Conditions conditions, long seed) {
        this.requester = requester;
        this.responder = responder;
        this.conditions = conditions;
        this.seed = seed;
    }

    Side requester() {
        return requester;
    }

    Side responder() {
        return responder;
    }

    int mtu() {
        return conditions.mtu();
    }

    /// Whether the network loses, doubles or delays packets on purpose.
    boolean isFaulty() {
        return conditions.isFaulty();
    }

    /// Connects fresh queue pairs, each with its like; those before are gone.
    void open(Setup wanted) {
        setup = wanted;
        requester.open(setup);
        responder.open(setup);
        for (int pair = setup.pairs() - 1; pair >= 0; pair--) {
            use(pair);
            requester.connect(responder.endpoint(), mtu());
            responder.connect(requester.endpoint(), mtu());
        }
    }

    /// Chooses one of several connections.
    void use(int pair) {
        requester.use(pair);
        responder.use(pair);
    }

    /// A part of the responder's memory; of datagrams, which reach none, what lets them in.
    RemoteSlice remote(long offset, long length) {
        return setup.type() == QueuePairType.UD
                ? new RemoteSlice(0, length, setup.queueKey())
                : responder.memory().slice(offset, length);
    }

    /// Moves bytes by a SEND, WRITE or READ, and looks at all that both sides see of it.
    void transfer(Operation operation, long length) {
        long id = ++last;
        boolean read = operation == Operation.READ;
        Side from = read ? responder : requester;
        Side to = read ? requester : responder;
        int header = setup.headerBytes();
        long into = TARGET + header;
        from.fill(SOURCE, length, seed + id);
        to.fill(into + length, GUARD, ~seed);
        int guard = to.checksum(into + length, GUARD);
        if (operation.usesReceive()) {
            boolean send = operation != Operation.WRITE_IMMEDIATE;
            responder.receive(id, TARGET, send ? header + length + GUARD : GUARD);
        }
        Request request =
                Request.of(
                        operation,
                        read ? TARGET : SOURCE,
                        length,
                        remote(read ? SOURCE : TARGET, length));
        requester.post(request.id(id).first(IMMEDIATE + id));
        expectSent(id, operation);
        if (operation.usesReceive()) {
            expectReceived(id, operation, length, IMMEDIATE + (int) id);
        } else if (setup.type() == QueuePairType.UC) {
            settle();
        }
        expectEqual(request + ": bytes", from.checksum(SOURCE, length), to.checksum(into, length));
        expectEqual(request + ": bytes behind", guard, to.checksum(into + length, GUARD));
    }

    /// Waits until all messages of an unreliable connection have arrived, which the requester is
    /// not informed of: a WRITE after them arrives last.
    void settle() {
        long token = ++last;
        requester.word(TOKEN, token);
        requester.post(Request.of(Operation.WRITE, TOKEN, 8, remote(TOKEN, 8)).id(token));
        expectSent(token, Operation.WRITE);
        for (int i = 0; responder.word(TOKEN) != token && i < STATE_TRIES; i++) {
            // A wait for nothing, in which a device without a thread of its own goes on.
            Optional<CompletionRecord> nothing = responder.sent(Duration.ofMillis(STATE_TRY_MS));
            expectEqual(responder.name() + ": sent, too", Optional.empty(), nothing);
        }
        expectEqual(responder.name() + ": what was written last", token, responder.word(TOKEN));
    }

    /// Sends what the responder must refuse, and sees the refusal on both sides: the requester's
    /// status, both queue pairs failed, and a waiting receive of the responder's flushed.
    void refused(Request request, CompletionStatus status) {
        long waiting = ++last;
        responder.receive(waiting, TARGET, GUARD);
        long id = ++last;
        requester.post(request.id(id));
        expectFailed(requester, awaitSent(id), id, status);
        expectFailed(responder, awaitReceived(waiting), waiting, CompletionStatus.FLUSHED);
        expectState(requester, QueuePairState.ERROR);
        expectState(responder, QueuePairState.ERROR);
    }

    /// A request that is done, with nothing else in the queue before it.
    void expectSent(long id, Operation operation) {
        CompletionRecord done = awaitSent(id);
        String which = requester.name() + ": status of request " + done.id();
        expectEqual(which, CompletionStatus.SUCCESS, done.status());
        expectEqual(requester.name() + ": request", id, done.id());
        expectEqual(requester.name() + ": operation", operation.completed(), done.operation());
    }

    void expectReceived(long id, Operation operation, long length, int immediate) {
        CompletionRecord done = awaitReceived(id);
        CompletedOperation expected =
                operation == Operation.WRITE_IMMEDIATE
                        ? CompletedOperation.RECEIVE_WRITE_IMMEDIATE
                        : CompletedOperation.RECEIVE;
        String who = responder.name() + ": ";
        expectEqual(who + "receive", id, done.id());
        expectEqual(who + "status", CompletionStatus.SUCCESS, done.status());
        expectEqual(who + "operation", expected, done.operation());
        expectEqual(who + "length", setup.headerBytes() + length, done.length());
        expectEqual(who + "queue pair", responder.endpoint().queuePair(), done.pair());
        if (setup.type() == QueuePairType.UD) {
            expectEqual(who + "source", requester.endpoint().queuePair(), done.source());
            expectEqual(who + "header", true, done.header());
        }
        expectEqual(
                who + "immediate",
                operation.hasImmediate() ? OptionalInt.of(immediate) : OptionalInt.empty(),
                done.immediate());
    }

    /// Both sides are as able as at the start, and nothing was completed that was not asked for.
    void expectAtRest() {
        for (int pair = setup.pairs() - 1; pair >= 0; pair--) {
            use(pair);
            expectState(requester, QueuePairState.READY_TO_SEND);
            expectState(responder, QueuePairState.READY_TO_SEND);
        }
        for (Side side : new Side[] {requester, responder}) {
            expectEqual(side.name() + ": sent, too", true, side.sent(Duration.ZERO).isEmpty());
            expectEqual(
                    side.name() + ": received, too", true, side.received(Duration.ZERO).isEmpty());
        }
    }

    /// The state of a queue pair, which may follow the completion by a moment.
    void expectState(Side side, QueuePairState state) {
        for (int i = 0; side.state() != state && i < STATE_TRIES; i++) {
            try {
                Thread.sleep(STATE_TRY_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CellFailure("interrupted");
            }
        }
        expectEqual(side.name() + ": state", state, side.state());
    }

    CompletionRecord awaitSent(long id) {
        return requester
                .sent(PATIENCE)
                .orElseThrow(
                        () ->
                                new CellFailure(
                                        "%s: request %d is not done after %d s"
                                                .formatted(
                                                        requester.name(),
                                                        id,
                                                        PATIENCE.toSeconds())));
    }

    CompletionRecord awaitReceived(long id) {
        return responder
                .received(PATIENCE)
                .orElseThrow(
                        () ->
                                new CellFailure(
                                        "%s: nothing received into request %d after %d s"
                                                .formatted(
                                                        responder.name(),
                                                        id,
                                                        PATIENCE.toSeconds())));
    }

    static void expectFailed(Side side, CompletionRecord done, long id, CompletionStatus status) {
        expectEqual(side.name() + ": status of request " + id, status, done.status());
        expectEqual(side.name() + ": request", id, done.id());
    }

    static void expectEqual(String what, Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new CellFailure("%s: %s, not %s".formatted(what, actual, expected));
        }
    }
}
