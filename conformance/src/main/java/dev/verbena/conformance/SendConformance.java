package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.CompletedOperation;
import java.util.List;
import org.junit.jupiter.api.Test;

/// SEND: a message goes into the peer's next receive, whole and once.
public interface SendConformance extends Conformance {
    @Test
    default void sendFillsTheReceiveAndNothingElse(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, 100, 1);
        right.receive(11, 1000, 100);

        left.post(batch -> batch.send(left.slice(0, 100)).id(7).signaled());

        Seen sent = left.sent().next().succeeded();
        assertThat(sent.id()).isEqualTo(7);
        assertThat(sent.operation()).isEqualTo(CompletedOperation.SEND);
        assertThat(sent.queuePair()).isEqualTo(left.pair().number());
        Seen received = right.received().next().succeeded();
        received.of(CompletedOperation.RECEIVE, 100);
        assertThat(received.id()).isEqualTo(11);
        assertThat(received.queuePair()).isEqualTo(right.pair().number());
        assertThat(received.immediate()).isEmpty();
        assertThat(received.invalidatedKey()).isEmpty();
        right.isUntouched(0, 1000);
        right.holds(1000, left.bytes(0, 100));
        right.isUntouched(1100, 1000);
    }

    @Test
    default void sendLeavesTheRestOfALongerReceiveAlone(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, 10, 1);
        right.receive(1, 0, 4000);

        left.post(batch -> batch.send(left.slice(0, 10)));

        right.received().next().succeeded().of(CompletedOperation.RECEIVE, 10);
        right.holds(0, left.bytes(0, 10));
        right.isUntouched(10, 3990);
    }

    @Test
    default void sendCarriesImmediateData(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, 9000, 1);
        right.receive(1, 0, 9000);
        right.receive(2, 9000, 0);

        left.post(
                batch ->
                        batch.sendImmediate(0xCAFE_BABE)
                                .local(left.slice(0, 9000))
                                .sendImmediate(0)
                                .signaled());

        Seen large = right.received().next().succeeded().of(CompletedOperation.RECEIVE, 9000);
        assertThat(large.immediate()).hasValue(0xCAFE_BABE);
        Seen empty = right.received().next().succeeded().of(CompletedOperation.RECEIVE, 0);
        assertThat(empty.immediate()).as("zero is immediate data too").hasValue(0);
        right.holds(0, left.bytes(0, 9000));
        assertThat(left.sent().next().succeeded().operation()).isEqualTo(CompletedOperation.SEND);
    }

    @Test
    default void sendOfNothingUsesAReceive(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        right.receiveNothing(21);
        right.receive(22, 0, 100);
        right.receive(23, 100, 100);

        left.post(batch -> batch.send().send().send(left.slice(0, 0)).signaled());

        left.sent().next().succeeded();
        List<Seen> received = right.received().takeSuccesses(3);
        assertThat(received).extracting(Seen::id).containsExactly(21L, 22L, 23L);
        assertThat(received).extracting(Seen::byteLength).containsOnly(0L);
        right.isUntouched(0, 200);
    }

    @Test
    default void sendsTakeReceivesInTheirOrder(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, 20_000, 5);
        int[] lengths = {1, 5000, 0, 17, 4096, 3};
        for (int i = 0; i < lengths.length; i++) {
            right.receive(i, i * 6000L, 6000);
        }

        for (int length : lengths) {
            left.post(batch -> batch.send(left.slice(0, length)));
        }

        List<Seen> received = right.received().takeSuccesses(lengths.length);
        for (int i = 0; i < lengths.length; i++) {
            assertThat(received.get(i).id()).isEqualTo(i);
            assertThat(received.get(i).byteLength()).isEqualTo(lengths[i]);
            right.holds(i * 6000L, left.bytes(0, lengths[i]));
        }
    }

    @Test
    default void sendsGoBothWaysAtOnce(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        int rounds = 40;
        int length = 700;
        left.fill(0, 30_000, 1);
        right.fill(0, 30_000, 2);
        byte[] fromLeft = left.bytes(0, rounds * (long) length);
        byte[] fromRight = right.bytes(0, rounds * (long) length);
        for (int i = 0; i < rounds; i++) {
            long at = (long) i * length;
            left.receive(i, 32_000 + at, length);
            right.receive(i, 32_000 + at, length);
        }

        for (int i = 0; i < rounds; i++) {
            long at = (long) i * length;
            left.post(batch -> batch.send(left.slice(at, length)).signaled());
            right.post(batch -> batch.send(right.slice(at, length)).signaled());
        }

        left.sent().takeSuccesses(rounds);
        right.sent().takeSuccesses(rounds);
        left.received().takeSuccesses(rounds);
        right.received().takeSuccesses(rounds);
        right.holds(32_000, fromLeft);
        left.holds(32_000, fromRight);
    }
}
