package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairAttribute;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairTransitions;
import dev.verbena.verbs.QueuePairTransitions.Row;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WrongStateException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The states of a queue pair, as [QueuePairTransitions] lists them, and the calls that each
/// allows.
public interface StateConformance extends Conformance {
    @ParameterizedTest
    @EnumSource(QueuePairType.class)
    default void everyTransitionWorksWithWhatItNeeds(QueuePairType type, World world) {
        Side side = Setup.of(world).type(type).build().left();
        for (Row row : rows(type)) {
            Ladder ladder = ladder(side).to(row.from());
            ladder.modify(row.to(), row.required());
            assertThat(ladder.pair().state()).as("%s", row).isEqualTo(row.to());
            ladder.pair().close();
        }
    }

    @ParameterizedTest
    @EnumSource(QueuePairType.class)
    default void everyTransitionWorksWithAllItTakes(QueuePairType type, World world) {
        Side side = Setup.of(world).type(type).build().left();
        for (Row row : rows(type)) {
            Set<QueuePairAttribute> all = EnumSet.noneOf(QueuePairAttribute.class);
            all.addAll(row.required());
            all.addAll(row.optional());
            Ladder ladder = ladder(side).to(row.from());
            ladder.modify(row.to(), all);
            assertThat(ladder.pair().state()).as("%s", row).isEqualTo(row.to());
            ladder.pair().close();
        }
    }

    @ParameterizedTest
    @EnumSource(QueuePairType.class)
    default void missingAttributesAreNamed(QueuePairType type, World world) {
        Side side = Setup.of(world).type(type).build().left();
        for (Row row : rows(type)) {
            Ladder ladder = ladder(side).to(row.from());
            for (QueuePairAttribute missing : row.required()) {
                Set<QueuePairAttribute> rest = EnumSet.copyOf(row.required());
                rest.remove(missing);
                InvalidRequestException refusal =
                        Mistakes.refused(
                                InvalidRequestException.class, () -> ladder.modify(row.to(), rest));
                assertThat(refusal).as("%s", row).hasMessageContaining(missing.name());
                assertThat(ladder.pair().state()).as("%s", row).isEqualTo(row.from());
            }
            ladder.pair().close();
        }
    }

    @ParameterizedTest
    @EnumSource(QueuePairType.class)
    default void attributesThatDoNotBelongAreNamed(QueuePairType type, World world) {
        Side side = Setup.of(world).type(type).build().left();
        for (Row row : rows(type)) {
            Ladder ladder = ladder(side).to(row.from());
            for (QueuePairAttribute wrong : QueuePairAttribute.values()) {
                if (row.required().contains(wrong) || row.optional().contains(wrong)) {
                    continue;
                }
                Set<QueuePairAttribute> given = EnumSet.of(wrong);
                given.addAll(row.required());
                InvalidRequestException refusal =
                        Mistakes.refused(
                                InvalidRequestException.class,
                                () -> ladder.modify(row.to(), given));
                assertThat(refusal).as("%s", row).hasMessageContaining(wrong.name());
                assertThat(ladder.pair().state()).as("%s", row).isEqualTo(row.from());
            }
            ladder.pair().close();
        }
    }

    @ParameterizedTest
    @EnumSource(QueuePairType.class)
    default void thereAreNoOtherTransitions(QueuePairType type, World world) {
        Side side = Setup.of(world).type(type).build().left();
        for (QueuePairState from : Ladder.reachable()) {
            for (QueuePairState to : QueuePairState.values()) {
                if (QueuePairTransitions.find(type, from, to) == null) {
                    Ladder ladder = ladder(side).to(from);
                    Mistakes.refused(WrongStateException.class, () -> ladder.modify(to, Set.of()));
                    assertThat(ladder.pair().state()).isEqualTo(from);
                    ladder.pair().close();
                }
            }
        }
    }

    @Test
    default void wrongCurrentStateIsRefused(World world) {
        QueuePair pair =
                ladder(Setup.of(world).build().left()).to(QueuePairState.READY_TO_SEND).pair();

        Mistakes.refused(
                VerbsException.class,
                () ->
                        pair.modify(
                                QueuePairState.READY_TO_SEND,
                                given -> given.currentState(QueuePairState.SEND_QUEUE_DRAINED)));
    }

    @Test
    default void pairsBeginInInitUnlessLeftInReset(World world) {
        Side side = Setup.of(world).build().left();

        assertThat(side.pair().state()).isEqualTo(QueuePairState.INIT);
        assertThat(ladder(side).pair().state()).isEqualTo(QueuePairState.RESET);
    }

    @Test
    default void connectStartsFromResetToo(World world) {
        Connection connection = Setup.of(world).options(options -> options.leaveReset()).connect();

        assertThat(connection.left().pair().state()).isEqualTo(QueuePairState.READY_TO_SEND);
        connection.works();
    }

    @ParameterizedTest
    @EnumSource(QueuePairType.class)
    default void sendsBeforeReadyAreRefused(QueuePairType type, World world) {
        Side side = Setup.of(world).type(type).build().left();
        for (QueuePairState state :
                List.of(
                        QueuePairState.RESET,
                        QueuePairState.INIT,
                        QueuePairState.READY_TO_RECEIVE)) {
            QueuePair pair = ladder(side).to(state).pair();
            Mistakes.refused(
                    WrongStateException.class,
                    () -> pair.post(batch -> batch.send(side.slice(0, 8)).signaled()));
        }
        side.sent().staysEmpty();
    }

