package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Connection.State;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.ConnectionFailedException.Reason;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.WrongStateException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Connections that a manager makes: listen, connect, accept or reject, disconnect.
public interface ConnectionConformance extends Conformance {
    /// Where listeners of these tests are.
    int PORT = 7471;

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    default void connectingTellsBothSidesAndCarriesTraffic(QueuePairType type, World world) {
        world.needs(Feature.MANAGED_CONNECTIONS);
        world.needs(type);
        if (type == QueuePairType.UC) {
            world.needs(Feature.MANAGED_UNRELIABLE);
        }
        Connection sides = unconnected(world, type);
        Side left = sides.left();
        Side right = sides.right();
        try (Listener listener = right.device().listen(PORT, 4)) {
            var active =
                    left.device().connect(left.pair(), wayTo(right), PORT, Calls.bytes("hello"));
            ConnectionRequest request = request(world, listener);

            assertThat(Calls.text(request.privateData())).isEqualTo("hello");
            assertThat(request.type()).isEqualTo(type);
            var passive = request.accept(right.pair(), Calls.bytes("welcome"));
            comesTo(world, active, State.ESTABLISHED);
            comesTo(world, passive, State.ESTABLISHED);
            assertThat(Calls.text(active.privateData())).isEqualTo("welcome");
        }
        if (type == QueuePairType.RC) {
            sides.works();
        }
    }

    @Test
    default void aListenerThatNamesNoPortGetsAFreeOne(World world) {
        world.needs(Feature.MANAGED_CONNECTIONS);
        Connection sides = unconnected(world, QueuePairType.RC);
        Side left = sides.left();
        Side right = sides.right();
        try (Listener other = right.device().listen(0, 4);
                Listener listener = right.device().listen(0, 4)) {
            assertThat(listener.port()).isPositive().isNotEqualTo(other.port());
            InetSocketAddress peer =
                    new InetSocketAddress(
                            right.pair().endpoint().gid().toInetAddress(), listener.port());
            dev.verbena.verbs.Connection active;
            if (left.device().port(1).linkLayer() == LinkLayer.INFINIBAND) {
                assertThatThrownBy(() -> left.device().connect(left.pair(), peer))
                        .isInstanceOf(InvalidRequestException.class)
                        .hasMessageContaining("LID");
                active = left.device().connect(left.pair(), wayTo(right), listener.port());
            } else {
                active = left.device().connect(left.pair(), peer);
            }
            request(world, listener).accept(right.pair());
            comesTo(world, active, State.ESTABLISHED);
        }
        sides.works();
    }

    @Test
    default void rejectionTellsWhatTheProgramSaid(World world) {
        world.needs(Feature.MANAGED_CONNECTIONS);
        Connection sides = unconnected(world, QueuePairType.RC);
        try (Listener listener = sides.right().device().listen(PORT, 4)) {
            var active = connect(sides.left(), sides.right());
            request(world, listener).reject(Calls.bytes("full"));

            ConnectionFailedException failure = fails(world, active, Reason.REJECTED);
            assertThat(Calls.text(failure.privateData())).isEqualTo("full");
        }
    }

    @Test
    default void nobodyListensIsTold(World world) {
        world.needs(Feature.MANAGED_CONNECTIONS);
        Connection sides = unconnected(world, QueuePairType.RC);

        var active = connect(sides.left(), sides.right());

        assertThat(fails(world, active, Reason.NOBODY_LISTENS))
                .hasMessageContaining("port " + PORT)
                .hasMessageContaining("start the listener first");
    }

    @Test
    default void requestsBeyondTheBacklogAreRefused(World world) {
        world.needs(Feature.MANAGED_CONNECTIONS);
        Connection sides = unconnected(world, QueuePairType.RC);
        Side first = sides.left();
        Side second = first.another();
        try (Listener listener = sides.right().device().listen(PORT, 1)) {
            var taken = connect(first, sides.right());
            world.advance(Duration.ofMillis(1));
            var refused = connect(second, sides.right());
            if (world.has(Feature.LOSSLESS)) {
                boolean isTold = world.has(Feature.ROOM_IS_TOLD);
                fails(world, refused, isTold ? Reason.NO_RESOURCES : Reason.REJECTED);
            }

            request(world, listener).accept(sides.right().pair());
            comesTo(world, taken, State.ESTABLISHED);
        }
    }

    @Test
    default void disconnectingEndsBothSides(World world) {
        world.needs(Feature.MANAGED_CONNECTIONS);
        Connection sides = unconnected(world, QueuePairType.RC);
        var ends = established(world, sides);

        ends[0].disconnect();

        assertThat(ends[0].state()).isEqualTo(State.DISCONNECTED);
        comesTo(world, ends[1], State.DISCONNECTED);
        sides.left().comesTo(QueuePairState.ERROR);
        sides.right().comesTo(QueuePairState.ERROR);
    }

    @Test
    default void disconnectingBothAtOnceEndsBoth(World world) {
        world.needs(Feature.MANAGED_CONNECTIONS);
        Connection sides = unconnected(world, QueuePairType.RC);
        var ends = established(world, sides);

        ends[0].disconnect();
        ends[1].disconnect();

        comesTo(world, ends[0], State.DISCONNECTED);
        comesTo(world, ends[1], State.DISCONNECTED);
    }

