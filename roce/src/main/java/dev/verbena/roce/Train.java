package dev.verbena.roce;

import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.PathCache;
import dev.verbena.transport.carrier.Seal;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.wire.BigEndian;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// Packets that are sent with one system call: of one path and one length, except that the last may
/// be shorter.
///
/// ```text
///   staging    H0 │ pad C0 H1 │ pad C1 H2 │ pad C2        headers, pads, seals
///                 │           │           │
///   memory       P0          P1          P2               payload, where the program has it
/// ```
///
/// Adjacent parts are one piece for the kernel to gather: 2n + 1 pieces for n packets. Small
/// payloads are copied in between, and so are those whose memory may change or go, and all payload
/// where the system cannot gather.
///
/// When the kernel splits a train, it gives segment k of IPv4 the identification k, and the ICRC
/// covers it: so it is computed with k. Without a split, the identification is not visible.
final class Train implements TransmitSink {
    /// The maximum number of segments that Linux splits a train into (UDP_MAX_SEGMENTS).
    static final int PACKETS_MAX = 64;

    /// Payload up to here is copied: a piece more costs the kernel about as much.
    private static final int COPIED_MAX = 256;

    private static final int PAYLOAD_MAX = 4096;

    private static final int ROOM_FOR_ONE =
            OutboundPacket.MAX_HEADER_LENGTH + PAYLOAD_MAX + Integer.BYTES + Seal.LENGTH_MAX;

    /// UDP payload of the longest IPv4 packet.
    static final int BYTES_MAX = 65_507;

    private static final int ALIGNMENT = 64;

    /// Of a packet that travels alone.
    private static final int ALONE = -1;

    /// Bytes of an entry of the gather list: address and length.
    static final int PIECE = 16;

    /// Linux takes 1,024 (UIO_MAXIOV); a packet has up to 16, and two around them.
    private static final int PIECES_MAX = 1000;

    private final Datagrams datagrams;
    private final PathCache<Route> routes;
    private final SendTroubles troubles;
    private final boolean gathers;
    private final MemorySegment staging;
    private final MemorySegment pieces =
            Arena.ofAuto().allocate((long) PIECES_MAX * PIECE, ALIGNMENT);
    private final OutboundPacket outbound;

    /// Where the next header goes.
    private long at;

    /// Where bytes in the staging memory begin that are in no piece yet.
    private long runAt;

    private int pieceCount;
    private @Nullable Route route;
    private int trafficClass;
    private int socketNumber;
    private int count;
    private int packetBytes;
    private int bytes;
    private boolean isEnded;

    private long sentTrains;
    private long goneMemory;

    Train(Datagrams datagrams, PathCache<Route> routes, SendTroubles troubles) {
        this.datagrams = datagrams;
        this.routes = routes;
        this.troubles = troubles;
        gathers = datagrams.gathers();
        int packetsMax = datagrams.trainMax();
        staging = Arena.ofAuto().allocate((long) ROOM_FOR_ONE * (packetsMax + 1), ALIGNMENT);
        outbound = new OutboundPacket(staging, 0);
    }

    @Override
    public OutboundPacket next() {
        if (count == 0) {
            at = 0;
        } else if (at + ROOM_FOR_ONE > staging.byteSize()) {
            flush();
            at = 0;
        }
        outbound.headerTo(staging, at);
        return outbound;
    }

    @Override
    public void accept(OutboundPacket packet) {
        if (packet.isPhantom()) {
            throw new AssertionError("a device of roce makes no regions without memory");
        }
        Route to = routes.of(packet.path());
        int length = packet.length();
        int traffic = to.trafficClass(packet.ecn());
        int shared = sharedNumber(packet.headerAt());
        if (count > 0 && !joins(packet, to, traffic, shared)) {
            flush();
        }
        if (count == 0) {
            begin(to, traffic, length, packet.headerAt());
            socketNumber = shared;
        }
        long end = copies(packet) ? copy(to, packet) : gather(to, packet);
        if (end < 0) {
            // The program took its memory away under us; sending again will find that out.
            goneMemory++;
            return;
        }
        at = end;
        count++;
        bytes += length;
        isEnded = length < packetBytes;
    }

    /// The peer's kernel may choose a socket for the whole train by its first packet.
    private boolean joins(OutboundPacket packet, Route to, int traffic, int shared) {
        int length = packet.length();
        return to.equals(route)
                && traffic == trafficClass
                && shared == socketNumber
                && shared != ALONE
                && !isEnded
                && length <= packetBytes
                && !to.isSingle
                && count < datagrams.trainMax()
                && bytes + length <= BYTES_MAX
                && pieceCount + packet.pieces() + 2 <= PIECES_MAX;
    }

