package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.LocalSlice;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.verbs.WindowType;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Memory windows: keys for parts of regions that work requests give.
public interface WindowConformance extends Conformance {
    @ParameterizedTest
    @EnumSource(WindowType.class)
    default void boundWindowOpensItsBytes(WindowType type, World world) {
        world.needs(type);
        Connection connection = Connection.on(world);
        Side owner = connection.left();
        Side peer = connection.right();
        MemoryRegion region = Windows.region(owner);
        MemoryWindow window = owner.domain().window(type);
        RemoteSlice open = Windows.bind(owner, window, region.slice(4096, 1024), Windows.ALL);
        peer.fill(0, 1024, 1);

        peer.post(
                batch ->
                        batch.write(peer.slice(0, 1024), open)
                                .read(peer.slice(2048, 1024), open)
                                .fetchAndAdd(peer.slice(4096, 8), open.slice(1016, 8), 1)
                                .fence()
                                .compareAndSwap(peer.slice(4104, 8), open.slice(1016, 8), 0, 5)
                                .signaled());

        peer.sent().next().succeeded();
        peer.holds(2048, peer.bytes(0, 1024));
        assertThat(peer.bytes(4096, 8)).isEqualTo(peer.bytes(1016, 8));
        assertThat(
                        region.segment()
                                .asSlice(4096, 1016)
                                .mismatch(peer.memory().segment().asSlice(0, 1016)))
                .isEqualTo(-1);
        assertThat(region.segment().get(ValueLayout.JAVA_BYTE, 4095)).isZero();
    }

    @ParameterizedTest
    @EnumSource(WindowType.class)
    default void messageBehindTheBindCarriesItsKey(WindowType type, World world) {
        world.needs(type);
        Connection connection = Connection.on(world);
        Side owner = connection.left();
        Side peer = connection.right();
        MemoryRegion region = Windows.region(owner);
        Side.fill(region.segment(), 0, 64, 4);
        MemoryWindow window = owner.domain().window(type);
        peer.receive(1, 0, 4);

        owner.post(
                batch -> {
                    batch.bind(window, region.slice(0, 64), Access.REMOTE_READ);
                    owner.memory().segment().set(ValueLayout.JAVA_INT, 0, window.remoteKey());
                    batch.send(owner.slice(0, 4));
                });

        peer.received().next().succeeded();
        int key = peer.memory().segment().get(ValueLayout.JAVA_INT, 0);
        assertThat(key).isEqualTo(window.remoteKey());
        peer.post(batch -> batch.read(region.address(), key).local(peer.slice(100, 64)).signaled());
        peer.sent().next().succeeded();
        peer.holds(100, region.segment().asSlice(0, 64).toArray(ValueLayout.JAVA_BYTE));
    }

    @ParameterizedTest
    @EnumSource(WindowType.class)
    default void bindComesBetweenItsNeighbours(WindowType type, World world) {
        world.needs(type);
        Connection connection = Connection.on(world);
        Side owner = connection.left();
        Side peer = connection.right();
        MemoryRegion region = Windows.region(owner);
        MemoryWindow window = owner.domain().window(type);
        peer.receive(1, 0, 32_768);

        owner.post(
                batch ->
                        batch.send(owner.slice(0, 32_768))
                                .id(1)
                                .signaled()
                                .read(owner.slice(0, 1000), peer.remote(40_000, 1000))
                                .id(2)
                                .signaled()
                                .bind(window, region.slice(0, 64), Access.REMOTE_READ)
                                .id(3)
                                .signaled()
                                .write(owner.slice(0, 64), peer.remote(50_000, 64))
                                .id(4)
                                .signaled());

        assertThat(owner.sent().takeSuccesses(4))
                .extracting(Seen::id)
                .containsExactly(1L, 2L, 3L, 4L);
    }

    @ParameterizedTest
    @EnumSource(WindowType.class)
    default void bytesBehindTheWindowAreClosed(WindowType type, World world) {
        world.needs(type);
        for (long offset : new long[] {-1, 1, -64, 64, 4096}) {
            Connection connection = Connection.on(world);
            Side owner = connection.left();
            // The region itself would allow it.
            MemoryRegion region =
                    owner.domain().allocate(8192, Access.REMOTE_WRITE, Access.WINDOW_BIND);
            MemoryWindow window = owner.domain().window(type);
            RemoteSlice open =
                    Windows.bind(owner, window, region.slice(64, 64), Access.REMOTE_WRITE);

            Windows.refuses(
                    connection.right(), new RemoteSlice(open.address() + offset, 64, open.key()));

            region.close();
        }
    }

    @ParameterizedTest
    @EnumSource(WindowType.class)
    default void rightsAreThoseOfTheWindow(WindowType type, World world) {
        world.needs(type);
        for (Access given : Windows.ALL) {
            for (Access used : Windows.ALL) {
                Connection connection = Connection.on(world);
                Side owner = connection.left();
                MemoryRegion region = Windows.region(owner);
                MemoryWindow window = owner.domain().window(type);
                RemoteSlice open = Windows.bind(owner, window, region.slice(0, 8), given);

                reach(connection.right(), open, used, given == used);

                window.close();
                region.close();
            }
        }
    }