    @Test
    default void closingTheQueuePairEndsItsConnection(World world) {
        world.needs(Feature.MANAGED_CONNECTIONS);
        Connection sides = unconnected(world, QueuePairType.RC);
        var ends = established(world, sides);

        sides.left().pair().close();

        comesTo(world, ends[0], State.DISCONNECTED);
        comesTo(world, ends[1], State.DISCONNECTED);
    }

    /// One that no request was answered for was never connected, and says so.
    @Test
    default void closingTheQueuePairFailsAConnectionThatIsNotMade(World world) {
        world.needs(Feature.MANAGED_CONNECTIONS);
        Connection sides = unconnected(world, QueuePairType.RC);
        try (Listener listener = sides.right().device().listen(PORT, 4)) {
            var active = connect(sides.left(), sides.right());
            ConnectionRequest request = request(world, listener);

            sides.left().pair().close();

            comesTo(world, active, State.FAILED);
            assertThatThrownBy(() -> active.await(Duration.ZERO))
                    .isInstanceOf(ConnectionFailedException.class)
                    .hasMessageContaining("before it was connected");
            request.reject();
        }
    }

    @Test
    default void closingTheDeviceEndsItsConnections(World world) {
        world.needs(Feature.MANAGED_CONNECTIONS);
        world.needs(Feature.LOSSLESS);
        Connection sides = unconnected(world, QueuePairType.RC);
        var ends = established(world, sides);

        sides.left().device().close();

        comesTo(world, ends[0], State.DISCONNECTED);
        comesTo(world, ends[1], State.DISCONNECTED);
    }

    @Test
    default void mistakesOfACallerAreNamed(World world) {
        world.needs(Feature.MANAGED_CONNECTIONS);
        Connection sides = unconnected(world, QueuePairType.RC);
        Side left = sides.left();
        Side right = sides.right();
        Address there = wayTo(right);
        try (Listener listener = right.device().listen(PORT, 1)) {
            assertThatThrownBy(() -> right.device().listen(PORT, 1))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("port " + PORT);
            assertThatThrownBy(() -> left.device().connect(left.pair(), there, PORT, new byte[57]))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("at most 56");
            assertThatThrownBy(() -> left.device().connect(right.pair(), there, PORT))
                    .isInstanceOf(InvalidRequestException.class);
            assertThat(listener.poll()).isNull();
        }
        established(world, sides);
        assertThatThrownBy(() -> left.device().connect(left.pair(), there, PORT))
                .isInstanceOf(WrongStateException.class)
                .hasMessageContaining("connect a new queue pair");
    }

    @Test
    default void aProgramMayTakeItsTimeToAccept(World world) {
        world.needs(Feature.MANAGED_CONNECTIONS);
        world.needs(Feature.EXACT_TIME);
        Connection sides = unconnected(world, QueuePairType.RC);
        try (Listener listener = sides.right().device().listen(PORT, 4)) {
            var active = connect(sides.left(), sides.right());
            ConnectionRequest request = request(world, listener);
            world.advance(Duration.ofSeconds(50));

            var passive = request.accept(sides.right().pair());

            comesTo(world, active, State.ESTABLISHED);
            comesTo(world, passive, State.ESTABLISHED);
        }
        sides.works();
    }

    /// Two sides that are not connected yet.
    private static Connection unconnected(World world, QueuePairType type) {
        return Setup.of(world).type(type).build();
    }

    private static Address wayTo(Side side) {
        return Address.to(side.pair().endpoint());
    }

    /// Asks for a connection to the port of the other side.
    private static dev.verbena.verbs.Connection connect(Side from, Side to) {
        return from.device().connect(from.pair(), wayTo(to), PORT);
    }

    private static dev.verbena.verbs.Connection[] established(World world, Connection sides) {
        try (Listener listener = sides.right().device().listen(PORT, 4)) {
            var active = connect(sides.left(), sides.right());
            var passive = request(world, listener).accept(sides.right().pair());
            comesTo(world, active, State.ESTABLISHED);
            comesTo(world, passive, State.ESTABLISHED);
            return new dev.verbena.verbs.Connection[] {active, passive};
        }
    }

    private static ConnectionRequest request(World world, Listener listener) {
        return Calls.next(world, listener::poll, "a request for port " + PORT);
    }

    private static void comesTo(World world, dev.verbena.verbs.Connection end, State state) {
        world.advanceUntil(() -> end.state() == state, Inbox.LIMIT);
        assertThat(end.state()).as("%s", end).isEqualTo(state);
    }

    private static ConnectionFailedException fails(
            World world, dev.verbena.verbs.Connection end, Reason reason) {
        comesTo(world, end, State.FAILED);
        try {
            end.await(Duration.ZERO);
        } catch (ConnectionFailedException failure) {
            assertThat(failure.reason()).isEqualTo(reason);
            return failure;
        }
        throw new AssertionError("waiting for a connection that failed says so");
    }
}
