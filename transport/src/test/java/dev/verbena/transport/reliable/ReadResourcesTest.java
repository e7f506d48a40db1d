package dev.verbena.transport.reliable;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadResourcesTest {
    private final ReadResources reads = new ReadResources();

    @Test
    void answersInOrder() {
        reads.start(4);
        reads.addRead(10, 3, 0, 0, 700);
        reads.addAtomic(13, 42);
        assertThat(answers()).containsExactly(10, 11, 12, 13);
    }

    @Test
    void aRepetitionCostsItsOwnAnswerAndNoOther() {
        reads.start(16);
        for (int psn = 0; psn < 16; psn++) {
            reads.addAtomic(psn, psn);
        }
        assertThat(answers()).hasSize(16);
        reads.replay(reads.find(3), 3);
        assertThat(answers()).containsExactly(3);
        for (int psn = 0; psn < 16; psn++) {
            reads.replay(reads.find(psn), psn);
            assertThat(answers()).containsExactly(psn);
        }
    }

    @Test
    void repetitionsThatFollowEachOtherAreAnsweredInOrder() {
        reads.start(8);
        for (int psn = 0; psn < 8; psn++) {
            reads.addAtomic(psn, psn);
        }
        answers();
        for (int psn = 2; psn < 6; psn++) {
            reads.replay(reads.find(psn), psn);
        }
        assertThat(answers()).containsExactly(2, 3, 4, 5);
    }

    @Test
    void aReadIsAnsweredAgainFromItsMiddle() {
        reads.start(4);
        reads.addRead(10, 5, 0, 0, 1200);
        answers();
        reads.replay(reads.find(12), 12);
        assertThat(reads.isRunStart()).isTrue();
        assertThat(answers()).containsExactly(12, 13, 14);
    }

    @Test
    void anAnswerInProgressIsBegunAgainWhereItIsAskedFor() {
        reads.start(4);
        reads.addRead(10, 5, 0, 0, 1200);
        reads.advance();
        reads.advance();
        reads.advance();
        reads.replay(reads.find(11), 11);
        assertThat(answers()).containsExactly(11, 12, 13, 14);
    }

    @Test
    void aRepetitionInProgressIsBegunAgainWhereItIsAskedFor() {
        reads.start(4);
        reads.addRead(10, 5, 0, 0, 1200);
        answers();
        reads.replay(reads.find(10), 10);
        reads.advance();
        reads.advance();
        reads.advance();
        reads.replay(reads.find(11), 11);
        assertThat(answers()).containsExactly(11, 12, 13, 14);
    }

    @Test
    void whatIsStillToComeIsNotBegunAgain() {
        reads.start(4);
        reads.addRead(10, 5, 0, 0, 1200);
        reads.advance();
        reads.replay(reads.find(13), 13);
        assertThat(answers()).containsExactly(11, 12, 13, 14);
    }

    @Test
    void aRepetitionGoesBeforeWhatIsNewAndTakesNoRoomFromIt() {
        reads.start(2);
        reads.addAtomic(0, 0);
        answers();
        reads.replay(reads.find(0), 0);
        assertThat(reads.hasRoom()).isTrue();
        reads.addAtomic(1, 1);
        assertThat(answers()).containsExactly(0, 1);
    }

    @Test
    void aRepetitionWhoseMemoryIsGoneIsSkipped() {
        reads.start(4);
        reads.addRead(0, 2, 0, 0, 500);
        answers();
        reads.replay(reads.find(0), 0);
        reads.addRead(2, 1, 0, 0, 8);
        assertThat(reads.skipReplay()).isTrue();
        assertThat(reads.skipReplay()).isFalse();
        assertThat(answers()).containsExactly(2);
    }

    @Test
    void whatIsHalfOfAllSequenceNumbersAgoIsForgotten() {
        int half = 1 << 23;
        reads.start(4);
        reads.addRead(10, 3, 0, 0, 700);
        reads.addAtomic(100, 42);
        answers();

        reads.expects(half + 11);
        assertThat(reads.find(10)).isNotNegative();
        reads.expects(half + 12);
        assertThat(reads.find(12)).isNegative();
        assertThat(reads.find(100)).isNotNegative();
        reads.expects(half + 100);
        assertThat(reads.beforeReads(100)).isEqualTo(100);

        reads.addAtomic(half + 200, 43);
        assertThat(answers()).containsExactly(half + 200);
        assertThat(reads.find(half + 200)).isNotNegative();
    }

    @Test
    void whatIsNotYetAnsweredIsNotForgotten() {
        reads.start(4);
        reads.addAtomic(10, 1);
        reads.expects((1 << 23) + 11);
        assertThat(answers()).containsExactly(10);
    }

    @Test
    void holdsTheNextPowerOfTwoBecausePeersRoundUp() {
        reads.start(3);
        for (int psn = 0; psn < 4; psn++) {
            assertThat(reads.hasRoom()).isTrue();
            reads.addAtomic(psn, psn);
        }
        assertThat(reads.hasRoom()).isFalse();
    }

    @Test
    void remembersAcrossAChangeOfItsSize() {
        reads.start(4);
        for (int psn = 0; psn < 4; psn++) {
            reads.addAtomic(psn, 100 + psn);
        }
        answers();
        reads.resize(2);
        assertThat(reads.find(1)).isEqualTo(-1);
        assertThat(reads.original(reads.find(3))).isEqualTo(103);
        reads.resize(0);
        assertThat(reads.find(3)).isEqualTo(-1);
        assertThat(reads.hasRoom()).isFalse();
        reads.resize(4);
        assertThat(reads.find(3)).isEqualTo(-1);
        reads.addAtomic(4, 104);
        assertThat(answers()).containsExactly(4);
    }

    /// Sends all that is to be sent; the sequence numbers.
    private List<Integer> answers() {
        List<Integer> sent = new ArrayList<>();
        while (reads.hasNext()) {
            sent.add(reads.nextPsn());
            reads.advance();
        }
        return sent;
    }
}
