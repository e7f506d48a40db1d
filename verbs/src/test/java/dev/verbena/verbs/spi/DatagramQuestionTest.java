package dev.verbena.verbs.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.ConnectionFailedException.Reason;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Resolution.State;
import dev.verbena.verbs.WrongStateException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class DatagramQuestionTest {
    private static final byte[] DATA = {1, 2, 3};

    private final Asked question = new Asked();

    /// A question that no thread waits for: its answer is there or not.
    private static final class Asked extends DatagramQuestion {
        private int roused;

        Asked() {
            super("left", Address.to(Gid.parse("192.0.2.7")), 7);
        }

        @Override
        protected boolean awaitDecision(Duration timeout, BooleanSupplier isDecided) {
            return isDecided.getAsBoolean();
        }

        @Override
        protected void decided() {
            roused++;
        }

        @Override
        public void close() {
            givenUp();
        }
    }

    @Test
    void hasNoAnswerBeforeOneCame() throws ConnectionFailedException {
        assertThat(question.state()).isEqualTo(State.ASKING);
        assertThat(question.await(Duration.ZERO)).isFalse();
        assertThat(question.privateData()).isEmpty();
        assertThatThrownBy(question::queuePair)
                .isInstanceOf(WrongStateException.class)
                .hasMessage(
                        "resolution of 192.0.2.7 datagram port 7: it is ASKING; wait for the"
                                + " answer");
        assertThatThrownBy(question::queueKey).isInstanceOf(WrongStateException.class);
    }

    @Test
    void tellsTheQueuePairThatThePeerNamed() throws ConnectionFailedException {
        question.resolved(17, 0x1111, DATA);

        assertThat(question.await(Duration.ZERO)).isTrue();
        assertThat(question.state()).isEqualTo(State.RESOLVED);
        assertThat(question.queuePair()).isEqualTo(17);
        assertThat(question.queueKey()).isEqualTo(0x1111);
        assertThat(question.privateData()).isEqualTo(DATA).isNotSameAs(DATA);
        assertThat(question.roused).isOne();
    }

    @Test
    void explainsWhyThereIsNone() {
        question.failed(Reason.REJECTED, () -> "no", DATA);

        ConnectionFailedException why = failure();
        assertThat(why).hasMessage("left to 192.0.2.7 datagram port 7: no");
        assertThat(why.reason()).isEqualTo(Reason.REJECTED);
        assertThat(why.privateData()).isEqualTo(DATA);
        assertThat(question.privateData()).isEqualTo(DATA);
        assertThatThrownBy(question::queuePair).hasMessageContaining("it is FAILED");
    }

    @Test
    void withoutAListenerThereAreNoBytesOfAProgram() {
        question.failed(Reason.NOBODY_LISTENS, () -> "no", DATA);

        assertThat(failure().privateData()).isEmpty();
    }

    private ConnectionFailedException failure() {
        return catchThrowableOfType(
                ConnectionFailedException.class, () -> question.await(Duration.ZERO));
    }

    @Test
    void aClosedOneIsToBeAskedAgain() {
        question.close();

        assertThatThrownBy(() -> question.await(Duration.ZERO))
                .isInstanceOf(WrongStateException.class)
                .hasMessageEndingWith("it was closed; ask again");
        assertThat(question.roused).isOne();
    }

    /// The numbers of IBA 12.6.7.2 and 12.11.2.
    @Test
    void knowsTheReasonsOfPeers() {
        assertThat(ConnectionRefusals.reasonOfRejection(1)).isEqualTo(Reason.NO_RESOURCES);
        assertThat(ConnectionRefusals.reasonOfRejection(3)).isEqualTo(Reason.NO_RESOURCES);
        assertThat(ConnectionRefusals.reasonOfRejection(8)).isEqualTo(Reason.NOBODY_LISTENS);
        assertThat(ConnectionRefusals.reasonOfRejection(10)).isEqualTo(Reason.STALE);
        assertThat(ConnectionRefusals.reasonOfRejection(28)).isEqualTo(Reason.REJECTED);
        assertThat(ConnectionRefusals.reasonOfRejection(2)).isEqualTo(Reason.OTHER);
        assertThat(ConnectionRefusals.reasonOfAnswer(1)).isEqualTo(Reason.NOBODY_LISTENS);
        assertThat(ConnectionRefusals.reasonOfAnswer(2)).isEqualTo(Reason.REJECTED);
        assertThat(ConnectionRefusals.reasonOfAnswer(3)).isEqualTo(Reason.NO_RESOURCES);
        assertThat(ConnectionRefusals.reasonOfAnswer(4)).isEqualTo(Reason.OTHER);
    }
}
