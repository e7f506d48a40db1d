package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LocalSlice;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.WindowType;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// How the keys of windows end, and the bindings that a window refuses.
public interface WindowLifeConformance extends Conformance {
    @Test
    default void rebindingEndsTheOldKey(World world) {
        world.needs(WindowType.TYPE_1);
        Connection connection = Connection.on(world);
        Connection second = connection.another();
        Side owner = connection.left();
        MemoryWindow window = owner.domain().window(WindowType.TYPE_1);
        MemoryRegion region = Windows.region(owner);
        MemoryRegion other = Windows.region(owner);
        RemoteSlice old = Windows.bind(owner, window, region.slice(0, 64), Access.REMOTE_WRITE);

        RemoteSlice now = Windows.bind(owner, window, other.slice(8, 64), Access.REMOTE_WRITE);

        assertThat(now.key()).isNotEqualTo(old.key());
        Windows.takes(connection.right(), now);
        Windows.refuses(second.right(), old);
        Windows.refuses(connection.right(), new RemoteSlice(old.address(), 64, now.key()));
    }

    /// The old key is of no use even for bytes that the window opens now.
    @Test
    default void rebindingToTheSameBytesEndsTheOldKey(World world) {
        world.needs(WindowType.TYPE_1);
        Connection connection = Connection.on(world);
        Side owner = connection.left();
        MemoryWindow window = owner.domain().window(WindowType.TYPE_1);
        LocalSlice bytes = Windows.region(owner).slice(0, 64);
        RemoteSlice old = Windows.bind(owner, window, bytes, Access.REMOTE_WRITE);

        RemoteSlice now = Windows.bind(owner, window, bytes, Access.REMOTE_WRITE);

        Windows.takes(connection.right(), now);
        Windows.refuses(connection.right(), old);
    }

    @Test
    default void bindingToNothingEndsTheKey(World world) {
        world.needs(WindowType.TYPE_1);
        Connection connection = Connection.on(world);
        Side owner = connection.left();
        MemoryWindow window = owner.domain().window(WindowType.TYPE_1);
        MemoryRegion region = Windows.region(owner);
        RemoteSlice open = Windows.bind(owner, window, region.slice(0, 64), Access.REMOTE_WRITE);
        Windows.takes(connection.right(), open);

        Windows.bind(owner, window, region.slice(0, 0));

        Connection second = connection.another();
        Windows.refuses(connection.right(), open);
        Windows.refuses(second.right(), Windows.through(window, region.slice(0, 64)));
    }

    @Test
    default void windowOfTypeTwoIsNotBoundTwice(World world) {
        world.needs(WindowType.TYPE_2);
        Connection connection = Connection.on(world);
        Side owner = connection.left();
        MemoryWindow window = owner.domain().window(WindowType.TYPE_2);
        LocalSlice bytes = Windows.region(owner).slice(0, 64);
        Windows.bind(owner, window, bytes, Access.REMOTE_WRITE);

        owner.post(batch -> batch.bind(window, bytes, Access.REMOTE_WRITE).id(9).send().id(10));

        List<Seen> ends = owner.sent().take(2);
        assertThat(ends.getFirst().ended(CompletionStatus.WINDOW_BIND_ERROR).id()).isEqualTo(9);
        ends.getLast().ended(CompletionStatus.FLUSHED);
        owner.comesTo(QueuePairState.ERROR);
    }

    @Test
    default void ownerInvalidatesAndBindsAgain(World world) {
        world.needs(WindowType.TYPE_2);
        Connection connection = Connection.on(world);
        Side owner = connection.left();
        MemoryWindow window = owner.domain().window(WindowType.TYPE_2);
        LocalSlice bytes = Windows.region(owner).slice(0, 64);
        RemoteSlice old = Windows.bind(owner, window, bytes, Access.REMOTE_WRITE);
        Windows.takes(connection.right(), old);

        owner.post(
                batch ->
                        batch.localInvalidate(old.key())
                                .id(1)
                                .signaled()
                                .bind(window, bytes, Access.REMOTE_WRITE)
                                .id(2)
                                .signaled());

        List<Seen> done = owner.sent().takeSuccesses(2);
        done.getFirst().of(CompletedOperation.LOCAL_INVALIDATE, 0);
        done.getLast().of(CompletedOperation.BIND_WINDOW, 0);
        RemoteSlice now = Windows.through(window, bytes);
        assertThat(now.key()).isNotEqualTo(old.key());
        Windows.takes(connection.right(), now);
        Windows.refuses(connection.right(), old);
    }

