package dev.verbena.transport.cm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.Payload;
import dev.verbena.wire.mad.CmDrep;
import dev.verbena.wire.mad.CmDreq;
import dev.verbena.wire.mad.CmMad;
import dev.verbena.wire.mad.CmMessage;
import dev.verbena.wire.mad.CmMra;
import dev.verbena.wire.mad.CmRej;
import dev.verbena.wire.mad.CmRep;
import dev.verbena.wire.mad.CmReq;
import dev.verbena.wire.mad.RejectReason;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The rules of connection management, message by message.
class CmMachineTest {
    private static final long SERVICE = 0x1061C06;
    private static final int PAIR = 0x1A;

    /// One side, and the events that it received.
    private static final class Side extends CmSide implements CmUser {
        private @Nullable CmConnection connection;
        private @Nullable CmFailure failure;

        Side(long seed, CmSettings settings) {
            super(seed, settings);
        }

        CmConnection connection() {
            CmConnection known = connection;
            if (known == null) {
                throw new AssertionError("no connection");
            }
            return known;
        }

        <T extends CmMessage> T next(Class<T> kind) {
            CmMad mad = sent.remove();
            return kind.cast(mad.message());
        }

        @Override
        public void replied(CmRep reply) {
            told.add("replied");
        }

        @Override
        public void established() {
            told.add("established");
        }

        @Override
        public void keepAliveDue() {
            told.add("keep-alive due");
        }

        @Override
        public void failed(CmFailure why) {
            failure = why;
            told.add("failed");
        }

        @Override
        public void disconnected() {
            told.add("disconnected");
        }
    }

    private final Side left = new Side(1, CmSettings.DEFAULT);
    private final Side right = new Side(2, CmSettings.DEFAULT);
    private long nowNs;

    private void listen() {
        right.machine.listen(
                SERVICE,
                (connection, request) -> {
                    right.connection = connection;
                    return right;
                });
    }

    private void ask() {
        left.connection =
                left.machine.connect(
                        nowNs,
                        CmSide.RIGHT,
                        CmReq.builder().serviceId(SERVICE).localQpn(PAIR),
                        left);
    }

    private void toRight(CmMad mad) {
        right.machine.handle(nowNs, CmSide.LEFT, mad);
    }

    private void toLeft(CmMad mad) {
        left.machine.handle(nowNs, CmSide.RIGHT, mad);
    }

    private void accept() {
        right.machine.at(nowNs);
        right.connection().accept(CmRep.builder().localQpn(PAIR + 1));
    }

    private void establish() {
        listen();
        ask();
        toRight(left.sent.remove());
        accept();
        toLeft(right.sent.remove());
        left.connection().confirm();
        toRight(left.sent.remove());
    }

    /// Lets both wait until nothing is due before a time from now.
    private void pass(Side side, long ns) {
        long endNs = nowNs + ns;
        while (side.machine.pollTimeout() <= endNs) {
            nowNs = Math.max(nowNs, side.machine.pollTimeout());
            side.machine.handleTimeout(nowNs);
        }
        nowNs = endNs;
    }

    @Test
    void bothSidesGetTheirEventsInOrder() {
        establish();

        assertThat(left.told).containsExactly("replied");
        assertThat(right.told).containsExactly("established");
        assertThat(left.connection().state()).isEqualTo(CmState.ESTABLISHED);
        assertThat(right.connection().state()).isEqualTo(CmState.ESTABLISHED);
    }

    @Test
    void numbersOfBothSidesHaveTheChosenPrefix() {
        left.machine.numbersBeginWith(3, 4);
        right.machine.numbersBeginWith(14, 4);
        listen();
        ask();
        CmMad request = left.sent.remove();
        toRight(request);
        accept();

        CmRep reply = right.next(CmRep.class);
        assertThat(reply.remoteCommunicationId() >>> 28).isEqualTo(3);
        assertThat(reply.localCommunicationId() >>> 28).isEqualTo(14);
        assertThat(reply.localCommunicationId() << 4).isNotZero();
    }

