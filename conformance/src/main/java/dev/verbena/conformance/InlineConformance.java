package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.InvalidRequestException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// Inline bytes: copied while posting, from any memory, so that the caller can go on with it.
public interface InlineConformance extends Conformance {
    @Test
    default void inlineBytesAreCopiedAtOnce(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        byte[] bytes = "the caller's own bytes".getBytes(StandardCharsets.UTF_8);
        byte[] before = bytes.clone();
        MemorySegment segment = MemorySegment.ofArray(bytes);
        right.receive(1, 0, 100);

        left.post(
                batch -> {
                    batch.send().inline(segment, 0, bytes.length).signaled();
                    segment.fill((byte) 'x');
                });

        left.sent().next().succeeded();
        assertThat(right.received().next().succeeded().byteLength()).isEqualTo(bytes.length);
        right.holds(0, before);
    }

    @Test
    default void inlineTakesAsMuchAsTheDeviceSays(World world) {
        Connection connection = Setup.of(world).pathMtu(256).connect();
        Side left = connection.left();
        Side right = connection.right();
        int most = left.device().limits().inlineBytes();
        left.fill(0, most, 3);
        byte[] bytes = left.bytes(0, most);
        right.receive(1, 0, most);

        left.post(
                batch ->
                        batch.send()
                                .inline(MemorySegment.ofArray(bytes), 0, most)
                                .write(right.memory().address() + 4096, right.memory().remoteKey())
                                .inline(MemorySegment.ofArray(bytes), 0, most)
                                .signaled());

        left.sent().next().succeeded();
        right.received().next().succeeded();
        right.holds(0, bytes);
        right.holds(4096, bytes);
    }

    @Test
    default void inlineBeyondTheLimitIsRefused(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        int most = left.device().limits().inlineBytes();
        MemorySegment bytes = MemorySegment.ofArray(new byte[most + 1]);

        Mistakes.beyond(
                most, () -> left.pair().post(batch -> batch.send().inline(bytes, 0, most + 1)));

        left.sent().staysEmpty();
        connection.works();
    }

    @Test
    default void inlineCannotTakeAnAnswer(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        MemorySegment bytes = MemorySegment.ofArray(new byte[8]);
        long address = right.memory().address();
        int key = right.memory().remoteKey();

        Mistakes.refused(
                InvalidRequestException.class,
                () -> left.pair().post(batch -> batch.read(address, key).inline(bytes, 0, 8)));
        Mistakes.refused(
                InvalidRequestException.class,
                () ->
                        left.pair()
                                .post(
                                        batch ->
                                                batch.fetchAndAdd(address, key, 1)
                                                        .inline(bytes, 0, 8)));

        connection.works();
    }

    @Test
    default void inlineBytesMustBeThere(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        MemorySegment bytes = MemorySegment.ofArray(new byte[8]);
        long[][] ranges = {{-1, 1}, {0, 9}, {8, 1}, {0, -1}, {1, 8}};
        for (long[] range : ranges) {
            Mistakes.refused(
                    InvalidRequestException.class,
                    () ->
                            left.pair()
                                    .post(batch -> batch.send().inline(bytes, range[0], range[1])));
        }
        Arena arena = Arena.ofShared();
        MemorySegment closed = arena.allocate(8);
        arena.close();
        Mistakes.refused(
                InvalidRequestException.class,
                () -> left.pair().post(batch -> batch.send().inline(closed, 0, 8)));

        left.sent().staysEmpty();
        connection.works();
    }
}