    @Test
    default void peerInvalidatesWithASend(World world) {
        world.needs(WindowType.TYPE_2);
        Connection connection = Connection.on(world);
        Side owner = connection.left();
        Side peer = connection.right();
        MemoryWindow window = owner.domain().window(WindowType.TYPE_2);
        LocalSlice bytes = Windows.region(owner).slice(0, 64);
        RemoteSlice old = Windows.bind(owner, window, bytes, Access.REMOTE_WRITE);
        owner.receive(1, 0, 64);

        peer.post(
                batch ->
                        batch.write(peer.slice(0, 64), old)
                                .sendInvalidate(peer.slice(0, 10), old.key())
                                .signaled());

        peer.sent().next().succeeded();
        Seen received = owner.received().next().succeeded().of(CompletedOperation.RECEIVE, 10);
        assertThat(received.invalidatedKey()).hasValue(old.key());
        RemoteSlice now = Windows.bind(owner, window, bytes, Access.REMOTE_WRITE);
        Windows.takes(peer, now);
        Windows.refuses(peer, old);
    }

    @Test
    default void windowOfTypeOneIsNotInvalidated(World world) {
        world.needs(WindowType.TYPE_1);
        Connection connection = Setup.of(world).impatient().connect();
        Connection second = connection.another();
        Side owner = connection.left();
        MemoryWindow window = owner.domain().window(WindowType.TYPE_1);
        LocalSlice bytes = Windows.region(owner).slice(0, 64);
        RemoteSlice open = Windows.bind(owner, window, bytes, Access.REMOTE_WRITE);

        owner.fails(
                CompletionStatus.LOCAL_QUEUE_PAIR_ERROR,
                batch -> batch.localInvalidate(open.key()));
        second.left().receiveNothing(1);
        second.right().post(batch -> batch.sendInvalidate(open.key()));
        assertThat(second.left().received().next().status()).isNotEqualTo(CompletionStatus.SUCCESS);
        second.left().comesTo(QueuePairState.ERROR);

        Windows.takes(connection.another().right(), open);
    }

    @Test
    default void windowOfTypeTwoIsInvalidatedByItsOwnPairOnly(World world) {
        world.needs(WindowType.TYPE_2);
        Connection connection = Setup.of(world).impatient().connect();
        Connection second = connection.another();
        Connection third = connection.another();
        Side owner = connection.left();
        MemoryWindow window = owner.domain().window(WindowType.TYPE_2);
        LocalSlice bytes = Windows.region(owner).slice(0, 64);
        RemoteSlice open = Windows.bind(owner, window, bytes, Access.REMOTE_WRITE);

        second.left()
                .fails(
                        CompletionStatus.LOCAL_QUEUE_PAIR_ERROR,
                        batch -> batch.localInvalidate(open.key()));
        third.left().receiveNothing(1);
        third.right().post(batch -> batch.sendInvalidate(open.key()));
        assertThat(third.left().received().next().status()).isNotEqualTo(CompletionStatus.SUCCESS);

        Windows.takes(connection.right(), open);
    }

    @Test
    default void regionWithWindowsIsNotInvalidated(World world) {
        world.needs(WindowType.TYPE_1);
        world.needs(Feature.INVALIDATE_REGION);
        Connection connection = Connection.on(world);
        Connection second = connection.another();
        Side owner = connection.left();
        MemoryRegion region =
                owner.domain()
                        .allocate(4096, Access.REMOTE_WRITE, Access.WINDOW_BIND, Access.INVALIDATE);
        MemoryWindow window = owner.domain().window(WindowType.TYPE_1);
        RemoteSlice open = Windows.bind(owner, window, region.slice(0, 8), Access.REMOTE_WRITE);

        owner.fails(
                CompletionStatus.LOCAL_QUEUE_PAIR_ERROR,
                batch -> batch.localInvalidate(region.remoteKey()));

        Windows.takes(second.right(), open);
        Windows.bind(second.left(), window, region.slice(0, 0));
        second.left().post(batch -> batch.localInvalidate(region.remoteKey()).signaled());
        second.left().sent().next().succeeded();
        Windows.refuses(second.right(), region.remote().slice(0, 8));
    }

