package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A rate limit: the wire sees no more than so many bits in a second.
public interface RateConformance extends Conformance {
    /// One byte in a microsecond.
    long RATE = 8_000_000;

    @ParameterizedTest
    @EnumSource(QueuePairType.class)
    default void limitedPairTakesItsTime(QueuePairType type, World world) {
        world.needs(Feature.RATE_LIMIT);
        Connection connection =
                Setup.of(world).type(type).attributes(given -> given.rateLimit(RATE)).connect();
        assertThat(connection.left().pair().query().rateLimit()).isEqualTo(RATE);

        // The first packet is not held.
        long tookNs = send(connection, 40, 250);

        assertThat(tookNs).as("ten thousand bytes").isGreaterThanOrEqualTo(9_000_000);
        if (world.has(Feature.LOSSLESS) && world.has(Feature.EXACT_TIME)) {
            assertThat(tookNs).as("ten thousand bytes and headers").isLessThan(30_000_000);
        }
    }

    @ParameterizedTest
    @EnumSource(QueuePairType.class)
    default void limitCanBeTakenAway(QueuePairType type, World world) {
        world.needs(Feature.RATE_LIMIT);
        world.needs(Feature.LOSSLESS);
        world.needs(Feature.EXACT_TIME);
        Connection connection =
                Setup.of(world).type(type).attributes(given -> given.rateLimit(RATE)).connect();
        send(connection, 10, 250);

        connection.left().pair().modify(QueuePairState.READY_TO_SEND, given -> given.rateLimit(0));

        assertThat(connection.left().pair().query().rateLimit()).isZero();
        send(connection, 1, 250);
        assertThat(send(connection, 40, 250)).isLessThan(9_000_000);
    }

    /// Sends messages one behind another, and returns how long it took until all were done.
    private static long send(Connection connection, int count, int length) {
        Side left = connection.left();
        Side right = connection.right();
        boolean datagrams = left.pair().type() == QueuePairType.UD;
        AddressHandle way = datagrams ? left.wayTo(right) : null;
        for (int i = 0; i < count; i++) {
            right.receive(i, 0, 1000);
        }
        long beforeNs = left.world().nowNs();
        left.post(
                batch -> {
                    for (int i = 0; i < count; i++) {
                        batch.send(left.slice(0, length)).signaled();
                        if (way != null) {
                            batch.to(way, right.pair().endpoint());
                        }
                    }
                });
        left.sent().takeSuccesses(count);
        return left.world().nowNs() - beforeNs;
    }
}
