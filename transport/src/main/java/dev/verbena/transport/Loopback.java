package dev.verbena.transport;

import dev.verbena.transport.carrier.Driver;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.OneThread;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.Path;
import dev.verbena.transport.carrier.PathCache;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.transport.common.Notices;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.NoDeviceException;
import dev.verbena.wire.Verdict;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
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
    /// Room on the link in one turn: enough for a burst, little enough that answers mix with it.
    private static final long POLL_NS = 100;

    private static final int TURN_BYTES = 1 << 16;

    /// A turn that leaves more room than this has sent all there was.
    private static final int MAX_PACKET_BYTES = 4096 + 128;

    private static final int ALL_CLASSES = 0xFFFF;
    private static final long PREFIX = 0xFD00_0000_0000_0000L;

    private final SplittableRandom random;
    private final Map<Gid, Port> byGid = new HashMap<>();
    private final List<Port> ports = new ArrayList<>();
    private final Map<Gid, List<Port>> groups = new HashMap<>();
    private final ArrayDeque<Port> busy = new ArrayDeque<>();
    private final InboundPacket inbound = new InboundPacket();
    private final OutboundPacket outbound;
    private final MemorySegment scratch;
    private final Notices notices = new Notices();
    private final OneThread guard = new OneThread("loopback network");
    private long nowNs;
    private int made;
    private boolean isTurning;

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
        for (Port port : ports) {
            if (port.device().name().equals(name)) {
                throw new NoDeviceException(
                        "loopback " + name, "it is open already", "use another name, or close it");
            }
        }
        Gid gid = new Gid(PREFIX, ++made);
        Port port = new Port(gid);
        TransportOptions options = new TransportOptions(random.split(), port);
        options.settings.notices = notices;
        options.guard(guard);
        settings.accept(options);
        options.name(name).gids(List.of(gid)).carriesPhantoms(true);
        port.device = TransportDevice.create(options);
        ports.add(port);
        byGid.put(gid, port);
        return port.device;
    }

    public long nowNs() {
        return nowNs;
    }

    /// Lets every device that has something to do work once; returns whether there was one.
    public boolean turn() {
        if (isTurning) {
            // A listener polls; the turn that called it continues.
            return false;
        }
        guard.enter();
        isTurning = true;
        try {
            return turnOnce();
        } finally {
            isTurning = false;
            guard.exit();
        }
    }

    private boolean turnOnce() {
        int turns = busy.size();
        for (int i = 0; i < turns && !busy.isEmpty(); i++) {
            Port port = busy.removeFirst();
            port.isBusy = false;
            port.turnBytes = 0;
            port.device().pollTransmit(nowNs, ALL_CLASSES, TURN_BYTES, port);
            if (port.turnBytes > TURN_BYTES - MAX_PACKET_BYTES) {
                port.wake();
            }
        }
        return turns > 0;
    }

    /// A poll takes a little time where something waits for it.
    private void pass() {
        if (nextNs(Long.MAX_VALUE) != Long.MAX_VALUE) {
            idle(nowNs + POLL_NS);
        }
    }

    /// When something happens next, at most this. By index: an iterator for each poll is garbage.
    private long nextNs(long deadlineNs) {
        long nextNs = deadlineNs;
        for (int i = 0; i < ports.size(); i++) {
            nextNs = Math.min(nextNs, ports.get(i).device().pollTimeout());
        }
        return nextNs;
    }

    /// Lets the time jump to the next deadline of any device, at most to `deadlineNs`.
    public void idle(long deadlineNs) {
        guard.enter();
        try {
            jump(deadlineNs);
        } finally {
            guard.exit();
        }
    }

    private void jump(long deadlineNs) {
        long nextNs = nextNs(deadlineNs);
        if (nextNs == Long.MAX_VALUE) {
            return;
        }
        nowNs = Math.max(nowNs, nextNs);
        // A listener may close a device meanwhile; one that is left out has its turn with the next.
        for (int i = 0; i < ports.size(); i++) {
            Port port = ports.get(i);
            if (port.device().pollTimeout() <= nowNs) {
                port.device().handleTimeout(nowNs);
                port.wake();
            }
        }
    }

    private void deliver(Port from, OutboundPacket packet) {
        Gid destination = packet.path().address().gid();
        if (destination.isMulticast()) {
            List<Port> members = groups.get(destination);
            for (int i = 0; members != null && i < members.size(); i++) {
                deliver(from, members.get(i), packet);
            }
            return;
        }
        Port to = from.peer(packet.path());
        if (to != null) {
            deliver(from, to, packet);
        }
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
        Address way = packet.path().address();
        inbound.verdict(verdict)
                .from(0, from.gid)
                .to(way.gid())
                .route(way.serviceLevel(), way.trafficClass(), way.flowLabel(), way.hopLimit())
                .ecn(packet.ecn());
        to.device().handlePacket(nowNs, inbound);
        to.wake();
    }

    /// What is at the end of a path, if there is something; one object for each port.
    private record Reached(@Nullable Port port) {
        private static final Reached NOBODY = new Reached(null);
    }

    private Reached at(Gid gid) {
        Port port = byGid.get(gid);
        return port == null ? Reached.NOBODY : port.reached;
    }

    /// One device's place on the network.
    private final class Port implements Driver, TransmitSink {
        private final Gid gid;
        private @Nullable TransportDevice device;
        private final PathCache<Reached> peers = new PathCache<>(path -> at(path.address().gid()));
        private final Reached reached = new Reached(this);
        private int turnBytes;
        private boolean isBusy;
        private boolean isClosed;

        Port(Gid gid) {
            this.gid = gid;
        }

        TransportDevice device() {
            if (device == null) {
                throw new AssertionError("a port has its device before it is used");
            }
            return device;
        }

        /// The port at the end of a path; looked up once for each path, and again after changes.
        private @Nullable Port peer(Path path) {
            Reached reached = peers.of(path);
            if (reached.port == null || reached.port.isClosed) {
                peers.forget(path);
                reached = peers.of(path);
            }
            return reached.port;
        }

        @Override
        public long nowNs() {
            return nowNs;
        }

        @Override
        public boolean turn() {
            return Loopback.this.turn();
        }

        @Override
        public void polledInVain() {
            if (!isTurning) {
                pass();
            }
        }

        @Override
        public void idle(long deadlineNs, BooleanSupplier isDone) {
            Loopback.this.idle(deadlineNs);
        }

        @Override
        public void wake() {
            if (!isBusy) {
                isBusy = true;
                busy.addLast(this);
            }
        }

        @Override
        public void joined(Gid group) {
            groups.computeIfAbsent(group, fresh -> new ArrayList<>(1)).add(this);
        }

        @Override
        public void left(Gid group) {
            List<Port> members = groups.get(group);
            if (members != null && members.remove(this) && members.isEmpty()) {
                groups.remove(group);
            }
        }

        @Override
        public void closed() {
            isClosed = true;
            ports.remove(this);
            byGid.remove(gid);
            busy.remove(this);
        }

        @Override
        public OutboundPacket next() {
            return outbound;
        }

        @Override
        public void accept(OutboundPacket packet) {
            turnBytes += packet.length();
            deliver(this, packet);
        }
    }
}
