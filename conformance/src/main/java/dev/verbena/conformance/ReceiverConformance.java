package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.QueuePairState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A peer that is not ready for a message, has too little room for it, or is not there.
public interface ReceiverConformance extends Conformance {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    default void sendWithoutAReceiveFailsAfterItsRetries(int retries, World world) {
        Connection connection = Setup.of(world).rnrRetry(retries).connect();
        Side left = connection.left();

        left.fails(
                CompletionStatus.RNR_RETRY_EXCEEDED, batch -> batch.send(left.slice(0, 10)).id(1));

        // The receiver did nothing wrong and has nothing to be sorry for.
        assertThat(connection.right().pair().state()).isEqualTo(QueuePairState.READY_TO_SEND);
        connection.right().received().staysEmpty();
    }

    /// The elapsed time shows the number of retries: each waits for the time that the receiver
    /// asked for.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    default void senderWaitsAsTheReceiverAsksBeforeEachRetry(int retries, World world) {
        // Code 0 is the longest: no latency comes near it.
        long delayNs = 655_360_000;
        Connection connection =
                Setup.of(world)
                        .attributes(given -> given.rnrRetry(retries).minRnrTimer(0))
                        .connect();
        long beforeNs = world.nowNs();

        connection.left().fails(CompletionStatus.RNR_RETRY_EXCEEDED, batch -> batch.send());

        long tookNs = world.nowNs() - beforeNs;
        assertThat(tookNs).as("waited").isGreaterThanOrEqualTo(retries * delayNs);
        // In real time a busy machine adds what it likes.
        if (world.has(Feature.LOSSLESS) && world.has(Feature.EXACT_TIME)) {
            assertThat(tookNs).as("waited").isLessThan((retries + 1) * delayNs);
        }
    }

    @Test
    default void writeWithImmediateWithoutAReceiveFailsAfterItsRetries(World world) {
        Connection connection = Setup.of(world).rnrRetry(1).connect();
        Side left = connection.left();

        left.fails(
                CompletionStatus.RNR_RETRY_EXCEEDED,
                batch ->
                        batch.writeImmediate(
                                left.slice(0, 10_000), connection.right().remote(0, 10_000), 1));
    }

    @Test
    default void messagesBeyondTheReceivesFailAndTheOthersArrive(World world) {
        Connection connection = Setup.of(world).rnrRetry(1).connect();
        Side left = connection.left();
        Side right = connection.right();
        right.receiveNothing(0);
        right.receiveNothing(1);

        for (int i = 0; i < 4; i++) {
            long id = i;
            left.post(batch -> batch.send().id(id).signaled());
        }

        assertThat(left.sent().take(4))
                .extracting(Seen::status)
                .containsExactly(
                        CompletionStatus.SUCCESS,
                        CompletionStatus.SUCCESS,
                        CompletionStatus.RNR_RETRY_EXCEEDED,
                        CompletionStatus.FLUSHED);
        right.received().takeSuccesses(2);
    }

    @Test
    default void senderWaitsForEverWhenToldTo(World world) {
        Connection connection = Setup.of(world).rnrRetry(7).connect();
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, 10_000, 1);

        left.post(batch -> batch.send(left.slice(0, 10_000)).signaled());
        for (int i = 0; i < 10; i++) {
            left.sent().staysEmpty();
        }
        right.receive(1, 0, 10_000);

        left.sent().next().succeeded();
        right.received().next().succeeded();
        right.holds(0, left.bytes(0, 10_000));
    }

    @Test
    default void senderGoesOnAsReceivesArePosted(World world) {
        Connection connection = Setup.of(world).rnrRetry(7).connect();
        Side left = connection.left();
        Side right = connection.right();
        int count = 30;
        left.fill(0, count * 100L, 1);
        for (int i = 0; i < count; i++) {
            long at = i * 100L;
            left.post(batch -> batch.send(left.slice(at, 100)).signaled());
        }

        for (int i = 0; i < count; i++) {
            right.receive(i, i * 100L, 100);
            assertThat(right.received().next().succeeded().id()).isEqualTo(i);
        }

        left.sent().takeSuccesses(count);
        right.holds(0, left.bytes(0, count * 100L));
    }

    @ParameterizedTest
    @ValueSource(ints = {11, 300, 10_000})
    default void messageLongerThanTheReceiveFailsBothSides(int length, World world) {
        Connection connection = Setup.of(world).pathMtu(256).connect();
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, length, 1);
        int room = length - 1;
        right.receive(41, 0, room);

        left.fails(
                CompletionStatus.REMOTE_INVALID_REQUEST,
                batch -> batch.send(left.slice(0, length)));

        Seen received = right.received().next();
        assertThat(received.id()).isEqualTo(41);
        assertThat(received.status())
                .isIn(CompletionStatus.LOCAL_LENGTH_ERROR, CompletionStatus.REMOTE_INVALID_REQUEST);
        right.comesTo(QueuePairState.ERROR);
        right.isUntouched(room, 1000);
    }

    @Test
    default void closedPeerIsGivenUp(World world) {
        Connection connection = Setup.of(world).impatient().connect();
        Connection other = connection.another();
        Side left = connection.left();

        connection.right().pair().close();
        long beforeNs = world.nowNs();

        left.fails(CompletionStatus.RETRY_EXCEEDED, batch -> batch.write(0, 0).id(1));
        // IBA 9.7.6.1.3: three attempts of 4.096 µs times two to the eighth each, at the least.
        assertThat(world.nowNs() - beforeNs).isGreaterThanOrEqualTo(3 * (4096L << 8));
        other.works();
    }

    @Test
    default void peerThatWasResetIsGivenUp(World world) {
        Connection connection = Setup.of(world).impatient().connect();
        Side left = connection.left();

        connection.right().pair().modify(QueuePairState.RESET, attributes -> {});

        left.fails(
                CompletionStatus.RETRY_EXCEEDED,
                batch -> batch.read(left.slice(0, 10), connection.right().remote(0, 10)));
    }

    @Test
    default void peerThatWasNeverConnectedIsGivenUp(World world) {
        Connection connection = Setup.of(world).build();
        Side left = connection.left();
        left.pair()
                .connect(
                        connection.right().pair().endpoint(),
                        given -> given.timeout(8).retryCount(1));

        left.fails(CompletionStatus.RETRY_EXCEEDED, batch -> batch.write(0, 0));

        assertThat(connection.right().pair().state()).isEqualTo(QueuePairState.INIT);
    }

    /// A queue pair accepts packets only from its peer's address, even if another host knows its
    /// number, its sequence numbers and a key.
    @Test
    default void strangerIsNotAnswered(World world) {
        world.needs(Feature.OWN_ADDRESSES);
        Connection connection = Connection.on(world);
        Side right = connection.right();
        // On the device of the right side itself: the one address that the peer does not have.
        Side stranger = Setup.of(world).build().right();
        stranger.fill(0, 8, 1);
        stranger.pair()
                .connect(
                        right.pair().endpoint(),
                        given ->
                                given.timeout(8)
                                        .retryCount(1)
                                        .sendPsn(right.pair().query().receivePsn()));

        stranger.fails(
                CompletionStatus.RETRY_EXCEEDED,
                batch -> batch.write(stranger.slice(0, 8), right.remote(0, 8)));

        right.isUntouched(0, 8);
        connection.works();
    }
}
