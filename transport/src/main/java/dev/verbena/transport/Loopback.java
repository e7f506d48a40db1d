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
/// thread at a time, or to threads that take turns.
public final class Loopback {
    private static final long PREFIX = 0xFD00_0000_0000_0000L;
    private static final int SENT_MAX = 16;

    private final SplittableRandom random;
    private final Turns<Port> turns = new Turns<>("loopback");
    private final InboundPacket inbound = new InboundPacket();

    /// Packets that were sent in this turn, and are received after it: a receiver inside the
    /// sender's call is deeper than the compiler inlines.
    private final OutboundPacket[] sent = new OutboundPacket[SENT_MAX];

    private int sentCount;
    private final MemorySegment scratch;
    private int made;

    /// The seed decides all keys and numbers: same seed, same run.
    public Loopback(long seed) {
        random = new SplittableRandom(seed);
        int headers = SENT_MAX * OutboundPacket.MAX_HEADER_LENGTH;
        MemorySegment memory = Arena.ofAuto().allocate(headers + 4096, 8);
        for (int i = 0; i < SENT_MAX; i++) {
            sent[i] = new OutboundPacket(memory, (long) i * OutboundPacket.MAX_HEADER_LENGTH);
        }
        scratch = memory.asSlice(headers);
    }

    /// A new device with ordinary settings.
    public TransportDevice open(String name) {
        return open(name, options -> {});
    }

    /// A new device; `settings` may change everything but its name and address, and that it carries
    /// phantom regions.
    public TransportDevice open(String name, Consumer<TransportOptions> settings) {
        return turns.alone(() -> make(name, settings));
    }

    private TransportDevice make(String name, Consumer<TransportOptions> settings) {
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

    /// The packet as its receiver sees it.
    private InboundPacket arrived(Port from, OutboundPacket packet) {
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
        return inbound;
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
            return sent[sentCount];
        }

        @Override
        public void accept(OutboundPacket packet) {
            sentCount++;
            // Another thread may close such memory at any time: nothing waits in it.
            if (sentCount == SENT_MAX || packet.isReadOnce()) {
                handOver();
            }
        }

        @Override
        protected void handOver() {
            int count = sentCount;
            sentCount = 0;
            for (int i = 0; i < count; i++) {
                OutboundPacket packet = sent[i];
                if (packet.path().address().gid().isMulticast()) {
                    scatter(packet);
                    continue;
                }
                Port to = peer(packet.path());
                if (to != null) {
                    to.receive(arrived(this, packet));
                }
            }
        }

        private void scatter(OutboundPacket packet) {
            List<Port> members = turns.members(packet.path().address().gid());
            for (int i = 0; i < members.size(); i++) {
                members.get(i).receive(arrived(this, packet));
            }
        }
    }
}