    /// A packet to queue pair 1 may be for any socket of the peer.
    private int sharedNumber(long headerAt) {
        return Steering.isManagement(staging, headerAt)
                ? ALONE
                : BigEndian.u8(staging, headerAt + Steering.AT) >>> 4;
    }

    private void begin(Route to, int traffic, int length, long headerAt) {
        route = to;
        trafficClass = traffic;
        packetBytes = length;
        bytes = 0;
        isEnded = false;
        pieceCount = 0;
        runAt = headerAt;
    }

    private boolean copies(OutboundPacket packet) {
        return !gathers || packet.payloadLength() <= COPIED_MAX || packet.isReadOnce();
    }

    /// Puts payload, pad and seal behind the header; returns where that ends.
    private long copy(Route to, OutboundPacket packet) {
        long payloadAt = packet.headerAt() + packet.headerLength();
        long padAt = payloadAt + packet.payloadLength();
        long sealAt = padAt + packet.padCount();
        try {
            packet.copyPayload(staging, payloadAt);
        } catch (IllegalStateException gone) {
            return -1;
        }
        for (long i = padAt; i < sealAt; i++) {
            BigEndian.put8(staging, i, 0);
        }
        Seal seal = packet.seal();
        seal.put(to.header, count, staging, packet.headerAt(), packet.sealedLength());
        return sealAt + seal.length();
    }

    /// Names the payload where it lies, and puts pad and seal behind the header; returns where that
    /// ends.
    private long gather(Route to, OutboundPacket packet) {
        long payloadAt = packet.headerAt() + packet.headerLength();
        int pad = packet.padCount();
        piece(staging.address() + runAt, payloadAt - runAt);
        Seal seal = packet.seal();
        seal.start(
                to.header,
                count,
                staging,
                packet.headerAt(),
                packet.headerLength(),
                packet.sealedLength());
        for (int i = 0; i < packet.pieces(); i++) {
            MemorySegment segment = packet.segment(i);
            seal.add(segment, packet.offset(i), packet.length(i));
            piece(segment.address() + packet.offset(i), packet.length(i));
        }
        for (int i = 0; i < pad; i++) {
            BigEndian.put8(staging, payloadAt + i, 0);
        }
        seal.add(staging, payloadAt, pad);
        seal.end(staging, payloadAt + pad);
        runAt = payloadAt;
        return payloadAt + pad + seal.length();
    }

    private void piece(long address, long length) {
        long entry = (long) pieceCount * PIECE;
        pieces.set(ValueLayout.JAVA_LONG, entry, address);
        pieces.set(ValueLayout.JAVA_LONG, entry + 8, length);
        pieceCount++;
    }

    /// Bytes that could still join; 0 when there is nothing to join.
    int room() {
        if (count == 0 || isEnded || route().isSingle) {
            return 0;
        }
        return Math.min(BYTES_MAX - bytes, (datagrams.trainMax() - count) * packetBytes);
    }

    /// Sends the packets of the train.
    void flush() {
        if (count == 0) {
            return;
        }
        if (at > runAt) {
            piece(staging.address() + runAt, at - runAt);
        }
        sentTrains++;
        int errno = datagrams.send(this);
        if (errno != 0) {
            refused(route(), errno);
        }
        count = 0;
        pieceCount = 0;
    }

    private void refused(Route to, int errno) {
        troubles.refused(to.gid(), errno, count);
        if (count > 1 && (errno == Errno.EIO || errno == Errno.EINVAL)) {
            // The interface cannot check-sum, or has a smaller MTU than the train's packets: each
            // packet alone may still pass.
            to.isSingle = true;
        }
    }

    /// Forgets packets that were not sent, when something went wrong before.
    void drop() {
        count = 0;
        pieceCount = 0;
    }

    Route route() {
        if (route == null) {
            throw new AssertionError("a train that is sent has a route");
        }
        return route;
    }

    int trafficClass() {
        return trafficClass;
    }

    int count() {
        return count;
    }

    int packetBytes() {
        return packetBytes;
    }

    int bytes() {
        return bytes;
    }

    MemorySegment pieces() {
        return pieces;
    }

    int pieceCount() {
        return pieceCount;
    }

    /// The bytes of a train that is not gathered: they lie in a row, at [#stagedAt].
    MemorySegment staging() {
        return staging;
    }

    long stagedAt() {
        return runAt;
    }

    long sentTrains() {
        return sentTrains;
    }

    long goneMemory() {
        return goneMemory;
    }
}
