package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.QueuePairState;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// The end of posted work when a queue pair fails or is stopped.
public interface FlushConformance extends Conformance {
    @Test
    default void failureIsReportedOnceAndTheRestIsFlushedInOrder(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        for (int i = 0; i < 4; i++) {
            left.receive(100 + i, 1000, 100);
        }

        left.post(
                batch -> {
                    for (int i = 0; i < 10; i++) {
                        int key = right.memory().remoteKey();
                        batch.write(right.memory().address(), i == 3 ? ~key : key)
                                .local(left.slice(0, 8))
                                .id(i)
                                .signaled();
                    }
                });

        List<Seen> sent = left.sent().take(10);
        assertThat(sent).extracting(Seen::id).containsExactlyElementsOf(ids(0, 10));
        left.sent().staysEmpty();
        // Where answers can be lost, those to the first three may be lost with the fourth's.
        int cause = 0;
        while (sent.get(cause).status() == CompletionStatus.SUCCESS) {
            cause++;
        }
        left.wasRefused(sent.get(cause), CompletionStatus.REMOTE_ACCESS_ERROR);
        assertThat(cause).isBetween(world.lacks(Feature.LOSSLESS).isPresent() ? 0 : 3, 3);
        assertThat(sent.subList(cause + 1, 10))
                .extracting(Seen::status)
                .containsOnly(CompletionStatus.FLUSHED);
        List<Seen> received = left.received().take(4);
        assertThat(received).extracting(Seen::id).containsExactlyElementsOf(ids(100, 104));
        assertThat(received).extracting(Seen::status).containsOnly(CompletionStatus.FLUSHED);
        left.received().staysEmpty();
    }

    @Test
    default void unsignaledRequestsAreFlushedWithCompletions(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();

        left.post(
                batch -> {
                    batch.write(right.memory().address(), ~right.memory().remoteKey());
                    batch.local(left.slice(0, 8)).id(0);
                    for (int i = 1; i < 5; i++) {
                        batch.write(left.slice(0, 8), right.remote(0, 8)).id(i);
                    }
                });

        List<Seen> sent = left.sent().take(5);
        assertThat(sent).extracting(Seen::id).containsExactlyElementsOf(ids(0, 5));
        left.wasRefused(sent.getFirst(), CompletionStatus.REMOTE_ACCESS_ERROR);
        assertThat(sent.subList(1, 5))
                .extracting(Seen::status)
                .containsOnly(CompletionStatus.FLUSHED);
    }

    @Test
    default void failedResponderFlushesItsOwnWork(World world) {
        Connection connection = Setup.of(world).rnrRetry(7).connect();
        Side left = connection.left();
        Side right = connection.right();
        right.receive(1, 0, 100);
        right.receive(2, 0, 100);
        // Waits for a receive that the left side never posts.
        right.post(batch -> batch.send().id(3));

        left.fails(
                CompletionStatus.REMOTE_ACCESS_ERROR,
                batch ->
                        batch.write(right.memory().address(), ~right.memory().remoteKey())
                                .local(left.slice(0, 8)));

        List<Seen> received = right.received().take(2);
        assertThat(received).extracting(Seen::id).containsExactly(1L, 2L);
        assertThat(received).extracting(Seen::status).containsOnly(CompletionStatus.FLUSHED);
        assertThat(right.sent().next().ended(CompletionStatus.FLUSHED).id()).isEqualTo(3);
    }

    @Test
    default void goingToErrorFlushesEverything(World world) {
        Connection connection = Setup.of(world).rnrRetry(7).connect();
        Side left = connection.left();
        for (int i = 0; i < 5; i++) {
            left.receive(i, 0, 100);
            long id = i;
            left.post(batch -> batch.send(left.slice(0, 5000)).id(id));
        }
        left.sent().staysEmpty();

        left.pair().modify(QueuePairState.ERROR, attributes -> {});

        assertThat(left.pair().state()).isEqualTo(QueuePairState.ERROR);
        allFlushed(left.sent(), 5);
        allFlushed(left.received(), 5);
    }

    @Test
    default void workPostedToAFailedPairIsFlushed(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        left.pair().modify(QueuePairState.ERROR, attributes -> {});

        for (int i = 0; i < 5; i++) {
            left.receive(i, 0, 100);
            long id = i;
            left.post(
                    batch ->
                            batch.write(left.slice(0, 100), connection.right().remote(0, 100))
                                    .id(id));
        }

        allFlushed(left.sent(), 5);
        allFlushed(left.received(), 5);
        connection.right().isUntouched(0, 100);
    }

    @Test
    default void flushedRequestsMakeRoom(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        left.pair().modify(QueuePairState.ERROR, attributes -> {});
        int room = left.pair().sendRoom();

        for (int i = 0; i < 3 * room; i++) {
            left.post(batch -> batch.send());
            left.sent().next().ended(CompletionStatus.FLUSHED);
        }
    }

    @Test
    default void resetForgetsPostedWorkInSilence(World world) {
        Connection connection = Setup.of(world).rnrRetry(7).connect();
        Side left = connection.left();
        int sendRoom = left.pair().sendRoom();
        int receiveRoom = left.pair().receiveRoom();
        for (int i = 0; i < 5; i++) {
            left.receive(i, 0, 100);
            left.post(batch -> batch.send(left.slice(0, 5000)).signaled());
        }
        world.advance(Inbox.QUIET);

        left.pair().modify(QueuePairState.RESET, attributes -> {});

        assertThat(left.pair().state()).isEqualTo(QueuePairState.RESET);
        left.sent().staysEmpty();
        left.received().staysEmpty();
        assertThat(left.pair().sendRoom()).isEqualTo(sendRoom);
        assertThat(left.pair().receiveRoom()).isEqualTo(receiveRoom);
    }

    @Test
    default void pairsCanBeUsedAgainAfterReset(World world) {
        Connection connection = Connection.on(world);
        connection.works();
        Side left = connection.left();
        left.fails(
                CompletionStatus.REMOTE_ACCESS_ERROR,
                batch ->
                        batch.write(0, ~connection.right().memory().remoteKey())
                                .local(left.slice(0, 8)));
        connection.right().comesTo(QueuePairState.ERROR);

        left.pair().modify(QueuePairState.RESET, attributes -> {});
        connection.right().pair().modify(QueuePairState.RESET, attributes -> {});
        connection.connect(attributes -> {}, attributes -> {});

        connection.works();
    }

    @Test
    default void failureOfOnePairLeavesTheOthersAlone(World world) {
        Connection failing = Connection.on(world);
        Connection sound = failing.another();
        Side left = sound.left();
        Side right = sound.right();
        left.fill(0, 30_000, 1);
        left.post(
                batch ->
                        batch.write(left.slice(0, 30_000), right.remote(30_000, 30_000))
                                .signaled());

        failing.left()
                .fails(
                        CompletionStatus.REMOTE_ACCESS_ERROR,
                        batch ->
                                batch.write(0, ~right.memory().remoteKey())
                                        .local(left.slice(0, 8)));

        left.sent().next().succeeded();
        right.holds(30_000, left.bytes(0, 30_000));
        sound.works();
        assertThat(right.pair().state()).isEqualTo(QueuePairState.READY_TO_SEND);
    }

    private static void allFlushed(Inbox inbox, int count) {
        List<Seen> seen = inbox.take(count);
        assertThat(seen).extracting(Seen::id).containsExactlyElementsOf(ids(0, count));
        assertThat(seen).extracting(Seen::status).containsOnly(CompletionStatus.FLUSHED);
        inbox.staysEmpty();
    }

    private static List<Long> ids(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }
}