    @ParameterizedTest
    @EnumSource(QueuePairType.class)
    default void receivesInResetAreRefused(QueuePairType type, World world) {
        Side side = Setup.of(world).type(type).build().left();
        QueuePair pair = ladder(side).pair();

        Mistakes.refused(
                WrongStateException.class,
                () -> pair.postReceive(batch -> batch.receive(side.slice(0, 8))));
    }

    @Test
    default void receivesPostedInInitAreUsedLater(World world) {
        Connection connection = Setup.of(world).build();
        Side left = connection.left();
        Side right = connection.right();
        right.receive(1, 0, 100);
        right.receive(2, 100, 100);

        connection.connect(attributes -> {}, attributes -> {});
        left.post(batch -> batch.send(left.slice(0, 10)).send(left.slice(0, 20)));

        assertThat(right.received().takeSuccesses(2)).extracting(Seen::id).containsExactly(1L, 2L);
    }

    @Test
    default void readyToReceiveAnswersAndSaysThatItWasReached(World world) {
        Connection connection = Setup.of(world).options(options -> options.leaveReset()).build();
        Side left = connection.left();
        Side right = connection.right();
        Ladder silent = new Ladder(right.pair(), left.pair().endpoint());
        Ladder active = new Ladder(left.pair(), right.pair().endpoint());
        // Each counts from the number that the other side expects.
        silent.step(QueuePairState.INIT);
        right.pair()
                .modify(
                        QueuePairState.READY_TO_RECEIVE,
                        given ->
                                given.address(Address.to(left.pair().endpoint()))
                                        .pathMtu(256)
                                        .peerQueuePair(left.pair().number())
                                        .receivePsn(Ladder.SEND_PSN)
                                        .readsAsResponder(4)
                                        .minRnrTimer(1));
        right.receive(1, 0, 100);
        right.fill(4096, 4096, 1);
        assertThat(right.hasRaised(AsyncEvent.Type.COMMUNICATION_ESTABLISHED)).isFalse();

        active.to(QueuePairState.READY_TO_SEND);
        left.post(
                batch ->
                        batch.send(left.slice(0, 100))
                                .write(left.slice(0, 100), right.remote(8192, 100))
                                .read(left.slice(4096, 4096), right.remote(4096, 4096))
                                .signaled());

        left.sent().next().succeeded();
        right.received().next().succeeded();
        left.holds(4096, right.bytes(4096, 4096));
        right.raises(AsyncEvent.Type.COMMUNICATION_ESTABLISHED);
        assertThat(right.pair().state()).isEqualTo(QueuePairState.READY_TO_RECEIVE);
    }

    @Test
    default void queryTellsWhatWasSet(World world) {
        Connection connection = Setup.of(world).options(options -> options.leaveReset()).build();
        QueuePair pair = connection.left().pair();
        QueuePair peer = connection.right().pair();
        new Ladder(pair, peer.endpoint()).to(QueuePairState.READY_TO_SEND);

        QueuePairAttributes now = pair.query();

        assertThat(now.currentState()).isEqualTo(QueuePairState.READY_TO_SEND);
        assertThat(now.access()).isEqualTo(Set.of(Access.REMOTE_READ, Access.REMOTE_WRITE));
        assertThat(now.partitionIndex()).isZero();
        assertThat(now.port()).isEqualTo(1);
        assertThat(now.address()).isEqualTo(Address.to(peer.endpoint()));
        assertThat(now.pathMtu()).isEqualTo(256);
        assertThat(now.timeout()).isEqualTo(13);
        assertThat(now.retryCount()).isEqualTo(5);
        assertThat(now.rnrRetry()).isEqualTo(6);
        assertThat(now.receivePsn()).isEqualTo(peer.endpoint().psn());
        assertThat(now.readsAsInitiator()).isEqualTo(3);
        assertThat(now.readsAsResponder()).isEqualTo(4);
        assertThat(now.minRnrTimer()).isEqualTo(9);
        assertThat(now.sendPsn()).isEqualTo(Ladder.SEND_PSN);
        assertThat(now.peerQueuePair()).isEqualTo(peer.number());
    }

    @Test
    default void rightsCanBeTakenFromALivePair(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        connection.works();

        right.pair()
                .modify(
                        QueuePairState.READY_TO_SEND,
                        given -> given.access(Set.of(Access.REMOTE_READ)));

        assertThat(right.pair().query().access()).containsExactly(Access.REMOTE_READ);
        left.fails(
                CompletionStatus.REMOTE_INVALID_REQUEST,
                batch -> batch.write(left.slice(0, 8), right.remote(0, 8)));
    }

    private static List<Row> rows(QueuePairType type) {
        return QueuePairTransitions.rows().stream()
                .filter(row -> row.type() == type && !row.byItself())
                .filter(row -> row.from() != QueuePairState.SEND_QUEUE_ERROR)
                .toList();
    }

    /// A new pair in `RESET`, on the queues of a side; its peer is the side's own pair.
    private static Ladder ladder(Side side) {
        QueuePair pair =
                side.domain()
                        .queuePair(
                                side.pair().type(),
                                options ->
                                        options.sendCompletions(side.sent().queue())
                                                .receiveCompletions(side.received().queue())
                                                .leaveReset());
        return new Ladder(pair, side.pair().endpoint());
    }
}
