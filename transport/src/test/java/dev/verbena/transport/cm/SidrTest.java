package dev.verbena.transport.cm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.Payload;
import dev.verbena.wire.mad.CmMad;
import dev.verbena.wire.mad.CmSidrRep;
import dev.verbena.wire.mad.CmSidrReq;
import dev.verbena.wire.mad.SidrStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The rules of service ID resolution, message by message.
class SidrTest {
    private static final long SERVICE = 0x1111C06;
    private static final int PAIR = 0x1A;
    private static final int KEY = 0x0123_4567;
    private static final int PKEY = 0xFFFF;

    /// One side, and the events that it received.
    private static final class Side extends CmSide implements SidrAsker, SidrService {
        private @Nullable CmSidrRep reply;
        private @Nullable SidrInquiry inquiry;
        private boolean hasRoom = true;

        Side(long seed, CmSettings settings) {
            super(seed, settings);
        }

        SidrTable table() {
            return machine.datagrams();
        }

        SidrInquiry inquiry() {
            return Objects.requireNonNull(inquiry);
        }

        CmSidrRep answer() {
            return (CmSidrRep) sent.remove().message();
        }

        @Override
        public void answered(CmSidrRep said) {
            reply = said;
            told.add("answered");
        }

        @Override
        public void unanswered() {
            told.add("unanswered");
        }

        @Override
        public boolean asked(SidrInquiry question, CmSidrReq request) {
            told.add("asked");
            inquiry = question;
            return hasRoom;
        }

        @Override
        public void withdrawn(SidrInquiry question) {
            told.add("withdrawn");
        }
    }

    private final Side left = new Side(1, CmSettings.DEFAULT);
    private final Side right = new Side(2, CmSettings.DEFAULT);
    private long nowNs;

    private @Nullable SidrQuestion ask(Side side) {
        return side.table().ask(nowNs, CmSide.RIGHT, SERVICE, PKEY, Payload.EMPTY, side);
    }

    /// A question, and what it looks like.
    private CmMad asked() {
        ask(left);
        return left.sent.remove();
    }

    private void listen() {
        right.table().listen(SERVICE, right);
    }

    private void toRight(CmMad mad) {
        right.machine.handle(nowNs, CmSide.LEFT, mad);
    }

    private void toLeft(CmMad mad) {
        left.machine.handle(nowNs, CmSide.RIGHT, mad);
    }

    private static void pass(Side side, long fromNs, long ns) {
        while (side.machine.pollTimeout() <= fromNs + ns) {
            side.machine.handleTimeout(Math.max(fromNs, side.machine.pollTimeout()));
        }
    }

    private void accept() {
        right.machine.at(nowNs);
        right.inquiry().accept(PAIR, KEY, Payload.EMPTY);
    }

