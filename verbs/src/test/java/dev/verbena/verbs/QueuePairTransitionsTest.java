package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Holds the state machine to a stored copy (`-Ddocs=write` writes it anew), to a second list of
/// the RC rows that was typed by hand from public descriptions of `ibv_modify_qp`, and to itself.
class QueuePairTransitionsTest {
    private static final Path STORED =
            Path.of(System.getProperty("verbena.root", ".."))
                    .resolve("verbs/src/test/resources/queue-pair-transitions.md");

    /// From, to, required, optional, in the names of libibverbs. Left out: alternate paths and
    /// their migration, which Verbena does not have.
    private static final String RC_OF_LIBIBVERBS =
            """
            RESET INIT  | PKEY_INDEX PORT ACCESS_FLAGS |
            INIT  INIT  | | PKEY_INDEX PORT ACCESS_FLAGS
            INIT  RTR   | AV PATH_MTU DEST_QPN RQ_PSN MAX_DEST_RD_ATOMIC MIN_RNR_TIMER \
            | ACCESS_FLAGS PKEY_INDEX
            RTR   RTS   | SQ_PSN TIMEOUT RETRY_CNT RNR_RETRY MAX_QP_RD_ATOMIC \
            | CUR_STATE ACCESS_FLAGS MIN_RNR_TIMER
            RTS   RTS   | | CUR_STATE ACCESS_FLAGS MIN_RNR_TIMER
            RTS   SQD   | | EN_SQD_ASYNC_NOTIFY
            SQD   SQD   | | PORT AV TIMEOUT RETRY_CNT RNR_RETRY MAX_QP_RD_ATOMIC \
            MAX_DEST_RD_ATOMIC ACCESS_FLAGS PKEY_INDEX MIN_RNR_TIMER
            SQD   RTS   | | CUR_STATE ACCESS_FLAGS MIN_RNR_TIMER
            RESET RESET | |
            INIT  RESET | |
            RTR   RESET | |
            RTS   RESET | |
            SQD   RESET | |
            ERR   RESET | |
            INIT  ERR   | |
            RTR   ERR   | |
            RTS   ERR   | |
            SQD   ERR   | |
            ERR   ERR   | |
            """;

    @Test
    void allRowsAreThoseOfTheStoredCopy() throws IOException {
        String printed = TransitionText.table();
        if (System.getProperty("docs", "").equals("write")) {
            Files.createDirectories(STORED.getParent());
            Files.writeString(STORED, printed);
        }
        assertThat(printed)
                .as("stale copy: write it anew with -Ddocs=write")
                .isEqualTo(Files.readString(STORED));
    }

    @Test
    void rcRowsAreThoseOfLibibverbsAndTheRateLimit() {
        List<String> ours = new ArrayList<>();
        for (QueuePairTransitions.Row row : QueuePairTransitions.rows()) {
            if (row.type() == QueuePairType.RC && !row.byItself()) {
                Set<String> optional = TransitionText.names(row.optional());
                // libibverbs sets a rate by a verb of its own, in RTS; here it is an attribute.
                boolean rate = optional.remove("RATE_LIMIT");
                assertThat(rate).isEqualTo(row.to() == QueuePairState.READY_TO_SEND);
                ours.add(TransitionText.line(row, optional));
            }
        }
        List<String> theirs = RC_OF_LIBIBVERBS.lines().map(TransitionText::line).toList();
        assertThat(ours).containsExactlyInAnyOrderElementsOf(theirs);
    }

    @ParameterizedTest
    @EnumSource
    void noTransitionIsListedTwice(QueuePairType type) {
        assertThat(QueuePairTransitions.rows().stream().filter(row -> row.type() == type))
                .extracting(row -> row.from() + " " + row.to() + " " + row.byItself())
                .doesNotHaveDuplicates();
    }

    @Test
    void nothingIsBothRequiredAndOptional() {
        assertThat(QueuePairTransitions.rows())
                .allMatch(row -> Collections.disjoint(row.required(), row.optional()));
    }

    @ParameterizedTest
    @EnumSource
    void everyStateButResetCanFailByRequestAndByItself(QueuePairState from) {
        QueuePairType type = QueuePairType.UC; // the one connected type that has every state
        QueuePairState error = QueuePairState.ERROR;
        assertThat(QueuePairTransitions.find(type, from, QueuePairState.RESET)).isNotNull();
        assertThat(QueuePairTransitions.find(type, from, error) != null)
                .isEqualTo(from != QueuePairState.RESET);
        assertThat(QueuePairTransitions.happensByItself(type, from, error))
                .isEqualTo(from != QueuePairState.RESET && from != error);
    }

