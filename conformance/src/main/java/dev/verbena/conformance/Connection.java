package dev.verbena.conformance;

import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairType;
import java.util.function.Consumer;

/// Two queue pairs on two devices, connected to each other, each with memory of its own.
///
/// The tests usually act on the left one. The objects of a connection are closed with the world.
public final class Connection {
    /// Half a second, and eight tries: a shared processor may leave a peer without a turn for
    /// longer than the half second in all that is usual, and that is no fault of the peer's.
    private static final int PATIENT = 17;

    private final World world;
    private final Side left;
    private final Side right;

    Connection(World world, Side left, Side right) {
        this.world = world;
        this.left = left;
        this.right = right;
    }

    /// An ordinary connection; [Setup] makes others.
    public static Connection on(World world) {
        return Setup.of(world).connect();
    }

    public World world() {
        return world;
    }

    public Side left() {
        return left;
    }

    public Side right() {
        return right;
    }

    /// Brings both sides to where they can send.
    public void connect(
            Consumer<QueuePairAttributes> leftAttributes,
            Consumer<QueuePairAttributes> rightAttributes) {
        if (left.pair().type() == QueuePairType.UD) {
            left.pair().activate(leftAttributes);
            right.pair().activate(rightAttributes);
            return;
        }
        Endpoint here = left.pair().endpoint();
        Endpoint there = right.pair().endpoint();
        right.pair().connect(here, patient(rightAttributes));
        left.pair().connect(there, patient(leftAttributes));
    }

    private Consumer<QueuePairAttributes> patient(Consumer<QueuePairAttributes> more) {
        if (left.pair().type() != QueuePairType.RC) {
            return more;
        }
        Consumer<QueuePairAttributes> first = attributes -> attributes.timeout(PATIENT);
        return first.andThen(more);
    }

    /// Another connection of the same type between the same domains, over the same memory and the
    /// same shared receives.
    public Connection another() {
        Connection other = new Connection(world, left.another(), right.another());
        other.connect(attributes -> {}, attributes -> {});
        return other;
    }

    /// Fails the test unless bytes go both ways, by message and by WRITE. For reliable connections.
    public void works() {
        carries(left, right);
        carries(right, left);
    }

    private static void carries(Side from, Side to) {
        from.fill(0, 32, from.pair().number());
        to.receive(1, 64, 32);
        from.post(
                batch ->
                        batch.write(from.slice(0, 32), to.remote(128, 32))
                                .send(from.slice(0, 32))
                                .id(2)
                                .signaled());
        from.sent().next().succeeded();
        to.received().next().succeeded();
        to.holds(64, from.bytes(0, 32));
        to.holds(128, from.bytes(0, 32));
    }
}
