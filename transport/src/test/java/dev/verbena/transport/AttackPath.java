package dev.verbena.transport;

import dev.verbena.verbs.Gid;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The path of forged packets to the device under attack, and of its answers back. Attacks are the
/// same in memory and over sockets.
interface AttackPath extends AutoCloseable {
    /// Lets everything leave.
    int EVERYTHING = 1 << 30;

    /// What an attack may need that not every side has.
    enum Need {
        NOTHING,

        /// Packets from other addresses than the peer's.
        SOURCES,

        /// Packets to a multicast group that the device has joined.
        GROUPS,

        /// Packets to groups that it has not joined, and from groups.
        STRANGE_GROUPS,

        /// Answers of queue pair 1, which go to the standard port of the sender.
        MANAGEMENT
    }

    /// Why attacks with this need cannot be carried out from here; empty when they can.
    String lacks(Need need);

    AttackFrames.Shape shape();

    /// The addresses of a host by its number.
    AttackFrames.Node node(int number);

    /// Where a packet can come from whose address is a few bits off: which low bits may differ.
    int sourceBits();

    /// The address of a multicast group by its number.
    Gid group(int number);

    /// Where peers receive.
    int peerPort();

    /// The timeout of a queue pair that does not run out while an attack lasts.
    int timeout();

    /// The receiver-not-ready time that a forger may ask for, of the one that was drawn.
    int rnrTimer(int drawn);

    /// Makes a device that packets reach from here.
    TransportDevice open(
            String name,
            AttackFrames.Node at,
            int mtu,
            RandomGenerator random,
            Consumer<TransportOptions> changes);

    /// Tells which of the devices is attacked, and which belongs to the bystander connection.
    void besiege(TransportDevice victim, @Nullable TransportDevice neighbour);

    /// Takes the frame to the device that is attacked, which looks at it.
    void deliver(AttackFrames frames, int budget);

    /// Whether a spoiled frame is one that the receiver can tell from a sound one.
    boolean isNoticed(AttackFrames frames);

    /// Lets the device answer, within so many bytes, and shows the answers; none may come without a
    /// log.
    void drain(int budget, @Nullable SentPackets sentPackets);

    /// Moves the bystander connection on.
    void step(BystanderConnection bystander);

    /// Lets time pass that is not real.
    void tick();

    @Override
    void close();
}
