package dev.verbena.virtual;

import dev.verbena.transport.Turns;
import dev.verbena.transport.carrier.FlightQueue;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.wire.capture.CaptureWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The network between the devices: takes packets, makes frames of them, decides the fate of each,
/// and keeps the frames that are in flight.
final class Wire implements Turns.Link {
    private static final long CHUNK_FRAMES = 32;

    private final long delayNs;
    private MemorySegment chunk = MemorySegment.NULL;
    private long chunkAt;
    private final FlightQueue<Flight> underWay = new FlightQueue<>(this::make);
    private final Frames frames = new Frames();
    private final InboundPacket inbound = new InboundPacket();

    /// The one that the next packet is written into.
    private Flight next = underWay.take();

    private final OutboundPacket outbound = new OutboundPacket(next.segment, next.bthAt);

    private @Nullable CaptureWriter capture;
    private @Nullable IOException captureFailure;

    private long sent;
    private long lost;
    private long duplicated;
    private long reordered;
    private long corrupted;
    private long unreachable;
    private long arrived;

    Wire(VirtualSettings settings) {
        delayNs = settings.delay().toNanos();
    }

    @Override
    public boolean isFull() {
        return underWay.size() >= VirtualNetwork.PACKETS_MAX;
    }

    @Override
    public long nextNs() {
        return underWay.nextNs();
    }

    /// A packet to fill, whose transport headers are written where the frame has them.
    OutboundPacket next() {
        outbound.headerTo(next.segment, next.bthAt);
        return outbound;
    }

    /// Takes the filled packet and makes a frame of it, which [#reach] then carries.
    void send(long nowNs, OutboundPacket packet, Route route) {
        sent++;
        frames.encode(next, packet, route);
        record(nowNs, next);
    }

    /// No device has the destination address of the packet.
    void reachNobody() {
        unreachable++;
    }

    /// Carries the frame to one receiver, unless a fault hits it.
    ///
    /// @param isLast whether there is no further receiver, so that the frame itself can be passed
    ///   on
    void reach(long nowNs, Port to, Fates fates, boolean isLast) {
        if (fates.loses()) {
            lost++;
            return;
        }
        Flight flight = isLast ? next : copy(next);
        if (isLast) {
            next = underWay.take();
        }
        if (fates.duplicates()) {
            duplicated++;
            launch(copy(flight), to, nowNs + delayNs + fates.detourNs());
        }
        if (fates.corrupts()) {
            corrupted++;
            Frames.damage(flight, fates);
        }
        if (fates.reorders()) {
            reordered++;
            launch(flight, to, nowNs + delayNs + fates.detourNs());
        } else {
            launch(flight, to, nowNs + delayNs);
        }
    }

    /// Frames are made as many as are ever under way at a time, in memory taken a chunk at a time.
    private Flight make() {
        if (chunkAt == chunk.byteSize()) {
            chunk = Arena.ofAuto().allocate(CHUNK_FRAMES * Frames.LENGTH_MAX, 64);
            chunkAt = 0;
        }
        Flight made = new Flight(chunk, chunkAt);
        chunkAt += Frames.LENGTH_MAX;
        return made;
    }

    private Flight copy(Flight flight) {
        Flight copy = underWay.take();
        copy.copyFrom(flight);
        return copy;
    }

    private void launch(Flight flight, Port to, long timeNs) {
        flight.to = to;
        underWay.add(flight, timeNs);
    }

    @Override
    public void arrive() {
        Flight flight = underWay.remove();
        Port to = flight.to;
        if (to == null || to.isClosed()) {
            unreachable++;
        } else {
            arrived++;
            frames.decode(flight, inbound);
            to.receive(inbound);
        }
        flight.to = null;
        underWay.give(flight);
    }

    void captureTo(CaptureWriter writer) {
        capture = writer;
    }

    boolean isCaptured() {
        return capture != null;
    }

    /// A file that cannot be written must not break a device in the middle of a packet: the first
    /// failure ends the capture and is reported when it is closed.
    private void record(long nowNs, Flight flight) {
        if (capture == null || captureFailure != null) {
            return;
        }
        try {
            capture.write(nowNs, flight.segment, flight.at(), flight.length());
        } catch (IOException failure) {
            captureFailure = failure;
        }
    }

    /// Drops all frames in flight and completes the capture.
    void close() {
        underWay.clear();
        CaptureWriter writer = capture;
        if (writer == null) {
            return;
        }
        capture = null;
        try {
            writer.close();
        } catch (IOException failure) {
            captureFailure = captureFailure == null ? failure : captureFailure;
        }
        if (captureFailure != null) {
            throw new UncheckedIOException("the capture is not complete", captureFailure);
        }
    }

    VirtualCounts counts() {
        return new VirtualCounts(
                sent, lost, duplicated, reordered, corrupted, unreachable, arrived);
    }
}
