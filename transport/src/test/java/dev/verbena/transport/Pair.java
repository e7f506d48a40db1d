package dev.verbena.transport;

import dev.verbena.transport.carrier.Driver;
import dev.verbena.transport.carrier.FlightQueue;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.Path;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.PortState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// Two transport devices, or more, joined by scripted wires in virtual time.
///
/// Nothing happens by itself: [#step] moves the time to the next event. Devices that are polled or
/// awaited drive the pair too, unless [#manual] is set.
final class Pair implements AutoCloseable {
    /// Makes the options of each device.
    interface DeviceMaker {
        TransportOptions options(Driver driver, int index);
    }

    private record Task(long timeNs, long sequence, Runnable work) {}

    final FlightQueue<Flight> flights;
    final @Nullable FrameCodec codec;
    final List<PairPort> ports = new ArrayList<>();

    /// Whether only [#step] makes time pass.
    boolean manual;

    PacketObserver observer = PacketObserver.NOBODY;

    /// What left, when a test asks for it.
    @Nullable List<ScriptedWire.Seen> seen;

    private final LinkLayer layer;
    private final List<List<QueuePairLog>> logs = new ArrayList<>();
    private final PriorityQueue<Task> agenda =
            new PriorityQueue<>(
                    (one, other) ->
                            one.timeNs != other.timeNs
                                    ? Long.compare(one.timeNs, other.timeNs)
                                    : Long.compare(one.sequence, other.sequence));
    private long tasks;
    private long nowNs = 1_000_000;
    private boolean turning;
    private long hash = 1;

    Pair(
            int devices,
            LinkLayer layer,
            FlightQueue<Flight> flights,
            @Nullable FrameCodec codec,
            DeviceMaker maker) {
        this.layer = layer;
        this.flights = flights;
        this.codec = codec;
        for (int i = 0; i < devices; i++) {
            logs.add(new ArrayList<>());
        }
        for (int i = 0; i < devices; i++) {
            ports.add(new PairPort(this, i, maker));
        }
    }

    /// The port attributes that belong to a device's options.
    static PortAttributes attributes(LinkLayer layer, int index) {
        int lid = layer == LinkLayer.INFINIBAND ? index + 1 : 0;
        return new PortAttributes(1, PortState.ACTIVE, layer, lid, 4096, 4096, 0);
    }

    /// The addresses that belong to a device's options.
    static List<Gid> gids(LinkLayer layer, int index) {
        return List.of(layer == LinkLayer.INFINIBAND ? longGid(index) : gid(index));
    }

    private static Gid gid(int index) {
        return new Gid(0, 0xFFFF_0000_0000L | FrameCodec.address(index));
    }

    /// A GID that is no IPv4 address.
    static Gid longGid(int index) {
        return new Gid(0xFE80_0000_0000_0000L, FrameCodec.address(index));
    }

    TransportDevice device(int index) {
        return ports.get(index).device;
    }

    long nowNs() {
        return nowNs;
    }

    /// A number that stands for everything that happened so far.
    long hash() {
        return hash;
    }

    /// Mixes something that a test saw into the hash.
    void mix(long value) {
        hash = (hash ^ value) * 0x9E37_79B9_7F4A_7C15L;
        hash ^= hash >>> 29;
    }

    void at(long timeNs, Runnable work) {
        agenda.add(new Task(Math.max(nowNs, timeNs), tasks++, work));
    }

    /// Moves out what is to be sent, then the time to the next event, and handles that. False when
    /// nothing will ever happen again.
    boolean step() {
        pump();
        long next = nextNs();
        if (next == Long.MAX_VALUE) {
            return false;
        }
        nowNs = next;
        handle();
        return true;
    }

    /// Steps until nothing will happen any more.
    void settle() {
        int steps = 0;
        while (step()) {
            if (++steps > 10_000_000) {
                throw new AssertionError("no end after " + steps + " steps");
            }
        }
    }

