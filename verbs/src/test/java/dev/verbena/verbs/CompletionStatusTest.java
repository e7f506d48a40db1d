package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionStatusTest {
    @Test
    void codesAreThoseOfLibibverbs() {
        Map<CompletionStatus, Integer> ours = new EnumMap<>(CompletionStatus.class);
        for (CompletionStatus status : CompletionStatus.values()) {
            ours.put(status, status.code());
        }
        assertThat(ours)
                .isEqualTo(
                        Map.ofEntries(
                                Map.entry(CompletionStatus.SUCCESS, 0),
                                Map.entry(CompletionStatus.LOCAL_LENGTH_ERROR, 1),
                                Map.entry(CompletionStatus.LOCAL_QUEUE_PAIR_ERROR, 2),
                                Map.entry(CompletionStatus.LOCAL_PROTECTION_ERROR, 4),
                                Map.entry(CompletionStatus.FLUSHED, 5),
                                Map.entry(CompletionStatus.WINDOW_BIND_ERROR, 6),
                                Map.entry(CompletionStatus.BAD_RESPONSE, 7),
                                Map.entry(CompletionStatus.LOCAL_ACCESS_ERROR, 8),
                                Map.entry(CompletionStatus.REMOTE_INVALID_REQUEST, 9),
                                Map.entry(CompletionStatus.REMOTE_ACCESS_ERROR, 10),
                                Map.entry(CompletionStatus.REMOTE_OPERATION_ERROR, 11),
                                Map.entry(CompletionStatus.RETRY_EXCEEDED, 12),
                                Map.entry(CompletionStatus.RNR_RETRY_EXCEEDED, 13),
                                Map.entry(CompletionStatus.REMOTE_ABORTED, 16),
                                Map.entry(CompletionStatus.FATAL, 19),
                                Map.entry(CompletionStatus.RESPONSE_TIMEOUT, 20),
                                Map.entry(CompletionStatus.GENERAL, 21)));
        assertThat(ours.values()).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource
    void aStatusIsFoundByItsCode(CompletionStatus status) {
        assertThat(CompletionStatus.of(status.code())).isSameAs(status);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 14, 15, 17, 18, 22, 23, 24, -1, Integer.MAX_VALUE})
    void aCodeWithoutANameIsAGeneralError(int code) {
        assertThat(CompletionStatus.of(code)).isSameAs(CompletionStatus.GENERAL);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SUCCESS")
    void everyFailureIsExplainedWithALikelyCause(CompletionStatus status) {
        assertThat(status.causes()).isNotEmpty().doesNotHaveDuplicates();
        assertThat(status.explanation().lines())
                .hasSize(2 + status.causes().size())
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(200));
        assertThat(status.explanation())
                .startsWith(status.name() + " (status " + status.code() + "): ")
                .contains("\nLikely causes:\n  - " + status.causes().get(0));
    }

    @Test
    void successHasNoCauses() {
        assertThat(CompletionStatus.SUCCESS.explanation())
                .isEqualTo("SUCCESS (status 0): The request was carried out.");
    }

    @Test
    void titlesAreFewWordsAndTheirOwn() {
        assertThat(CompletionStatus.values())
                .extracting(CompletionStatus::title)
                .doesNotHaveDuplicates()
                .allSatisfy(title -> assertThat(title).isNotBlank().hasSizeLessThan(50));
    }
}
