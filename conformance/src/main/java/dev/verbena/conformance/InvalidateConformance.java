package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePairState;
import org.junit.jupiter.api.Test;

/// Keys that are taken out of force by a work request, the peer's or our own.
public interface InvalidateConformance extends Conformance {
    @Test
    default void sendWithInvalidateEndsTheKey(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        MemoryRegion region = invalidatable(right);
        int key = region.remoteKey();
        left.fill(0, 100, 1);
        right.receive(1, 0, 100);
        left.post(batch -> batch.write(left.slice(0, 100), region.remote().slice(0, 100)));

        left.post(batch -> batch.sendInvalidate(key).local(left.slice(0, 100)).signaled());

        left.sent().next().succeeded();
        Seen received = right.received().next().succeeded();
        received.of(CompletedOperation.RECEIVE, 100);
        assertThat(received.invalidatedKey()).hasValue(key);
        right.holds(0, left.bytes(0, 100));
        left.fails(
                CompletionStatus.REMOTE_ACCESS_ERROR,
                batch -> batch.write(region.address(), key).local(left.slice(0, 8)));
    }

    @Test
    default void sendWithInvalidateNeedsNoBytes(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        int key = invalidatable(right).remoteKey();
        right.receiveNothing(1);

        left.post(batch -> batch.sendInvalidate(key).signaled());

        left.sent().next().succeeded();
        Seen received = right.received().next().succeeded().of(CompletedOperation.RECEIVE, 0);
        assertThat(received.invalidatedKey()).hasValue(key);
    }

    @Test
    default void renewedKeyOpensTheRegionAgain(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        MemoryRegion region = invalidatable(right);
        int old = region.remoteKey();
        right.receiveNothing(1);
        left.post(batch -> batch.sendInvalidate(old).signaled());
        left.sent().next().succeeded();
        right.received().next().succeeded();

        int renewed = region.renew();

        assertThat(renewed).isNotEqualTo(old).isEqualTo(region.remoteKey());
        left.fill(0, 64, 2);
        left.post(
                batch -> batch.write(left.slice(0, 64), region.remote().slice(64, 64)).signaled());
        left.sent().next().succeeded();
        assertThat(
                        region.segment()
                                .asSlice(64, 64)
                                .mismatch(left.memory().segment().asSlice(0, 64)))
                .isEqualTo(-1);
    }

    @Test
    default void renewingEndsTheOldKey(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        MemoryRegion region = invalidatable(connection.right());
        int old = region.remoteKey();

        region.renew();

        left.fails(
                CompletionStatus.REMOTE_ACCESS_ERROR,
                batch -> batch.read(region.address(), old).local(left.slice(0, 8)));
    }

    @Test
    default void localInvalidateEndsTheKey(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        MemoryRegion region = invalidatable(right);
        int key = region.remoteKey();

        right.post(batch -> batch.localInvalidate(key).id(4).signaled());

        Seen ended = right.sent().next().succeeded();
        assertThat(ended.id()).isEqualTo(4);
        ended.of(CompletedOperation.LOCAL_INVALIDATE, 0);
        left.fails(
                CompletionStatus.REMOTE_ACCESS_ERROR,
                batch -> batch.write(region.address(), key).local(left.slice(0, 8)));
        right.comesTo(QueuePairState.ERROR);
    }

    @Test
    default void localInvalidateWaitsForTheRequestsBefore(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        MemoryRegion region = invalidatable(left);
        right.receive(1, 0, 32_768);
        left.fill(0, 32_768, 3);

        left.post(
                batch ->
                        batch.send(left.slice(0, 32_768))
                                .id(1)
                                .signaled()
                                .localInvalidate(region.remoteKey())
                                .id(2)
                                .signaled()
                                .write(left.slice(0, 64), right.remote(40_000, 64))
                                .id(3)
                                .signaled());

        assertThat(left.sent().takeSuccesses(3)).extracting(Seen::id).containsExactly(1L, 2L, 3L);
        right.received().next().succeeded();
        right.holds(0, left.bytes(0, 32_768));
        right.holds(40_000, left.bytes(0, 64));
    }

    @Test
    default void localInvalidateOfAnUnknownKeyFails(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        int noKey = ~left.memory().remoteKey();

        left.fails(CompletionStatus.LOCAL_QUEUE_PAIR_ERROR, batch -> batch.localInvalidate(noKey));
    }

    @Test
    default void localInvalidateOfAnOrdinaryRegionFails(World world) {
        world.needs(Feature.INVALIDATE_REGION);
        Connection connection = Connection.on(world);
        Side left = connection.left();

        left.fails(
                CompletionStatus.LOCAL_QUEUE_PAIR_ERROR,
                batch -> batch.localInvalidate(left.memory().remoteKey()));
    }

    @Test
    default void ordinaryRegionCannotBeInvalidatedByThePeer(World world) {
        Connection connection = Setup.of(world).impatient().connect();
        Connection other = connection.another();
        Side left = connection.left();
        Side right = connection.right();
        right.receiveNothing(1);

        left.post(batch -> batch.sendInvalidate(right.memory().remoteKey()));

        Seen received = right.received().next();
        assertThat(received.status()).isNotEqualTo(CompletionStatus.SUCCESS);
        right.comesTo(QueuePairState.ERROR);
        other.works();
    }

    /// A region whose keys work requests may end; skips the test where there are none.
    private static MemoryRegion invalidatable(Side side) {
        side.world().needs(Feature.INVALIDATE_REGION);
        return side.domain()
                .allocate(
                        4096,
                        Access.LOCAL_WRITE,
                        Access.REMOTE_READ,
                        Access.REMOTE_WRITE,
                        Access.INVALIDATE);
    }
}
