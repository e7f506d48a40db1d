package dev.verbena.verbs.spi;

import static dev.verbena.verbs.spi.WorkKind.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.QueuePairType;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/// Which kinds of work a service has, and what they do (IBA 9.2.1).
class WorkKindTest {
    private static List<WorkKind> those(Predicate<WorkKind> rule) {
        return Arrays.stream(WorkKind.values()).filter(rule).toList();
    }

    @Test
    void aServiceHasItsKinds() {
        assertThat(those(kind -> kind.isIn(QueuePairType.RC))).containsExactly(values());
        assertThat(those(kind -> kind.isIn(QueuePairType.UC)))
                .containsExactly(
                        SEND,
                        SEND_IMMEDIATE,
                        WRITE,
                        WRITE_IMMEDIATE,
                        LOCAL_INVALIDATE,
                        RECEIVE,
                        BIND_WINDOW);
        assertThat(those(kind -> kind.isIn(QueuePairType.UD)))
                .containsExactly(SEND, SEND_IMMEDIATE, RECEIVE);
    }

    @Test
    void aKindSaysWhatItDoes() {
        assertThat(those(WorkKind::isAtomic)).containsExactly(COMPARE_SWAP, FETCH_ADD);
        assertThat(those(WorkKind::isAnswered)).containsExactly(READ, COMPARE_SWAP, FETCH_ADD);
        assertThat(those(WorkKind::isLocal)).containsExactly(LOCAL_INVALIDATE, BIND_WINDOW);
        assertThat(those(WorkKind::usesReceive))
                .containsExactly(SEND, SEND_IMMEDIATE, SEND_INVALIDATE, WRITE_IMMEDIATE);
        assertThat(those(WorkKind::fillsLocal))
                .containsExactly(READ, COMPARE_SWAP, FETCH_ADD, RECEIVE);
        assertThat(those(WorkKind::takesInline))
                .containsExactly(SEND, SEND_IMMEDIATE, SEND_INVALIDATE, WRITE, WRITE_IMMEDIATE);
    }

    @Test
    void noTwoKindsHaveOneTitle() {
        assertThat(Arrays.stream(values()).map(WorkKind::title)).doesNotHaveDuplicates();
    }
}
