package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.QueuePairState;
import org.junit.jupiter.api.Test;

/// Partitions: queue pairs without a common partition cannot communicate, and do not learn the
/// reason.
public interface PartitionConformance extends Conformance {
    @Test
    default void secondPartitionCarriesTraffic(World world) {
        world.needs(Feature.TWO_PARTITIONS);
        Connection connection =
                Setup.of(world).options(options -> options.partitionIndex(1)).connect();

        connection.works();

        assertThat(connection.left().pair().query().partitionIndex()).isEqualTo(1);
    }

    @Test
    default void otherPartitionIsNotReached(World world) {
        world.needs(Feature.TWO_PARTITIONS);
        Connection connection = Setup.of(world).impatient().connect();
        Side left = connection.left();
        Side right = connection.right();
        // Connecting refuses a peer of another partition, so it moves there afterwards.
        right.pair().modify(QueuePairState.SEND_QUEUE_DRAINED, none -> {});
        right.pair().modify(QueuePairState.SEND_QUEUE_DRAINED, a -> a.partitionIndex(1));
        right.pair().modify(QueuePairState.READY_TO_SEND, none -> {});
        left.fill(0, 100, 1);
        right.receive(1, 0, 100);

        left.fails(CompletionStatus.RETRY_EXCEEDED, batch -> batch.send(left.slice(0, 100)));

        right.received().staysEmpty();
        right.isUntouched(0, 100);
    }
}