    @ParameterizedTest
    @EnumSource(WindowType.class)
    default void closingTheWindowEndsItsKey(WindowType type, World world) {
        world.needs(type);
        Connection connection = Connection.on(world);
        Side owner = connection.left();
        MemoryWindow window = owner.domain().window(type);
        LocalSlice bytes = Windows.region(owner).slice(0, 64);
        RemoteSlice open = Windows.bind(owner, window, bytes, Access.REMOTE_WRITE);
        Windows.takes(connection.right(), open);

        window.close();
        window.close();

        Windows.refuses(connection.right(), open);
    }

    @ParameterizedTest
    @EnumSource(WindowType.class)
    default void windowClosedInTheMiddleOfAWriteStopsIt(WindowType type, World world) {
        world.needs(type);
        world.needs(Feature.RATE_LIMIT);
        Connection connection =
                Setup.of(world)
                        .pathMtu(256)
                        .rightAttributes(given -> given.rateLimit(400_000))
                        .connect();
        Side owner = connection.left();
        Side peer = connection.right();
        MemoryRegion region = Windows.region(owner);
        MemoryWindow window = owner.domain().window(type);
        RemoteSlice open = Windows.bind(owner, window, region.slice(), Access.REMOTE_WRITE);
        peer.fill(0, 8192, 1);
        peer.post(batch -> batch.write(peer.slice(0, 8192), open));
        // The message takes more than a tenth of a second.
        owner.beginsToHold(region.segment());

        window.close();

        peer.wasRefused(peer.sent().next(), CompletionStatus.REMOTE_ACCESS_ERROR);
        assertThat(region.segment().get(ValueLayout.JAVA_LONG, 8184)).isZero();
    }

    @ParameterizedTest
    @EnumSource(WindowType.class)
    default void closingTheRegionEndsTheKeysOfItsWindows(WindowType type, World world) {
        world.needs(type);
        Connection connection = Connection.on(world);
        Side owner = connection.left();
        MemoryWindow window = owner.domain().window(type);
        MemoryRegion region = Windows.region(owner);
        RemoteSlice open = Windows.bind(owner, window, region.slice(0, 64), Access.REMOTE_WRITE);
        Windows.takes(connection.right(), open);

        region.close();

        Windows.refuses(connection.right(), open);
        window.close();
    }

    @ParameterizedTest
    @EnumSource(WindowType.class)
    default void windowClosedUnderItsBindOpensNothing(WindowType type, World world) {
        world.needs(type);
        Connection connection = Connection.on(world);
        Connection second = connection.another();
        Side owner = connection.left();
        MemoryWindow window = owner.domain().window(type);
        MemoryRegion region = Windows.region(owner);

        owner.post(batch -> batch.bind(window, region.slice(0, 64), Windows.ALL).signaled());
        RemoteSlice open = Windows.through(window, region.slice(0, 64));
        window.close();
        region.close();

        assertThat(owner.sent().next().status())
                .isIn(CompletionStatus.SUCCESS, CompletionStatus.WINDOW_BIND_ERROR);
        Windows.refuses(second.right(), open);
    }

    @Test
    default void bindThatWasGivenUpChangesNothing(World world) {
        world.needs(WindowType.TYPE_1);
        Connection connection = Connection.on(world);
        Side owner = connection.left();
        MemoryWindow window = owner.domain().window(WindowType.TYPE_1);
        LocalSlice bytes = Windows.region(owner).slice(0, 64);
        RemoteSlice open = Windows.bind(owner, window, bytes, Access.REMOTE_WRITE);

        owner.pair().sends().bind(window, bytes, Access.REMOTE_READ).abort();

        assertThat(Windows.through(window, bytes)).as("the key in force").isEqualTo(open);
        Windows.takes(connection.right(), open);
    }

