package dev.verbena.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuestionTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    12                                             | RETRY_EXCEEDED         |
                    0x0c                                           | RETRY_EXCEEDED         |
                    12/129                                         | RETRY_EXCEEDED         | 0x81
                    12/0x81                                        | RETRY_EXCEEDED         | 0x81
                    IBV_WC_RETRY_EXC_ERR                           | RETRY_EXCEEDED         |
                    retry_exc_err                                  | RETRY_EXCEEDED         |
                    RETRY_EXCEEDED                                 | RETRY_EXCEEDED         |
                    Transport retry counter exceeded               | RETRY_EXCEEDED         |
                    error 12, opcode 0, len 0, vendor err 129      | RETRY_EXCEEDED         | 0x81
                    status=5 opcode=32656 len=9 vendor err 249     | FLUSHED                | 0xf9
                    Failed status 4: wr_id 0 syndrom 0x51          | LOCAL_PROTECTION_ERROR | 0x51
                    Remote access (synd 0x13 vend 0x88 hw_synd 0/0)| REMOTE_ACCESS_ERROR    | 0x88
                    work request flushed error                     | FLUSHED                |
                    09                                             | REMOTE_INVALID_REQUEST |
                    14                                             | LOC_RDD_VIOL_ERR       |
                    ENOMEM                                         | ENOMEM                 |
                    ibv_modify_qp failed with errno 110            | ETIMEDOUT              |
                    failed: Connection timed out                   | ETIMEDOUT              |
                    110                                            | ETIMEDOUT              |
                    """)
    void aQuestionIsUnderstoodAsPeoplePasteIt(String words, String name, String vendor) {
        Explanation answer = Question.answer(words).orElseThrow();
        assertThat(answer.name()).isEqualTo(name);
        if (vendor == null) {
            assertThat(answer.vendor()).isEmpty();
        } else {
            assertThat(answer.vendor()).contains(vendor).doesNotContain("not known", "usual with");
        }
    }

    @ParameterizedTest
    @CsvSource({"hello", "77", "4294967296", "''"})
    void whatIsNotKnownHasNoAnswer(String words) {
        assertThat(Question.answer(words)).isEmpty();
    }

    @Test
    void aVendorCodeThatNobodyPublishedIsSaidToBeNotKnown() {
        assertThat(Question.answer("12/10").orElseThrow().vendor()).contains("not known");
        assertThat(Question.answer("5/129").orElseThrow().vendor())
                .contains("usual with status 12");
    }

    @Test
    void everyStatusButSuccessHasCausesWithALookAndARemedy() {
        assertThat(explanations().filter(it -> it.code() != 0 || !it.name().equals("SUCCESS")))
                .allSatisfy(
                        it ->
                                assertThat(it.branches())
                                        .isNotEmpty()
                                        .flatExtracting(Branch::causes)
                                        .isNotEmpty()
                                        .allMatch(cause -> !cause.look().isEmpty()));
    }

    static Stream<Explanation> explanations() {
        return Stream.concat(
                Arrays.stream(WorkStatus.values())
                        .map(it -> Question.status(it.code(), OptionalInt.empty()).orElseThrow()),
                Arrays.stream(Errno.values()).map(Errno::explanation));
    }
}
