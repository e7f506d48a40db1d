package dev.verbena.transport;

import org.jspecify.annotations.Nullable;

/// Sequence numbers that all reliable queue pairs of a device have in flight together, and who
/// waits for room.
///
/// Whoever finds no room stands in a line and is given it in turn, one packet at a time, or one
/// READ with all its answers. What is given counts at once, so that nobody else can take it before
/// it is used. No one passes the line; one that has packets in flight without having asked for an
/// acknowledgement stands at its front, because nothing else would ever bring one. While there is a
/// line every packet asks, so that there are few of these, and each goes to the front once.
final class DeviceWindow {
    private final int limit;
    private int inFlight;
    private @Nullable TransportQueuePair first;
    private @Nullable TransportQueuePair last;

    DeviceWindow(int limit) {
        this.limit = limit;
    }

    boolean isLimited() {
        return limit != Integer.MAX_VALUE;
    }

    /// What is in flight or may be sent at once; not counted without a limit.
    int inFlight() {
        return inFlight;
    }

    /// Whether the packet that has just been given room is the last one for now.
    boolean isTight() {
        return first != null || inFlight >= limit;
    }

    /// Takes room now, without standing in the line.
    boolean take(int packets) {
        if (first != null || !fits(packets)) {
            return false;
        }
        inFlight += packets;
        return true;
    }

    /// Gives room back.
    void give(int packets) {
        inFlight -= packets;
        assert inFlight >= 0 : "given back as often as taken";
        serve();
    }

    void waitAtEnd(TransportQueuePair pair) {
        if (pair.isInLine) {
            return;
        }
        pair.isInLine = true;
        if (last == null) {
            first = pair;
        } else {
            last.nextInLine = pair;
        }
        last = pair;
    }

    void waitInFront(TransportQueuePair pair) {
        if (pair.isInLine) {
            return;
        }
        pair.isInLine = true;
        pair.nextInLine = first;
        first = pair;
        if (last == null) {
            last = pair;
        }
    }

    /// What does not fit at all goes alone.
    private boolean fits(int packets) {
        return inFlight == 0 || packets <= limit - inFlight;
    }

    /// Gives room to those who came first, as far as there is any. One that does not want it any
    /// more is passed over: it was reset, failed, or waits for something else.
    void serve() {
        TransportQueuePair pair = first;
        while (pair != null) {
            int packets = pair.requester().wanted();
            if (!fits(packets)) {
                return;
            }
            first = pair.nextInLine;
            if (first == null) {
                last = null;
            }
            pair.nextInLine = null;
            pair.isInLine = false;
            if (packets > 0) {
                inFlight += packets;
                pair.requester().admit(packets);
            }
            pair = first;
        }
    }
}
