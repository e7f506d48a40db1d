package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.ConnectionFailedException.Reason;
import dev.verbena.verbs.DatagramHeader;
import dev.verbena.verbs.DatagramListener;
import dev.verbena.verbs.DatagramRequest;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.Resolution;
import dev.verbena.verbs.Resolution.State;
import dev.verbena.verbs.WrongStateException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Datagram queue pairs that are found by a port: listen, resolve, accept or reject.
public interface ResolutionConformance extends Conformance {
    /// Where listeners of these tests are.
    int PORT = 7472;

    @Test
    default void resolvingTellsWhereDatagramsGo(World world) {
        Connection sides = activated(world);
        Side left = sides.left();
        Side right = sides.right();
        Resolution resolution;
        try (DatagramListener listener = right.device().listenForDatagrams(PORT, 4)) {
            resolution = left.device().resolve(wayTo(right), PORT, Calls.bytes("who?"));
            DatagramRequest request = request(world, listener);
            assertThat(Calls.text(request.privateData())).isEqualTo("who?");
            assertThat(request.privateData()).hasSize(180);
            assertThat(request.peerPort()).isPositive();
            request.accept(right.pair(), Calls.bytes("me"));
            comesTo(world, resolution, State.RESOLVED);
        }
        assertThat(Calls.text(resolution.privateData())).isEqualTo("me");
        assertThat(resolution.queuePair()).isEqualTo(right.pair().number());
        assertThat(resolution.queueKey()).isEqualTo(right.pair().endpoint().queueKey());

        AddressHandle way = left.domain().addressHandle(resolution.address());
        left.fill(0, 100, 1);
        right.receive(7, 0, DatagramHeader.LENGTH + 100L);
        right.received()
                .arrival(
                        () ->
                                left.post(
                                        batch ->
                                                batch.send(left.slice(0, 100))
                                                        .to(
                                                                way,
                                                                resolution.queuePair(),
                                                                resolution.queueKey())))
                .succeeded();
        right.holds(DatagramHeader.LENGTH, left.bytes(0, 100));
    }

    @Test
    default void aDatagramListenerThatNamesNoPortGetsAFreeOne(World world) {
        Connection sides = activated(world);
        Side right = sides.right();
        try (DatagramListener listener = right.device().listenForDatagrams(0, 4)) {
            InetSocketAddress peer =
                    new InetSocketAddress(
                            right.pair().endpoint().gid().toInetAddress(), listener.port());
            Device left = sides.left().device();
            Resolution resolution;
            if (left.port(1).linkLayer() == LinkLayer.INFINIBAND) {
                assertThatThrownBy(() -> left.resolve(peer))
                        .isInstanceOf(InvalidRequestException.class)
                        .hasMessageContaining("LID");
                resolution = left.resolve(wayTo(right), listener.port());
            } else {
                resolution = left.resolve(peer);
            }
            request(world, listener).accept(right.pair());
            comesTo(world, resolution, State.RESOLVED);
        }
    }

    @Test
    default void aRefusedResolutionTellsWhatTheProgramSaid(World world) {
        Connection sides = activated(world);
        try (DatagramListener listener = sides.right().device().listenForDatagrams(PORT, 4)) {
            var asking = sides.left().device().resolve(wayTo(sides.right()), PORT);
            request(world, listener).reject(Calls.bytes("not today"));

            ConnectionFailedException failure = fails(world, asking, Reason.REJECTED);
            assertThat(Calls.text(failure.privateData())).isEqualTo("not today");
            assertThatThrownBy(asking::queuePair).isInstanceOf(WrongStateException.class);
        }
    }

    @Test
    default void nobodyListensForDatagramsIsTold(World world) {
        Connection sides = activated(world);
        // A port for connections is none for datagrams.
        try (Listener other = sides.right().device().listen(PORT, 4)) {
            var asking = sides.left().device().resolve(wayTo(sides.right()), PORT);

            assertThat(fails(world, asking, Reason.NOBODY_LISTENS))
                    .hasMessageContaining("port " + PORT)
                    .hasMessageContaining("start the listener first");
            assertThat(other.poll()).isNull();
        }
    }

    @Test
    default void questionsBeyondTheBacklogAreRefused(World world) {
        world.needs(Feature.LOSSLESS);
        Connection sides = activated(world);
        var device = sides.left().device();
        try (DatagramListener listener = sides.right().device().listenForDatagrams(PORT, 1)) {
            var taken = device.resolve(wayTo(sides.right()), PORT);
            world.advance(Duration.ofMillis(1));
            var refused = device.resolve(wayTo(sides.right()), PORT);
            boolean isTold = world.has(Feature.ROOM_IS_TOLD);
            fails(world, refused, isTold ? Reason.NO_RESOURCES : Reason.REJECTED);

            request(world, listener).accept(sides.right().pair());
            comesTo(world, taken, State.RESOLVED);
        }
    }

