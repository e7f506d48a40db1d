package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.ConnectionFailedException.Reason;
import org.junit.jupiter.api.Test;

class CmFailureTest {
    @Test
    void refusalsOfAPeerAreTold() {
        assertThat(connection(CmEvent.REJECTED, 8)).isEqualTo(Reason.NOBODY_LISTENS);
        assertThat(connection(CmEvent.REJECTED, 28)).isEqualTo(Reason.REJECTED);
        assertThat(connection(CmEvent.REJECTED, 10)).isEqualTo(Reason.STALE);
        assertThat(connection(CmEvent.REJECTED, 3)).isEqualTo(Reason.NO_RESOURCES);
        assertThat(connection(CmEvent.REJECTED, 33)).isEqualTo(Reason.OTHER);
    }

    @Test
    void silenceIsToldFromFailuresOfTheMachine() {
        assertThat(connection(CmEvent.UNREACHABLE, -Errno.ETIMEDOUT)).isEqualTo(Reason.NO_ANSWER);
        assertThat(connection(CmEvent.ADDRESS_ERROR, -Errno.EHOSTUNREACH))
                .isEqualTo(Reason.NO_ANSWER);
        assertThat(connection(CmEvent.CONNECT_ERROR, -Errno.ENOMEM)).isEqualTo(Reason.OTHER);
    }

    @Test
    void answersAboutDatagramsAreNumberedOtherwise() {
        assertThat(question(1)).isEqualTo(Reason.NOBODY_LISTENS);
        assertThat(question(2)).isEqualTo(Reason.REJECTED);
        assertThat(question(3)).isEqualTo(Reason.NO_RESOURCES);
        assertThat(question(4)).isEqualTo(Reason.OTHER);
        assertThat(question(-Errno.ETIMEDOUT)).isEqualTo(Reason.NO_ANSWER);
    }

    private static Reason connection(int type, int status) {
        return CmFailure.ofConnection(event(type, status)).reason;
    }

    private static Reason question(int status) {
        return CmFailure.ofQuestion(event(CmEvent.UNREACHABLE, status)).reason;
    }

    private static CmEvent event(int type, int status) {
        return new CmEvent(type, status, 0, 0, new byte[0], 0, 0, 0, 0);
    }
}
