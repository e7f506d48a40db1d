package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.VerbsException;
import org.junit.jupiter.api.Test;

/// Full queues: a batch goes in as a whole or not at all, and completions make room.
public interface RoomConformance extends Conformance {
    @Test
    default void fullSendQueueTakesNothing(World world) {
        Connection connection = narrow(world);
        Side left = connection.left();
        Side right = connection.right();
        int room = left.pair().sendRoom();
        assertThat(room).isGreaterThanOrEqualTo(8);

        // None of these can be finished before there are receives.
        for (int i = 0; i < room; i++) {
            assertThat(left.pair().sendRoom()).isEqualTo(room - i);
            long id = i;
            left.post(batch -> batch.send().id(id).signaled());
        }

        assertThat(left.pair().sendRoom()).isZero();
        assertThat(left.pair().post(batch -> batch.send().id(-1).signaled())).isFalse();
        for (int i = 0; i < room; i++) {
            right.receiveNothing(i);
        }
        assertThat(left.sent().takeSuccesses(room)).extracting(Seen::id).doesNotContain(-1L);
        left.sent().staysEmpty();
        assertThat(left.pair().sendRoom()).isEqualTo(room);
        // A receive makes room when its completion is taken.
        right.received().takeSuccesses(room);
        connection.works();
    }

    @Test
    default void batchThatDoesNotFitIsNotSplit(World world) {
        Connection connection = narrow(world);
        Side left = connection.left();
        Side right = connection.right();
        int room = left.pair().sendRoom();
        for (int i = 0; i < room - 1; i++) {
            left.post(batch -> batch.send().signaled());
        }

        assertThat(left.pair().post(batch -> batch.send().id(-1).send().id(-2).signaled()))
                .isFalse();

        assertThat(left.pair().sendRoom()).isEqualTo(1);
        left.post(batch -> batch.send().id(99).signaled());
        for (int i = 0; i < room; i++) {
            right.receiveNothing(i);
        }
        assertThat(left.sent().takeSuccesses(room).getLast().id()).isEqualTo(99);
        right.received().takeSuccesses(room);
        right.received().staysEmpty();
    }

    @Test
    default void batchLargerThanTheQueueNeverFits(World world) {
        Connection connection = narrow(world);
        Side left = connection.left();
        int room = left.pair().sendRoom();

        boolean posted =
                left.pair()
                        .post(
                                batch -> {
                                    for (int i = 0; i <= room; i++) {
                                        batch.send().signaled();
                                    }
                                });

        assertThat(posted).isFalse();
        assertThat(left.pair().sendRoom()).isEqualTo(room);
        left.sent().staysEmpty();
        connection.works();
    }

    @Test
    default void fullReceiveQueueTakesNothing(World world) {
        Connection connection = narrow(world);
        Side left = connection.left();
        Side right = connection.right();
        int room = right.pair().receiveRoom();
        assertThat(room).isGreaterThanOrEqualTo(8);
        for (int i = 0; i < room - 1; i++) {
            right.receiveNothing(i);
        }

        assertThat(right.pair().postReceive(batch -> batch.receive().id(-1).receive().id(-2)))
                .isFalse();
        assertThat(right.pair().receiveRoom()).isEqualTo(1);
        right.receiveNothing(room - 1L);
        assertThat(right.pair().receiveRoom()).isZero();
        assertThat(right.pair().postReceive(batch -> batch.receive().id(-3))).isFalse();

        for (int i = 0; i < room; i++) {
            left.post(batch -> batch.send().signaled());
            left.sent().next().succeeded();
            assertThat(right.received().next().succeeded().id()).isEqualTo(i);
        }
        assertThat(right.pair().receiveRoom()).isEqualTo(room);
    }

    /// A ring of many times its size, most of it unsignaled, as programs use it.
    @Test
    default void unsignaledRequestsMakeRoomWithTheNextCompletion(World world) {
        Connection connection = narrow(world);
        Side left = connection.left();
        Side right = connection.right();
        int room = left.pair().sendRoom();

        for (int round = 0; round < 10; round++) {
            left.post(
                    batch -> {
                        for (int i = 0; i < room; i++) {
                            batch.write(left.slice(0, 100), right.remote(0, 100));
                        }
                        batch.signaled();
                    });
            left.sent().next().succeeded();
            assertThat(left.pair().sendRoom()).as("round %d", round).isEqualTo(room);
        }
    }

    @Test
    default void batchThatIsGivenUpPostsNothing(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        int room = left.pair().sendRoom();
        left.fill(0, 100, 1);

        SendBatch aborted = left.pair().sends();
        aborted.write(left.slice(0, 100), right.remote(0, 100)).signaled();
        aborted.abort();
        left.pair().sends().write(left.slice(0, 100), right.remote(0, 100)).signaled();
        // The batch above was left unposted, and a new one gives it up.
        left.post(
                batch -> batch.write(left.slice(0, 100), right.remote(500, 100)).id(3).signaled());

        assertThat(left.sent().next().succeeded().id()).isEqualTo(3);
        left.sent().staysEmpty();
        right.isUntouched(0, 100);
        assertThat(left.pair().sendRoom()).isEqualTo(room);
    }

    @Test
    default void postedBatchCannotBeUsedAgain(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        SendBatch batch = left.pair().sends();
        assertThat(batch.write(0, 0).signaled().post()).isTrue();

        Mistakes.refused(VerbsException.class, () -> batch.write(0, 0));
        Mistakes.refused(VerbsException.class, batch::post);

        left.sent().next().succeeded();
        left.sent().staysEmpty();
    }

    @Test
    default void batchesOfTwoPairsDoNotMix(World world) {
        Connection first = Connection.on(world);
        Connection second = first.another();
        SendBatch one = first.left().pair().sends();
        SendBatch other = second.left().pair().sends();

        one.write(0, 0).id(1).signaled();
        other.write(0, 0).id(2).signaled();
        one.write(0, 0).id(3).signaled();
        assertThat(one.post()).isTrue();
        assertThat(other.post()).isTrue();

        assertThat(first.left().sent().takeSuccesses(2))
                .extracting(Seen::id)
                .containsExactly(1L, 3L);
        assertThat(second.left().sent().next().succeeded().id()).isEqualTo(2);
    }

    @Test
    default void emptyBatchIsPostedToNoEffect(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();

        assertThat(left.pair().post(batch -> {})).isTrue();
        assertThat(left.pair().postReceive(batch -> {})).isTrue();

        left.sent().staysEmpty();
        left.received().staysEmpty();
        connection.works();
    }

    private static Connection narrow(World world) {
        return Setup.of(world)
                .rnrRetry(7)
                .options(options -> options.sendDepth(8).receiveDepth(8))
                .connect();
    }
}