    /// Steps up to a time, which is the present one afterwards.
    void runUntil(long timeNs) {
        pump();
        while (nextNs() <= timeNs) {
            step();
            pump();
        }
        nowNs = Math.max(nowNs, timeNs);
    }

    boolean turn() {
        if (manual || turning) {
            return false;
        }
        boolean any = pump();
        if (nextNs() <= nowNs) {
            handle();
            any = true;
        }
        return any;
    }

    void idle(long deadlineNs) {
        if (!turning) {
            pump();
            nowNs = Math.max(nowNs, Math.min(deadlineNs, nextNs()));
        }
    }

    QueuePairLog log(int port, int queuePair) {
        // A handful of queue pairs: looking through them is faster than a map of boxed numbers.
        List<QueuePairLog> known = logs.get(port);
        for (int i = 0; i < known.size(); i++) {
            if (known.get(i).number == queuePair) {
                return known.get(i);
            }
        }
        QueuePairLog log = new QueuePairLog(queuePair);
        known.add(log);
        return log;
    }

    /// The log of the requester that a packet belongs to: its sender, or the one that it answers.
    QueuePairLog logOf(Flight flight, int sender) {
        return flight.isResponse() ? log(flight.port, flight.destQp()) : log(flight.from, sender);
    }

    int portOf(Path path) {
        return layer == LinkLayer.INFINIBAND
                ? path.address().lid() - 1
                : (int) path.address().gid().low() - FrameCodec.address(0);
    }

    void signFrom(InboundPacket packet, Flight flight) {
        packet.from(layer == LinkLayer.INFINIBAND ? flight.from + 1 : 0, flight.source())
                .by(flight.path().address());
    }

    FrameCodec frames() {
        return Objects.requireNonNull(codec);
    }

    void trace(int from, Flight flight, WireScript.Fate fate) {
        mix(nowNs);
        mix(((long) flight.destQp() << 32) | flight.psn());
        mix(flight.operation().code() | (flight.syndrome() << 8) | ((long) from << 40));
        @Nullable List<ScriptedWire.Seen> to = seen;
        if (to != null) {
            String ask = flight.asksForAck() ? " A" : "";
            String aeth = flight.syndrome() < 0 ? "" : " 0x%02x".formatted(flight.syndrome());
            String lost = fate == WireScript.Fate.PASS ? "" : " " + fate;
            String text =
                    "%s %d%s%s%s"
                            .formatted(flight.operation().title(), flight.psn(), ask, aeth, lost);
            to.add(new ScriptedWire.Seen(nowNs, from, flight.destQp(), text));
        }
    }

    @Override
    public void close() {
        for (PairPort port : ports) {
            port.close();
        }
        flights.clear();
    }

    private boolean pump() {
        boolean any = false;
        turning = true;
        for (int i = 0; i < ports.size(); i++) {
            any |= ports.get(i).pump(nowNs);
        }
        turning = false;
        return any;
    }

    private long nextNs() {
        long next = flights.nextNs();
        Task first = agenda.peek();
        if (first != null) {
            next = Math.min(next, first.timeNs);
        }
        for (int i = 0; i < ports.size(); i++) {
            next = Math.min(next, ports.get(i).nextNs(nowNs));
        }
        return next;
    }

    private void handle() {
        turning = true;
        while (flights.nextNs() <= nowNs) {
            Flight flight = flights.remove();
            PairPort port = ports.get(flight.port);
            port.wire.counts.delivered++;
            if (flight.isResponse() && !flight.damaged) {
                log(flight.port, flight.destQp()).answerDelivered(flight);
            }
            port.deliver(nowNs, flight);
            flights.give(flight);
        }
        for (int i = 0; i < ports.size(); i++) {
            ports.get(i).tick(nowNs);
        }
        turning = false;
        while (true) {
            Task first = agenda.peek();
            if (first == null || first.timeNs > nowNs) {
                return;
            }
            agenda.poll();
            first.work.run();
        }
    }
}
