package dev.verbena.easy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CallsTest {
    private static final byte[] REPLY = {1, 2, 3};

    @Test
    void aSecondReplyToAnOldRequestIsNotTheNextOnes() {
        Calls calls = new Calls(1);
        Calls.Call old = calls.begin();
        long oldNumber = old.number();
        assertThat(calls.answered(oldNumber, false, REPLY)).isSameAs(old);
        calls.end(old);

        Calls.Call next = calls.begin();

        assertThat(next.number()).isNotEqualTo(oldNumber);
        assertThat(calls.answered(oldNumber, false, REPLY)).isNull();
        assertThat(next.isPending()).isTrue();
        assertThat(calls.answered(next.number(), false, REPLY)).isSameAs(next);
        assertThat(next.reply).isEqualTo(REPLY);
    }

    @Test
    void aReplyToNoRequestIsRefused() {
        Calls calls = new Calls(2);
        long number = calls.begin().number();

        assertThat(calls.answered(number + 1, false, REPLY)).isNull();
        assertThat(calls.answered(number + 2, false, REPLY)).isNull();
        assertThat(calls.answered(number, false, REPLY)).isNotNull();
        assertThat(calls.answered(number, false, REPLY)).isNull();
    }

    @Test
    void aRequestThatWasGivenUpKeepsItsPlaceUntilItsReply() {
        Calls calls = new Calls(1);
        Calls.Call call = calls.begin();
        calls.giveUp(call);
        assertThat(calls.hasFree()).isFalse();

        calls.answered(call.number(), false, REPLY);

        assertThat(calls.hasFree()).isTrue();
    }
}
