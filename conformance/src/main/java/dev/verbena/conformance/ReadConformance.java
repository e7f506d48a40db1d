package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.CompletedOperation;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// READ: the peer's bytes come into our memory without the peer's program.
public interface ReadConformance extends Conformance {
    @Test
    default void readFetchesTheRangeAndNothingElse(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        right.fill(0, 65_536, 4);

        left.post(
                batch -> batch.read(left.slice(333, 9001), right.remote(5, 9001)).id(8).signaled());

        Seen read = left.sent().next().succeeded().of(CompletedOperation.READ, 9001);
        assertThat(read.id()).isEqualTo(8);
        left.isUntouched(0, 333);
        left.holds(333, right.bytes(5, 9001));
        left.isUntouched(9334, 1000);
    }

    @Test
    default void readOfNothingNeedsNoKey(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        int noKey = ~connection.right().memory().remoteKey();

        left.post(batch -> batch.read(12_345, noKey).signaled());

        left.sent().next().succeeded().of(CompletedOperation.READ, 0);
    }

    /// More READs than may be in flight wait in the send queue for those before them.
    @Test
    default void readsBeyondTheAllowedNumberQueueUp(World world) {
        Connection connection =
                Setup.of(world)
                        .attributes(given -> given.readsAsInitiator(2).readsAsResponder(2))
                        .connect();
        Side left = connection.left();
        Side right = connection.right();
        right.fill(0, 65_536, 4);
        int count = 20;
        int length = 3000;

        for (int i = 0; i < count; i++) {
            long at = (long) i * length;
            long id = i;
            left.post(
                    batch ->
                            batch.read(left.slice(at, length), right.remote(at, length))
                                    .id(id)
                                    .signaled());
        }

        List<Seen> read = left.sent().takeSuccesses(count);
        assertThat(read)
                .extracting(Seen::id)
                .containsExactlyElementsOf(LongStream.range(0, count).boxed().toList());
        left.holds(0, right.bytes(0, (long) count * length));
    }

    @Test
    default void readsAndAtomicsShareTheAllowedNumber(World world) {
        Connection connection =
                Setup.of(world)
                        .attributes(given -> given.readsAsInitiator(1).readsAsResponder(1))
                        .connect();
        Side left = connection.left();
        Side right = connection.right();
        right.fill(1024, 4096, 4);
        long counter = right.memory().address();
        int key = right.memory().remoteKey();

        left.post(
                batch -> {
                    for (int i = 0; i < 8; i++) {
                        batch.read(left.slice(1024, 4096), right.remote(1024, 4096));
                        batch.fetchAndAdd(counter, key, 1).local(left.slice(8L * i, 8)).signaled();
                    }
                });

        left.sent().takeSuccesses(8);
        left.holds(1024, right.bytes(1024, 4096));
    }

    @Test
    default void readsGoBothWaysAtOnce(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, 16_384, 1);
        right.fill(0, 16_384, 2);

        for (int i = 0; i < 8; i++) {
            long at = i * 2048L;
            left.post(
                    batch ->
                            batch.read(left.slice(20_000 + at, 2048), right.remote(at, 2048))
                                    .signaled());
            right.post(
                    batch ->
                            batch.read(right.slice(20_000 + at, 2048), left.remote(at, 2048))
                                    .signaled());
        }

        left.sent().takeSuccesses(8);
        right.sent().takeSuccesses(8);
        left.holds(20_000, right.bytes(0, 16_384));
        right.holds(20_000, left.bytes(0, 16_384));
    }
}
