package dev.verbena.transport.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.spi.WorkKind;
import org.junit.jupiter.api.Test;

/// The numbers of kinds of work stand for the kinds that every provider has.
class WorkTest {
    @Test
    void everyNumberIsItsKind() {
        assertThat(Work.kind(Work.SEND)).isEqualTo(WorkKind.SEND);
        assertThat(Work.kind(Work.SEND_IMMEDIATE)).isEqualTo(WorkKind.SEND_IMMEDIATE);
        assertThat(Work.kind(Work.SEND_INVALIDATE)).isEqualTo(WorkKind.SEND_INVALIDATE);
        assertThat(Work.kind(Work.WRITE)).isEqualTo(WorkKind.WRITE);
        assertThat(Work.kind(Work.WRITE_IMMEDIATE)).isEqualTo(WorkKind.WRITE_IMMEDIATE);
        assertThat(Work.kind(Work.READ)).isEqualTo(WorkKind.READ);
        assertThat(Work.kind(Work.COMPARE_SWAP)).isEqualTo(WorkKind.COMPARE_SWAP);
        assertThat(Work.kind(Work.FETCH_ADD)).isEqualTo(WorkKind.FETCH_ADD);
        assertThat(Work.kind(Work.LOCAL_INVALIDATE)).isEqualTo(WorkKind.LOCAL_INVALIDATE);
        assertThat(Work.kind(Work.RECEIVE)).isEqualTo(WorkKind.RECEIVE);
        assertThat(Work.kind(Work.BIND_WINDOW)).isEqualTo(WorkKind.BIND_WINDOW);
    }

    @Test
    void theBitsOfAKindAreItsRules() {
        for (int number = 0; number < WorkKind.values().length; number++) {
            WorkKind kind = Work.kind(number);
            assertThat(Work.isLocal(number)).isEqualTo(kind.isLocal());
            assertThat(Work.isAtomic(number)).isEqualTo(kind.isAtomic());
            assertThat(Work.isAnswered(number)).isEqualTo(kind.isAnswered());
            assertThat(Work.usesReceive(number)).isEqualTo(kind.usesReceive());
            for (QueuePairType type : QueuePairType.values()) {
                assertThat(Work.isIn(type, number)).isEqualTo(kind.isIn(type));
            }
        }
    }
}