    @ParameterizedTest
    @EnumSource(WindowType.class)
    default void bindsThatCannotBeAreRefused(WindowType type, World world) {
        world.needs(type);
        Side owner = Connection.on(world).left();
        Side stranger = Connection.on(world).left();
        MemoryWindow window = owner.domain().window(type);
        MemoryRegion region = Windows.region(owner);
        MemoryRegion closedToWindows = owner.domain().allocate(64, Access.REMOTE_WRITE);
        MemoryRegion readOnly = owner.domain().allocate(64, Access.WINDOW_BIND);
        Set<Access> write = Set.of(Access.REMOTE_WRITE);
        List<Consumer<SendBatch>> wrong =
                List.of(
                        batch -> batch.bind(window, closedToWindows, 0, 8, write),
                        batch -> batch.bind(window, readOnly, 0, 8, write),
                        batch -> batch.bind(window, readOnly, 0, 8, Set.of(Access.REMOTE_ATOMIC)),
                        batch -> batch.bind(window, region, 0, 8, Set.of(Access.LOCAL_WRITE)),
                        batch -> batch.bind(window, region, 0, 8, Set.of(Access.WINDOW_BIND)),
                        batch -> batch.bind(window, region, -1, 8, write),
                        batch -> batch.bind(window, region, 0, -1, write),
                        batch -> batch.bind(window, region, 8190, 8, write),
                        batch -> batch.bind(window, region, 8, Long.MAX_VALUE, write),
                        batch -> batch.bind(window, Windows.region(stranger), 0, 8, write),
                        batch -> batch.bind(stranger.domain().window(type), region, 0, 8, write),
                        batch -> batch.bind(window, region, 0, 8, write).local(region, 0, 8));
        for (Consumer<SendBatch> bind : wrong) {
            Mistakes.refused(InvalidRequestException.class, () -> owner.pair().post(bind));
        }
        owner.sent().staysEmpty();
        Windows.bind(owner, window, readOnly.slice(0, 8), Access.REMOTE_READ);
    }

    @ParameterizedTest
    @EnumSource(WindowType.class)
    default void closedObjectsAreNotBound(WindowType type, World world) {
        world.needs(type);
        Side owner = Connection.on(world).left();
        MemoryWindow window = owner.domain().window(type);
        MemoryRegion region = Windows.region(owner);
        MemoryRegion closed = Windows.region(owner);
        closed.close();

        Mistakes.refused(
                ClosedException.class,
                () -> owner.pair().post(batch -> batch.bind(window, closed, 0, 8, Set.of())));
        window.close();
        Mistakes.refused(
                ClosedException.class,
                () -> owner.pair().post(batch -> batch.bind(window, region, 0, 8, Set.of())));
        owner.domain().close();
        Mistakes.refused(ClosedException.class, () -> owner.domain().window(type));
    }

    @Test
    default void windowOfTypeTwoIsNotUnboundByABind(World world) {
        world.needs(WindowType.TYPE_2);
        Side owner = Connection.on(world).left();
        MemoryWindow window = owner.domain().window(WindowType.TYPE_2);

        Mistakes.refused(
                InvalidRequestException.class,
                () ->
                        owner.pair()
                                .post(
                                        batch ->
                                                batch.bind(
                                                        window,
                                                        Windows.region(owner).slice(0, 0))));
    }

    @Test
    default void datagramsBindNothing(World world) {
        world.needs(WindowType.TYPE_1);
        Side owner = Setup.of(world).type(QueuePairType.UD).connect().left();
        MemoryWindow window = owner.domain().window(WindowType.TYPE_1);
        LocalSlice bytes = Windows.region(owner).slice(0, 64);

        Mistakes.refused(
                InvalidRequestException.class,
                () -> owner.pair().post(batch -> batch.bind(window, bytes, Access.REMOTE_READ)));
    }
}
