package dev.verbena.transport.carrier;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A packet on its way out; the carrier owns the object and uses it again and again.
public final class OutboundPacket {
    /// BTH and the longest run of extended headers, rounded up.
    public static final int MAX_HEADER_LENGTH = 64;

    /// Pieces that the payload of one packet can have.
    public static final int MAX_PIECES = 16;

    private MemorySegment header;
    private long headerAt;
    private int headerLength;

    private final MemorySegment[] segments = new MemorySegment[MAX_PIECES];
    private final long[] offsets = new long[MAX_PIECES];
    private final int[] lengths = new int[MAX_PIECES];
    private int pieces;
    private int payloadLength;
    private boolean phantom;
    private boolean isReadOnce;

    private @Nullable Path path;
    private @Nullable Seal seal;
    private int ecn;
    private int queuePair;

    /// A packet whose headers are written at `at` of `header`.
    public OutboundPacket(MemorySegment header, long at) {
        this.header = header;
        this.headerAt = at;
    }

    /// Lets the next headers be written elsewhere.
    public void headerTo(MemorySegment segment, long at) {
        header = segment;
        headerAt = at;
    }

    public MemorySegment header() {
        return header;
    }

    public long headerAt() {
        return headerAt;
    }

    public int headerLength() {
        return headerLength;
    }

    public int pieces() {
        return pieces;
    }

    public MemorySegment segment(int piece) {
        return segments[piece];
    }

    public long offset(int piece) {
        return offsets[piece];
    }

    public int length(int piece) {
        return lengths[piece];
    }

    /// Payload bytes without the pad, in memory or not.
    public int payloadLength() {
        return payloadLength;
    }

    /// Zero bytes that the carrier puts behind the payload.
    public int padCount() {
        return -payloadLength & 3;
    }

    /// Whether the payload is a length without bytes; it has no pieces then.
    public boolean isPhantom() {
        return phantom;
    }

    /// Whether the bytes of the payload may change or go while the carrier has the packet: their
    /// owner may write to them (the answer to a READ), or close their arena. Such a payload is read
    /// once, by [#copyPayload], and the checksum is that of the copy. The bytes of all others stay
    /// where they are between `holdMemory` and `letMemoryGo` of the device.
    public boolean isReadOnce() {
        return isReadOnce;
    }

    /// Bytes from the BTH through the seal: what counts against the budget.
    public int length() {
        return sealedLength() + seal().length();
    }

    /// Bytes from the BTH up to the seal.
    public int sealedLength() {
        return headerLength + payloadLength + padCount();
    }

    /// What the carrier puts behind payload and pad.
    public Seal seal() {
        return Objects.requireNonNull(seal, "only an accepted packet has a seal");
    }

    public Path path() {
        return Objects.requireNonNull(path, "only an accepted packet has a path");
    }

    /// The two ECN bits that the packet leaves with.
    public int ecn() {
        return ecn;
    }

    /// The number of the queue pair that sends it.
    public int queuePair() {
        return queuePair;
    }

    /// Copies the payload, all pieces of it; nothing when it is a phantom.
    public void copyPayload(MemorySegment to, long at) {
        long target = at;
        for (int i = 0; i < pieces; i++) {
            MemorySegment.copy(segments[i], offsets[i], to, target, lengths[i]);
            target += lengths[i];
        }
    }

    // What follows is called by the device, which fills the packet.

    /// Begins anew: without payload, to go this way, with headers of this length.
    public void begin(
            Path way, int fromQueuePair, int ecnBits, int lengthOfHeaders, Seal sealedBy) {
        pieces = 0;
        payloadLength = 0;
        phantom = false;
        isReadOnce = false;
        path = way;
        queuePair = fromQueuePair;
        ecn = ecnBits;
        headerLength = lengthOfHeaders;
        seal = sealedBy;
    }

    public void piece(MemorySegment segment, long offset, int length) {
        segments[pieces] = segment;
        offsets[pieces] = offset;
        lengths[pieces] = length;
        pieces++;
        payloadLength += length;
    }

    /// See [#isReadOnce].
    public void readOnce() {
        isReadOnce = true;
    }

    public void phantom(int length) {
        phantom = true;
        payloadLength += length;
    }
}