    @Test
    void aFailedSendLeadsToSendQueueErrorForUnreliableServicesOnly() {
        for (QueuePairType type : QueuePairType.values()) {
            assertThat(
                            QueuePairTransitions.happensByItself(
                                    type,
                                    QueuePairState.READY_TO_SEND,
                                    QueuePairState.SEND_QUEUE_ERROR))
                    .isEqualTo(type != QueuePairType.RC);
        }
        assertThat(QueuePairTransitions.rows())
                .filteredOn(row -> row.type() == QueuePairType.RC)
                .noneMatch(row -> row.from() == QueuePairState.SEND_QUEUE_ERROR)
                .noneMatch(row -> row.to() == QueuePairState.SEND_QUEUE_ERROR);
    }

    @ParameterizedTest
    @EnumSource
    void aProgramCannotAskForSendQueueError(QueuePairState from) {
        for (QueuePairType type : QueuePairType.values()) {
            assertThat(QueuePairTransitions.find(type, from, QueuePairState.SEND_QUEUE_ERROR))
                    .isNull();
        }
    }

    @Test
    void exactlyTheRequiredAttributesAreEnough() {
        for (QueuePairTransitions.Row row : QueuePairTransitions.rows()) {
            if (!row.byItself()) {
                QueuePairTransitions.check(
                        "qp 0x1a", row.type(), row.from(), row.to(), row.required());
            }
        }
    }

    @Test
    void aMissingTransitionIsToldWithTheOnesThereAre() {
        assertThatThrownBy(
                        () ->
                                QueuePairTransitions.check(
                                        "qp 0x1a",
                                        QueuePairType.RC,
                                        QueuePairState.INIT,
                                        QueuePairState.READY_TO_SEND,
                                        Set.of()))
                .isInstanceOf(WrongStateException.class)
                .hasMessage(
                        "qp 0x1a: no transition from INIT to RTS for RC;"
                                + " from INIT it can change to [INIT, RTR, RESET, ERR]");
    }

    @Test
    void missingAttributesAreNamed() {
        EnumSet<QueuePairAttribute> given =
                EnumSet.of(
                        QueuePairAttribute.SEND_PSN,
                        QueuePairAttribute.TIMEOUT,
                        QueuePairAttribute.READS_AS_INITIATOR);
        assertRefused(
                given,
                "qp 0x1a: RTR to RTS needs [RETRY_COUNT, RNR_RETRY];"
                        + " set the missing attributes");
    }

    @Test
    void wrongAttributesAreNamed() {
        EnumSet<QueuePairAttribute> given = EnumSet.copyOf(requiredFromRtrToRts());
        given.add(QueuePairAttribute.PATH_MTU);
        given.add(QueuePairAttribute.QUEUE_KEY);
        assertRefused(
                given,
                "qp 0x1a: RTR to RTS does not take [QUEUE_KEY, PATH_MTU]; remove those that it does"
                        + " not take");
    }

    @Test
    void missingAndWrongAttributesAreNamedTogether() {
        EnumSet<QueuePairAttribute> given = EnumSet.copyOf(requiredFromRtrToRts());
        given.remove(QueuePairAttribute.SEND_PSN);
        given.add(QueuePairAttribute.RECEIVE_PSN);
        assertRefused(
                given,
                "qp 0x1a: RTR to RTS needs [SEND_PSN] and does not take [RECEIVE_PSN];"
                        + " set the missing attributes and remove those that it does not take");
    }

    private static void assertRefused(Set<QueuePairAttribute> given, String message) {
        assertThatThrownBy(
                        () ->
                                QueuePairTransitions.check(
                                        "qp 0x1a",
                                        QueuePairType.RC,
                                        QueuePairState.READY_TO_RECEIVE,
                                        QueuePairState.READY_TO_SEND,
                                        given))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage(message);
    }

    private static Set<QueuePairAttribute> requiredFromRtrToRts() {
        QueuePairTransitions.Row row =
                QueuePairTransitions.find(
                        QueuePairType.RC,
                        QueuePairState.READY_TO_RECEIVE,
                        QueuePairState.READY_TO_SEND);
        assertThat(row).isNotNull();
        return row.required();
    }
}