    @Test
    default void whatWaitsWhenAListenerClosesIsRefused(World world) {
        Connection sides = activated(world);
        Resolution asking;
        try (DatagramListener listener = sides.right().device().listenForDatagrams(PORT, 4)) {
            asking = sides.left().device().resolve(wayTo(sides.right()), PORT);
            assertThat(listener.port()).isEqualTo(PORT);
            world.advance(Duration.ofMillis(1));
        }
        comesTo(world, asking, State.FAILED);
        // If the request arrived after the listener was closed, the reason is that no program
        // listened.
        assertThatThrownBy(() -> asking.await(Duration.ZERO))
                .isInstanceOfSatisfying(
                        ConnectionFailedException.class,
                        it -> assertThat(it.reason()).isIn(Reason.REJECTED, Reason.NOBODY_LISTENS));
    }

    @Test
    default void aClosedResolutionAsksNoLonger(World world) {
        Connection sides = activated(world);
        // A program listens and does not answer: a refusal could come before the close.
        try (DatagramListener listener = sides.right().device().listenForDatagrams(PORT, 4)) {
            var asking = sides.left().device().resolve(wayTo(sides.right()), PORT);

            asking.close();

            assertThat(asking.state()).isEqualTo(State.GIVEN_UP);
            world.advance(Duration.ofMillis(1));
            assertThat(asking.state()).isEqualTo(State.GIVEN_UP);
            assertThatThrownBy(() -> asking.await(Duration.ZERO))
                    .isInstanceOf(WrongStateException.class)
                    .hasMessageContaining("ask again");
            assertThat(listener.port()).isEqualTo(PORT);
        }
    }

    @Test
    default void mistakesOfWhoResolvesAreNamed(World world) {
        Connection sides = activated(world);
        var device = sides.left().device();
        Address there = wayTo(sides.right());
        assertThatThrownBy(() -> device.resolve(there, PORT, new byte[181]))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("at most 180");
        assertThatThrownBy(() -> device.resolve(there, 0))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("port 1 to 65535");
    }

    @Test
    default void mistakesOfWhoAnswersAreNamed(World world) {
        Connection sides = activated(world);
        Side right = sides.right();
        var reliable = Setup.of(world).build().right().pair();
        var idle =
                right.domain()
                        .queuePair(QueuePairType.UD, it -> it.completions(right.sent().queue()));
        try (DatagramListener listener = right.device().listenForDatagrams(PORT, 1)) {
            assertThatThrownBy(() -> right.device().listenForDatagrams(PORT, 1))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("port " + PORT);
            var asking = sides.left().device().resolve(wayTo(right), PORT);
            DatagramRequest request = request(world, listener);
            assertThatThrownBy(() -> request.accept(reliable))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("type UD");
            assertThatThrownBy(() -> request.accept(idle))
                    .isInstanceOf(WrongStateException.class)
                    .hasMessageContaining("activate it");
            assertThatThrownBy(() -> request.accept(right.pair(), new byte[137]))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("at most 136");
            request.accept(right.pair());
            assertThatThrownBy(() -> request.accept(right.pair()))
                    .isInstanceOf(WrongStateException.class)
                    .hasMessageContaining("was answered");
            comesTo(world, asking, State.RESOLVED);
        }
    }

    /// Two sides whose queue pairs take datagrams.
    private static Connection activated(World world) {
        world.needs(Feature.MANAGED_CONNECTIONS);
        Setup setup = Setup.of(world).type(QueuePairType.UD);
        if (!world.has(Feature.ANY_QUEUE_KEY)) {
            setup.options(it -> it.queueKey(DatagramListener.USUAL_QUEUE_KEY));
        }
        return setup.connect();
    }

    private static Address wayTo(Side side) {
        return Address.to(side.pair().endpoint());
    }

    private static DatagramRequest request(World world, DatagramListener listener) {
        return Calls.next(world, listener::poll, "a question for port " + PORT);
    }

    private static void comesTo(World world, Resolution resolution, State state) {
        world.advanceUntil(() -> resolution.state() == state, Inbox.LIMIT);
        assertThat(resolution.state()).as("%s", resolution).isEqualTo(state);
    }

    private static ConnectionFailedException fails(
            World world, Resolution resolution, Reason reason) {
        comesTo(world, resolution, State.FAILED);
        try {
            resolution.await(Duration.ZERO);
        } catch (ConnectionFailedException failure) {
            assertThat(failure.reason()).isEqualTo(reason);
            return failure;
        }
        throw new AssertionError("waiting for an answer that is a refusal says so");
    }
}