    @Test
    void aRequestIsSentSixteenTimesAndThenGivenUp() {
        ask();
        pass(left, CmSide.LONG_NS);

        assertThat(left.sent.stream().filter(it -> it.message() instanceof CmReq)).hasSize(16);
        assertThat(left.sent.getLast().message())
                .isInstanceOfSatisfying(
                        CmRej.class,
                        it -> {
                            assertThat(it.reason()).isEqualTo(RejectReason.TIMEOUT);
                            assertThat(it.infoLength()).isEqualTo(8);
                        });
        assertThat(left.told).containsExactly("failed");
        assertThat(left.failure).isEqualTo(CmFailure.SILENCE);
        assertThat(left.machine.size()).isZero();
    }

    @Test
    void theSameRequestAgainIsAnsweredWithWaitWhileTheProgramDecides() {
        listen();
        ask();
        CmMad request = left.sent.remove();
        toRight(request);
        toRight(request);

        toLeft(right.sent.peek());
        assertThat(right.next(CmMra.class).serviceTimeout()).isEqualTo(24);
        // Told to wait, it does not ask again for more than a minute.
        pass(left, 60_000_000_000L);
        assertThat(left.sent).isEmpty();
        accept();
        assertThat(right.next(CmRep.class).remoteCommunicationId()).isNotZero();
    }

    @Test
    void aLostReplyIsSentAgainWhenTheRequestIs() {
        listen();
        ask();
        CmMad request = left.sent.remove();
        toRight(request);
        accept();
        CmMad reply = right.sent.remove();
        toRight(request);

        assertThat(right.sent.remove()).isEqualTo(reply);
    }

    @Test
    void aLostReadyIsSentAgainWhenTheReplyIs() {
        listen();
        ask();
        toRight(left.sent.remove());
        accept();
        CmMad reply = right.sent.remove();
        toLeft(reply);
        left.connection().confirm();
        CmMad ready = left.sent.remove();
        toLeft(reply);

        assertThat(left.sent.remove()).isEqualTo(ready);
        assertThat(left.told).containsExactly("replied");
    }

    @Test
    void aFirstPacketIsAsGoodAsReady() {
        listen();
        ask();
        toRight(left.sent.remove());
        accept();

        right.connection().ready();

        assertThat(right.told).containsExactly("established");
        right.sent.clear();
        pass(right, CmSide.LONG_NS);
        assertThat(right.sent).isEmpty();
    }

    @Test
    void anUnansweredReplyEndsInRejectionAndDisconnecting() {
        listen();
        ask();
        CmReq request = (CmReq) left.sent.peek().message();
        toRight(left.sent.remove());
        accept();
        pass(right, CmSide.LONG_NS);

        List<CmMessage> messages = right.sent.stream().map(CmMad::message).toList();
        int replies = request.patience().maxCmRetries() + 1;
        assertThat(messages.subList(0, replies)).allMatch(CmRep.class::isInstance);
        assertThat(messages.get(replies)).isInstanceOf(CmRej.class);
        assertThat(messages.get(replies + 1))
                .isInstanceOfSatisfying(
                        CmDreq.class, it -> assertThat(it.remoteQpn()).isEqualTo(PAIR));
        assertThat(right.told).containsExactly("failed");
        assertThat(right.machine.size()).isZero();
    }

    @Test
    void aReplyToACancelledRequestIsRejected() {
        listen();
        ask();
        toRight(left.sent.remove());
        accept();
        CmMad reply = right.sent.remove();
        left.connection().disconnect();
        toLeft(reply);

        CmRej refusal = left.next(CmRej.class);
        assertThat(refusal.reason()).isEqualTo(RejectReason.INVALID_COMMUNICATION_ID);
        toRight(CmMad.of(1, refusal));
        assertThat(right.told).containsExactly("failed");
    }

    @Test
    void aMissingServiceCausesNoEvent() {
        ask();
        toRight(left.sent.remove());

        toLeft(right.sent.peek());
        assertThat(right.next(CmRej.class).reason()).isEqualTo(RejectReason.INVALID_SERVICE_ID);
        assertThat(left.told).containsExactly("failed");
        assertThat(right.machine.size()).isZero();
    }

    @Test
    void aProgramThatDoesNotDecideLosesTheRequest() {
        listen();
        ask();
        toRight(left.sent.remove());
        pass(right, CmSide.LONG_NS);

        assertThat(right.next(CmRej.class).reason()).isEqualTo(RejectReason.NO_RESOURCES);
        assertThat(right.told).containsExactly("failed");
        assertThat(right.connection().accept(CmRep.builder())).isFalse();
    }