    @Test
    void theAnswerNamesQueuePairAndKeyOfTheQuestionsService() {
        listen();
        CmMad question = asked();
        toRight(question);
        accept();
        assertThat(right.sent.peek().transactionId()).isEqualTo(question.transactionId());
        toLeft(right.sent.remove());

        CmSidrRep reply = Objects.requireNonNull(left.reply);
        assertThat(reply.status()).isEqualTo(SidrStatus.VALID);
        assertThat(reply.qpn()).isEqualTo(PAIR);
        assertThat(reply.qkey()).isEqualTo(KEY);
        assertThat(reply.serviceId()).isEqualTo(SERVICE);
        assertThat(left.table().questions()).isZero();
        assertThat(left.machine.pollTimeout()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aQuestionIsSentSixteenTimesAndThenGivenUp() {
        ask(left);
        pass(left, 0, CmSide.LONG_NS);

        assertThat(left.sent).hasSize(16);
        assertThat(left.sent.stream().distinct()).hasSize(1);
        assertThat(left.told).containsExactly("unanswered");
        assertThat(left.table().questions()).isZero();
    }

    @Test
    void aMissingServiceIsReportedAndNothingIsKept() {
        toRight(asked());

        CmMad answer = right.sent.remove();
        toLeft(answer);
        assertThat(((CmSidrRep) answer.message()).status()).isEqualTo(SidrStatus.UNSUPPORTED);
        assertThat(left.told).containsExactly("answered");
        assertThat(right.table().inquiries()).isZero();
        assertThat(right.machine.pollTimeout()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void theProgramMayRejectWithPrivateData() {
        listen();
        toRight(asked());
        right.inquiry().reject(Payload.of(new byte[] {1, 2, 3}));

        CmSidrRep answer = right.answer();
        assertThat(answer.status()).isEqualTo(SidrStatus.REJECTED);
        assertThat(answer.privateData().toArray()).startsWith(1, 2, 3);
        assertThat(answer.qpn()).isZero();
        assertThat(answer.qkey()).isZero();
    }

    @Test
    void aRepeatedQuestionGetsTheSameAnswerWithoutTheProgram() {
        listen();
        CmMad question = asked();
        toRight(question);
        toRight(question);
        assertThat(right.sent).as("the program has not decided").isEmpty();
        accept();
        CmMad answer = right.sent.remove();
        toRight(question);
        nowNs += 60_000_000_000L;
        pass(right, 0, nowNs);
        toRight(question);

        assertThat(right.sent).containsExactly(answer, answer);
        assertThat(right.told).containsExactly("asked");
    }

    @Test
    void anotherQuestionOfTheSameNumberIsAsked() {
        listen();
        CmMad question = asked();
        toRight(question);
        accept();
        right.sent.clear();
        toRight(CmMad.of(question.transactionId() + 1, question.message()));
        right.machine.handle(nowNs, CmSide.STRANGER, question);

        assertThat(right.told).containsExactly("asked", "asked", "asked");
        assertThat(right.sent).isEmpty();
    }

    @Test
    void anAnswerIsDroppedWhenItCannotBeRequestedAnyMore() {
        listen();
        toRight(asked());
        accept();
        assertThat(right.table().inquiries()).isEqualTo(1);
        pass(right, 0, CmSide.LONG_NS);

        assertThat(right.table().inquiries()).isZero();
        assertThat(right.machine.pollTimeout()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aProgramThatDoesNotDecideLosesTheQuestion() {
        listen();
        toRight(asked());
        pass(right, 0, CmSide.LONG_NS);

        assertThat(right.answer().status()).isEqualTo(SidrStatus.NO_QP);
        assertThat(right.told).containsExactly("asked", "withdrawn");
        assertThat(right.inquiry().accept(PAIR, KEY, Payload.EMPTY)).isFalse();
        assertThat(right.sent).isEmpty();
        assertThat(right.table().inquiries()).isZero();
    }

    @Test
    void aQuestionIsAnsweredOnce() {
        listen();
        toRight(asked());
        accept();
        right.sent.clear();

        assertThat(right.inquiry().reject(Payload.EMPTY)).isFalse();
        right.inquiry().refuse(SidrStatus.NO_QP);
        assertThat(right.sent).isEmpty();
    }

    @Test
    void aFullTableRefusesAndKeepsNothing() {
        listen();
        right.hasRoom = false;
        toRight(asked());

        assertThat(right.answer().status()).isEqualTo(SidrStatus.NO_QP);
        assertThat(right.table().inquiries()).isZero();
    }

    @Test
    void answersOfStrangersAndToOtherQuestionsAreIgnored() {
        listen();
        CmMad question = asked();
        toRight(question);
        accept();
        CmMad answer = right.sent.remove();
        CmSidrRep reply = (CmSidrRep) answer.message();

        left.machine.handle(nowNs, CmSide.STRANGER, answer);
        toLeft(CmMad.of(answer.transactionId() + 1, reply));
        toLeft(CmMad.of(answer.transactionId(), changed(reply, reply.requestId() + 1, SERVICE)));
        toLeft(CmMad.of(answer.transactionId(), changed(reply, reply.requestId(), SERVICE + 1)));
        assertThat(left.told).isEmpty();

        toLeft(answer);
        toLeft(answer);
        assertThat(left.told).containsExactly("answered");
    }

    private static CmSidrRep changed(CmSidrRep from, int requestId, long serviceId) {
        return new CmSidrRep(
                requestId,
                from.status(),
                0,
                0,
                from.qpn(),
                serviceId,
                from.qkey(),
                Payload.EMPTY,
                Payload.EMPTY);
    }

    @Test
    void aCancelledQuestionIsNotRepeatedAndReportsNothing() {
        listen();
        SidrQuestion question = Objects.requireNonNull(ask(left));
        CmMad sent = left.sent.remove();
        question.cancel();
        pass(left, 0, CmSide.LONG_NS);
        toRight(sent);
        accept();
        toLeft(right.sent.remove());

        assertThat(left.sent).isEmpty();
        assertThat(left.told).isEmpty();
    }

    @Test
    void questionsOfOursHaveALimit() {
        Side small = new Side(3, new CmSettings(17, 15, 24, 16, 1, 2));
        ask(small);
        ask(small);

        assertThat(ask(small)).isNull();
    }

    @Test
    void questionsThatWaitHaveALimit() {
        Side small = new Side(3, new CmSettings(17, 15, 24, 16, 1, 2));
        small.table().listen(SERVICE, small);
        for (int i = 0; i < 3; i++) {
            small.machine.handle(nowNs, CmSide.LEFT, asked());
        }

        assertThat(small.answer().status()).isEqualTo(SidrStatus.NO_QP);
        assertThat(small.told).containsExactly("asked", "asked");
        assertThat(small.table().inquiries()).isEqualTo(2);
    }

    @Test
    void theOldestAnswersMakePlaceForTheNewest() {
        Side small = new Side(3, new CmSettings(17, 15, 24, 16, 1, 2));
        small.table().listen(SERVICE, small);
        List<CmMad> questions = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            questions.add(asked());
            small.machine.handle(nowNs, CmSide.LEFT, questions.getLast());
            small.inquiry().accept(PAIR + i, KEY, Payload.EMPTY);
            assertThat(small.answer().qpn()).isEqualTo(PAIR + i);
        }
        assertThat(small.table().inquiries()).isEqualTo(2);
        small.machine.handle(nowNs, CmSide.LEFT, questions.get(1));
        assertThat(small.answer().qpn()).isEqualTo(PAIR + 1);
        small.machine.handle(nowNs, CmSide.LEFT, questions.getFirst());
        assertThat(small.told).as("the first is forgotten").hasSize(4);
        pass(small, 0, CmSide.LONG_NS);
        assertThat(small.table().inquiries()).isZero();
    }

    @Test
    void oneProgramAnswersForAService() {
        listen();
        assertThat(right.table().listen(SERVICE, left)).isFalse();
        right.table().unlisten(SERVICE);
        toRight(asked());

        assertThat(right.answer().status()).isEqualTo(SidrStatus.UNSUPPORTED);
    }
}
