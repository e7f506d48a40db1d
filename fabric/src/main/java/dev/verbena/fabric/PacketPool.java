package dev.verbena.fabric;

import dev.verbena.transport.carrier.OutboundPacket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Packets by number, in flight and free; it grows to the largest number in flight at a time.
///
/// The words that switches need are in one array, side by side for each packet, so that they are in
/// one cache line. The content that hosts write and read is found by the packet's number alone,
/// without another load from memory first.
final class PacketPool {
    /// In place of a packet's number; it may be read like any.
    static final int NONE = 0;

    /// Words of a packet: its tag, a time, the number of the packet behind it, and its content in
    /// short.
    private static final int SHIFT = 2;

    private static final int TIME = 1;
    private static final int FOLLOWING = 2;
    private static final int CONTENT = 3;

    private static final int SLAB_SHIFT = 9;
    private static final int SLAB = 1 << SLAB_SHIFT;
    private static final int HEADERS = OutboundPacket.MAX_HEADER_LENGTH;

    // The content in short: header bytes, payload bytes, the mark, and whether bytes are kept.
    private static final int HEADER_MASK = 0xFF;
    private static final int PAYLOAD_LENGTH = 8;
    private static final int PAYLOAD_MASK = 0xFFFF;
    private static final int ECN = 24;
    private static final int ECN_MASK = 3;
    private static final int ECN_CAPABLE = 2;
    private static final int HAS_BYTES = 1 << 26;

    private final PayloadPool bytes = new PayloadPool();
    private long[] words = new long[1 << SHIFT];
    private MemorySegment[] slabs = new MemorySegment[0];
    private @Nullable Route[] routes = new Route[1];
    private @Nullable MemorySegment[] payloads = new MemorySegment[1];
    private int[] free = new int[0];
    private int freeCount;

    int take() {
        if (freeCount == 0) {
            grow();
        }
        // The one that was given back last is still in the cache.
        return free[--freeCount];
    }

    private void grow() {
        int before = slabs.length;
        int slabsNow = before + Math.max(1, before / 2);
        slabs = Arrays.copyOf(slabs, slabsNow);
        for (int i = before; i < slabsNow; i++) {
            slabs[i] = Arena.ofAuto().allocate((long) SLAB * HEADERS, HEADERS);
        }
        int packets = slabsNow << SLAB_SHIFT;
        words = Arrays.copyOf(words, packets << SHIFT);
        routes = Arrays.copyOf(routes, packets);
        payloads = Arrays.copyOf(payloads, packets);
        free = Arrays.copyOf(free, packets);
        int first = Math.max(NONE + 1, before << SLAB_SHIFT);
        for (int handle = packets - 1; handle >= first; handle--) {
            free[freeCount++] = handle;
        }
    }

    void give(int handle) {
        if (hasBytes(handle)) {
            bytes.give(payload(handle));
        }
        free[freeCount++] = handle;
    }

    /// Returns a frame, which has no content of a host.
    void giveFrame(int handle) {
        free[freeCount++] = handle;
    }

    long tag(int handle) {
        return words[handle << SHIFT];
    }

    long timePs(int handle) {
        return words[(handle << SHIFT) + TIME];
    }

    int following(int handle) {
        return (int) words[(handle << SHIFT) + FOLLOWING];
    }

    /// Says all of a packet that stands at the end of a row.
    void set(int handle, long tag, long timePs) {
        int at = handle << SHIFT;
        words[at] = tag;
        words[at + TIME] = timePs;
        words[at + FOLLOWING] = NONE;
    }

    /// Puts one behind another.
    void follow(int handle, int follower) {
        words[(handle << SHIFT) + FOLLOWING] = follower;
    }

    /// The same where a packet has the time of the one behind it.
    void follow(int handle, int follower, long timePs) {
        int at = handle << SHIFT;
        words[at + TIME] = timePs;
        words[at + FOLLOWING] = follower;
    }

