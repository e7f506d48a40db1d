package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.CompletedOperation;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Packet sequence numbers have 24 bits and start again from 0, without an effect on programs.
public interface SequenceNumberConformance extends Conformance {
    /// The last number, those shortly before, and the middle, where signed arithmetic would turn.
    @ParameterizedTest
    @ValueSource(ints = {0xFF_FFFF, 0xFF_FFFE, 0xFF_FFF0, 0xFF_FF80, 0x7F_FFFF, 0x7F_FFF0, 0})
    default void sequenceNumbersWrapUnnoticed(int first, World world) {
        Connection connection =
                Setup.of(world)
                        .pathMtu(256)
                        .attributes(given -> given.sendPsn(first).receivePsn(first))
                        .connect();
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, 4096, first);
        for (int round = 0; round < 12; round++) {
            everyOperation(left, right, round);
            everyOperation(right, left, round);
        }
    }

    /// The two directions count for themselves.
    @ParameterizedTest
    @ValueSource(ints = {0xFF_FFFF, 0x80_0000})
    default void sequenceNumbersOfTheDirectionsDiffer(int first, World world) {
        Connection connection =
                Setup.of(world)
                        .leftAttributes(given -> given.sendPsn(first).receivePsn(1))
                        .rightAttributes(given -> given.sendPsn(1).receivePsn(first))
                        .connect();
        for (int round = 0; round < 3; round++) {
            connection.works();
        }
    }

    private static void everyOperation(Side from, Side to, int round) {
        int length = 1000;
        from.fill(0, length, round);
        to.receive(round, 4096, length);
        to.memory().segment().set(ValueLayout.JAVA_LONG, 0, round);
        from.post(
                batch ->
                        batch.send(from.slice(0, length))
                                .write(from.slice(0, length), to.remote(8192, length))
                                .read(from.slice(16_384, length), to.remote(8192, length))
                                .fetchAndAdd(to.memory().address(), to.memory().remoteKey(), 1)
                                .local(from.slice(20_480, 8))
                                .signaled());
        from.sent().next().succeeded();
        to.received().next().succeeded().of(CompletedOperation.RECEIVE, length);
        byte[] expected = from.bytes(0, length);
        to.holds(4096, expected);
        to.holds(8192, expected);
        from.holds(16_384, expected);
        assertThat(from.memory().segment().get(ValueLayout.JAVA_LONG, 20_480)).isEqualTo(round);
        assertThat(to.memory().segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(round + 1);
    }
}