    private static void reach(Side peer, RemoteSlice target, Access how, boolean allowed) {
        peer.post(
                batch -> {
                    switch (how) {
                        case REMOTE_READ -> batch.read(peer.slice(0, 8), target);
                        case REMOTE_WRITE -> batch.write(peer.slice(0, 8), target);
                        default -> batch.fetchAndAdd(peer.slice(0, 8), target, 1);
                    }
                    batch.signaled();
                });
        Seen done = peer.sent().next();
        if (allowed) {
            done.succeeded();
        } else {
            peer.wasRefused(done, CompletionStatus.REMOTE_ACCESS_ERROR);
        }
    }

    @ParameterizedTest
    @EnumSource(WindowType.class)
    default void windowWithoutRightsOpensNothing(WindowType type, World world) {
        world.needs(type);
        Connection connection = Connection.on(world);
        Side owner = connection.left();
        MemoryRegion region = Windows.region(owner);
        MemoryWindow window = owner.domain().window(type);

        owner.post(batch -> batch.bind(window, region, 0, 64, Set.of()).signaled());
        owner.sent().next().succeeded();

        Windows.refuses(connection.right(), Windows.through(window, region.slice(0, 64)));
    }

    @ParameterizedTest
    @EnumSource(WindowType.class)
    default void pairWithoutTheRightRefusesWhatTheWindowGives(WindowType type, World world) {
        world.needs(type);
        Connection connection =
                Setup.of(world)
                        .leftOptions(options -> options.access(Set.of(Access.REMOTE_READ)))
                        .connect();
        Side owner = connection.left();
        Side peer = connection.right();
        MemoryWindow window = owner.domain().window(type);
        LocalSlice bytes = Windows.region(owner).slice(0, 64);
        RemoteSlice open = Windows.bind(owner, window, bytes, Windows.ALL);

        peer.fails(
                CompletionStatus.REMOTE_INVALID_REQUEST,
                batch -> batch.write(peer.slice(0, 64), open));
    }

    @ParameterizedTest
    @EnumSource(WindowType.class)
    default void windowNeverBoundOpensNothing(WindowType type, World world) {
        world.needs(type);
        Connection connection = Connection.on(world);
        Side owner = connection.left();
        MemoryWindow window = owner.domain().window(type);

        assertThat(window.type()).isEqualTo(type);
        assertThat(window.domain()).isSameAs(owner.domain());
        Windows.refuses(
                connection.right(), Windows.through(window, Windows.region(owner).slice(0, 64)));
    }

    @ParameterizedTest
    @EnumSource(WindowType.class)
    default void severalWindowsOpenOneRegion(WindowType type, World world) {
        world.needs(type);
        Connection connection = Connection.on(world);
        Side owner = connection.left();
        Side peer = connection.right();
        MemoryRegion region = Windows.region(owner);
        for (int i = 0; i < 5; i++) {
            peer.fill(0, 100, i);
            RemoteSlice open =
                    Windows.bind(
                            owner,
                            owner.domain().window(type),
                            region.slice(i * 50L, 100),
                            Access.REMOTE_WRITE);
            Windows.takes(peer, open);
            assertThat(
                            region.segment()
                                    .asSlice(i * 50L, 100)
                                    .mismatch(peer.memory().segment().asSlice(0, 100)))
                    .isEqualTo(-1);
        }
    }

    @Test
    default void windowOfTypeOneOpensToAllPairsOfItsDomain(World world) {
        world.needs(WindowType.TYPE_1);
        Connection connection = Connection.on(world);
        Connection second = connection.another();
        Side owner = connection.left();
        MemoryWindow window = owner.domain().window(WindowType.TYPE_1);
        LocalSlice bytes = Windows.region(owner).slice(0, 64);
        RemoteSlice open = Windows.bind(owner, window, bytes, Access.REMOTE_WRITE);

        Windows.takes(connection.right(), open);
        Windows.takes(second.right(), open);
        Windows.refuses(Connection.on(world).right(), open);
    }

    @Test
    default void windowOfTypeTwoOpensToThePairThatBoundItOnly(World world) {
        world.needs(WindowType.TYPE_2);
        Connection connection = Connection.on(world);
        Connection second = connection.another();
        Side owner = connection.left();
        MemoryWindow window = owner.domain().window(WindowType.TYPE_2);
        LocalSlice bytes = Windows.region(owner).slice(0, 64);
        RemoteSlice open = Windows.bind(owner, window, bytes, Access.REMOTE_WRITE);

        Windows.refuses(second.right(), open);
        Windows.takes(connection.right(), open);
    }

    @Test
    default void windowsOpenToUnreliableConnections(World world) {
        world.needs(WindowType.TYPE_1);
        world.needs(Feature.LOSSLESS);
        Connection connection = Setup.of(world).type(QueuePairType.UC).connect();
        Side owner = connection.left();
        Side peer = connection.right();
        MemoryRegion region = Windows.region(owner);
        MemoryWindow window = owner.domain().window(WindowType.TYPE_1);
        RemoteSlice open = Windows.bind(owner, window, region.slice(0, 64), Access.REMOTE_WRITE);
        peer.fill(0, 64, 1);
        owner.receiveNothing(1);

        peer.post(batch -> batch.writeImmediate(peer.slice(0, 64), open, 1));

        owner.received().next().succeeded();
        assertThat(region.segment().asSlice(0, 64).mismatch(peer.memory().segment().asSlice(0, 64)))
                .isEqualTo(-1);
    }
}