    /// Takes a packet of the transport; its headers are here already.
    void fill(int handle, OutboundPacket from, Route route) {
        int length = from.payloadLength();
        int content = from.headerLength() | (length << PAYLOAD_LENGTH) | (from.ecn() << ECN);
        if (!from.isPhantom() && length > 0) {
            MemorySegment copy = bytes.take();
            from.copyPayload(copy, 0);
            payloads[handle] = copy;
            content |= HAS_BYTES;
        }
        words[(handle << SHIFT) + CONTENT] = content;
        routes[handle] = route;
    }

    /// Takes a packet that is not the transport's: it is not ECN-capable, and its payload has no
    /// bytes.
    void fill(int handle, int headerBytes, int payloadBytes, Route route) {
        words[(handle << SHIFT) + CONTENT] = headerBytes | (payloadBytes << PAYLOAD_LENGTH);
        routes[handle] = route;
    }

    /// Takes a packet whose payload is a copy of some bytes, or has none; it is not ECN-capable.
    void fill(
            int handle,
            int headerBytes,
            @Nullable MemorySegment from,
            long fromAt,
            int payloadBytes,
            Route route) {
        fill(handle, headerBytes, payloadBytes, route);
        if (from != null && payloadBytes > 0) {
            MemorySegment copy = bytes.take();
            MemorySegment.copy(from, fromAt, copy, 0, payloadBytes);
            payloads[handle] = copy;
            words[(handle << SHIFT) + CONTENT] |= HAS_BYTES;
        }
    }

    /// A switch sends a packet on that it has changed.
    void reroute(int handle, Route route) {
        routes[handle] = route;
    }

    /// Takes a packet with the content of another: a copy for one more member of a group.
    int copy(int handle) {
        int made = take();
        words[(made << SHIFT) + CONTENT] = words[(handle << SHIFT) + CONTENT];
        routes[made] = routes[handle];
        int length = headersLength(handle);
        MemorySegment.copy(
                headers(handle), headersAt(handle), headers(made), headersAt(made), length);
        if (hasBytes(handle)) {
            MemorySegment own = bytes.take();
            MemorySegment.copy(payload(handle), 0, own, 0, payloadLength(handle));
            payloads[made] = own;
        }
        return made;
    }

    private int content(int handle) {
        return (int) words[(handle << SHIFT) + CONTENT];
    }

    /// Where a packet's headers are, from the BTH on, among those of others.
    MemorySegment headers(int handle) {
        return slabs[handle >> SLAB_SHIFT];
    }

    static long headersAt(int handle) {
        return (long) (handle & (SLAB - 1)) * HEADERS;
    }

    int headersLength(int handle) {
        return content(handle) & HEADER_MASK;
    }

    int payloadLength(int handle) {
        return (content(handle) >> PAYLOAD_LENGTH) & PAYLOAD_MASK;
    }

    /// From the BTH through the ICRC.
    int transportLength(int handle) {
        int payload = payloadLength(handle);
        return headersLength(handle) + payload + (-payload & 3) + 4;
    }

    /// Marks a packet if it is ECN-capable; returns whether it is.
    boolean mark(int handle) {
        if (ecn(handle) != ECN_CAPABLE) {
            return false;
        }
        words[(handle << SHIFT) + CONTENT] |= ECN_MASK << ECN;
        return true;
    }

    int ecn(int handle) {
        return (content(handle) >> ECN) & ECN_MASK;
    }

    /// Whether the payload has bytes, which a phantom's has not.
    boolean hasBytes(int handle) {
        return (content(handle) & HAS_BYTES) != 0;
    }

    /// The payload's bytes; there must be some.
    MemorySegment payload(int handle) {
        MemorySegment known = payloads[handle];
        if (known == null) {
            throw new AssertionError("a packet that has bytes has them somewhere");
        }
        return known;
    }

    /// How it goes; the sender's, and only to be read.
    Route route(int handle) {
        Route known = routes[handle];
        if (known == null) {
            throw new AssertionError("a packet that travels has a route");
        }
        return known;
    }

    /// Number of packets in use.
    int out() {
        return made() - freeCount;
    }

    int made() {
        return Math.max(0, (slabs.length << SLAB_SHIFT) - 1);
    }
}