    @Test
    void disconnectingIsRepeatedUntilItIsAnswered() {
        establish();
        left.machine.at(nowNs);
        left.connection().disconnect();
        CmMad request = left.sent.remove();
        pass(left, 2_000_000_000L);
        assertThat(left.sent.remove()).isEqualTo(request);
        toRight(request);
        toRight(request);

        assertThat(right.told).containsExactly("established", "disconnected");
        right.next(CmDrep.class);
        toLeft(right.sent.peek());
        right.next(CmDrep.class);
        assertThat(left.connection().state()).isEqualTo(CmState.TIME_WAIT);
        left.sent.clear();
        pass(left, CmSide.LONG_NS);
        assertThat(left.sent).isEmpty();
        assertThat(left.machine.size()).isZero();
    }

    @Test
    void disconnectingIsRepeatedSoonAndThenLessAndLessOften() {
        establish();
        left.machine.at(nowNs);
        left.connection().disconnect();
        pass(left, 20_000_000L);
        assertThat(left.sent).hasSize(2);
        pass(left, 200_000_000L);
        assertThat(left.sent).hasSize(4);
        pass(left, CmSide.LONG_NS);
        assertThat(left.sent).hasSize(1 + CmSettings.DEFAULT.retries());
    }

    @Test
    void anUnknownConnectionIsOver() {
        toRight(CmMad.of(7, new CmDreq(1, 2, PAIR, Payload.EMPTY)));

        assertThat(right.sent.peek().transactionId()).isEqualTo(7);
        assertThat(right.next(CmDrep.class).remoteCommunicationId()).isEqualTo(1);
    }

    @Test
    void aDisconnectForAnotherQueuePairIsIgnored() {
        establish();
        left.connection().disconnect();
        CmDreq request = left.next(CmDreq.class);
        toRight(
                CmMad.of(
                        9,
                        new CmDreq(
                                request.localCommunicationId(),
                                request.remoteCommunicationId(),
                                request.remoteQpn() + 1,
                                Payload.EMPTY)));

        assertThat(right.sent).isEmpty();
        assertThat(right.told).containsExactly("established");
    }

    @Test
    void aStrangerEndsNothing() {
        establish();
        left.connection().disconnect();
        CmMad request = left.sent.remove();

        right.machine.handle(nowNs, CmSide.STRANGER, request);

        assertThat(right.told).containsExactly("established");
        assertThat(right.connection().state()).isEqualTo(CmState.ESTABLISHED);
    }

    @Test
    void aPeerThatHasForgottenItsConnectionIsToldSoOnce() {
        establish();
        CmReq request =
                CmReq.builder()
                        .serviceId(SERVICE)
                        .localQpn(PAIR)
                        .localCaGuid(left.machine.guid)
                        .localCommunicationId(77)
                        .build();

        toRight(CmMad.of(5, request));

        assertThat(right.next(CmRej.class).reason()).isEqualTo(RejectReason.STALE_CONNECTION);
        assertThat(right.told).containsExactly("established", "disconnected");
    }

    @Test
    void aNewRequestWithoutAnAnswerCancelsTheFirst() {
        listen();
        ask();
        toRight(left.sent.remove());
        CmConnection first = right.connection();
        CmReq second =
                CmReq.builder()
                        .serviceId(SERVICE)
                        .localQpn(PAIR)
                        .localCaGuid(left.machine.guid)
                        .localCommunicationId(78)
                        .build();
        toRight(CmMad.of(6, second));

        assertThat(right.told).containsExactly("failed");
        assertThat(first.state()).isEqualTo(CmState.CLOSED);
        assertThat(right.connection().state()).isEqualTo(CmState.REQ_RECEIVED);
    }

    @Test
    void connectionsHaveALimit() {
        Side small = new Side(3, new CmSettings(17, 15, 24, 16, 1, 1));
        small.machine.connect(0, CmSide.RIGHT, CmReq.builder().localQpn(1), small);

        assertThat(small.machine.connect(0, CmSide.RIGHT, CmReq.builder().localQpn(2), small))
                .isNull();
    }
}
