package dev.verbena.transport;

import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.Path;
import dev.verbena.transport.carrier.PathCache;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Verdict;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A network inside one thread: devices that reach each other in memory, without loss or delay.
///
/// It is the smallest carrier, for first programs, for tests that need no faults, and to measure
/// the cost of the transport itself. Packets are passed from device to device by reference, so a
/// byte is copied once, into the target's memory. Time is virtual: it stands still while there is
/// work, and `await` advances it to the next deadline. All devices of a network belong to one
/// thread.
public final class Loopback {
    private static final long PREFIX = 0xFD00_0000_0000_0000L;

    private final SplittableRandom random;
    private final Turns<Port> turns = new Turns<>("loopback");
    private final InboundPacket inbound = new InboundPacket();
    private final OutboundPacket outbound;
    private final MemorySegment scratch;
    private int made;

    /// The seed decides all keys and numbers: same seed, same run.
    public Loopback(long seed) {
        random = new SplittableRandom(seed);
        MemorySegment memory = Arena.ofAuto().allocate(OutboundPacket.MAX_HEADER_LENGTH + 4096, 8);
        outbound = new OutboundPacket(memory, 0);
        scratch = memory.asSlice(OutboundPacket.MAX_HEADER_LENGTH);
    }

    /// A new device with ordinary settings.
    public TransportDevice open(String name) {
        return open(name, options -> {});
    }

    /// A new device; `settings` may change everything but its name and address, and that it carries
    /// phantom regions.
    public TransportDevice open(String name, Consumer<TransportOptions> settings) {
        turns.requireFree(name);
        Port port = new Port(new Gid(PREFIX, ++made));
        TransportOptions options = turns.options(random.split(), port);
        settings.accept(options);
        options.name(name).gids(List.of(port.gid())).carriesPhantoms(true);
        return turns.open(port, options);
    }

    public long nowNs() {
        return turns.nowNs();
    }

    /// Lets every device that has something to send do so once; returns whether there was one.
    public boolean turn() {
        return turns.turn();
    }

    /// Lets the time jump to the next deadline of any device, at most to `deadlineNs`.
    public void idle(long deadlineNs) {
        turns.idle(deadlineNs);
    }

    private void deliver(Port from, Port to, OutboundPacket packet) {
        int length = packet.payloadLength();
        Verdict verdict;
        if (packet.isPhantom()) {
            verdict =
                    inbound.view()
                            .wrapPhantom(
                                    packet.header(),
                                    packet.headerAt(),
                                    packet.headerLength(),
                                    length);
        } else {
            boolean isWhole = packet.pieces() == 1;
            if (!isWhole) {
                packet.copyPayload(scratch, 0);
            }
            verdict =
                    inbound.view()
                            .wrapApart(
                                    packet.header(),
                                    packet.headerAt(),
                                    packet.headerLength(),
                                    isWhole ? packet.segment(0) : scratch,
                                    isWhole ? packet.offset(0) : 0,
                                    length);
        }
        inbound.verdict(verdict).from(0, from.gid()).by(packet.path().address()).ecn(packet.ecn());
        to.receive(inbound);
    }

    /// What is at the end of a path, if there is something; one object for each port.
    private record Reached(@Nullable Port port) {
        private static final Reached NOBODY = new Reached(null);
    }

    private Reached at(Gid gid) {
        Port port = turns.at(gid);
        return port == null ? Reached.NOBODY : port.reached;
    }

    /// One device's place on the network.
    private final class Port extends TurnPort<Port> {
        private final PathCache<Reached> peers = new PathCache<>(path -> at(path.address().gid()));
        private final Reached reached = new Reached(this);

        Port(Gid gid) {
            super(turns, gid);
        }

        /// The port at the end of a path; looked up once for each path, and again after changes.
        private @Nullable Port peer(Path path) {
            Reached reached = peers.of(path);
            if (reached.port == null || reached.port.isClosed()) {
                peers.forget(path);
                reached = peers.of(path);
            }
            return reached.port;
        }

        @Override
        public OutboundPacket next() {
            return outbound;
        }

        @Override
        public void accept(OutboundPacket packet) {
            Gid destination = packet.path().address().gid();
            if (destination.isMulticast()) {
                List<Port> members = turns.members(destination);
                for (int i = 0; i < members.size(); i++) {
                    deliver(this, members.get(i), packet);
                }
                return;
            }
            Port to = peer(packet.path());
            if (to != null) {
                deliver(this, to, packet);
            }
        }
    }
}
