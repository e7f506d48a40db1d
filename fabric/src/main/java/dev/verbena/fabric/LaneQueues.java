package dev.verbena.fabric;

import org.jspecify.annotations.Nullable;

/// Packets that wait at a port, by priority or virtual lane; a lane that is not used takes no
/// memory.
final class LaneQueues {
    private final @Nullable TimedRing[] lanes;
    private final int[] bytes;
    private int waiting;

    LaneQueues(int lanes) {
        this.lanes = new TimedRing[lanes];
        bytes = new int[lanes];
    }

    /// A bit for each lane in which something waits.
    int waiting() {
        return waiting;
    }

    /// Of link time that waits in a lane.
    int bytes(int lane) {
        return bytes[lane];
    }

    private TimedRing ring(int lane) {
        TimedRing ring = lanes[lane];
        if (ring == null) {
            throw new AssertionError("nothing ever waited in lane " + lane);
        }
        return ring;
    }

    /// Bytes of link time of the first in a lane.
    int firstBytes(int lane) {
        return Tag.wireBytes(ring(lane).tag());
    }

    void add(int lane, int handle, long tag) {
        TimedRing ring = lanes[lane];
        if (ring == null) {
            ring = new TimedRing();
            lanes[lane] = ring;
        }
        ring.add(handle, tag, 0);
        waiting |= 1 << lane;
        bytes[lane] += Tag.wireBytes(tag);
    }

    long firstTag(int lane) {
        return ring(lane).tag();
    }

    int firstHandle(int lane) {
        return ring(lane).handle();
    }

    void drop(int lane) {
        TimedRing ring = ring(lane);
        bytes[lane] -= Tag.wireBytes(ring.tag());
        ring.drop();
        if (ring.isEmpty()) {
            waiting &= ~(1 << lane);
        }
    }
}
