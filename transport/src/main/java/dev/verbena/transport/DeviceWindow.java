package dev.verbena.transport;

import org.jspecify.annotations.Nullable;

/// Sequence numbers that all reliable queue pairs of a device have in flight together, and who
/// waits for room.
///
/// Whoever finds no room stands in a line and is given it in turn, a burst of packets at a time, or
/// one READ with all its answers. What is given counts at once, so that nobody else can take it
/// before it is used. No one passes the line; one that has packets in flight without having asked
/// for an acknowledgement stands at its front, because nothing else would ever bring one. While
/// there is a line, or no more room, the last packet of what was given asks: so the packet that
/// fills the window always has.
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

    /// Takes room now, without standing in the line: as much as is wanted, or as there is, but not
    /// less than required; returns how much, or 0.
    int take(int required, int wanted) {
        if (first != null || !fits(required)) {
            return 0;
        }
        int packets = share(required, wanted);
        inFlight += packets;
        return packets;
    }

    private int share(int required, int wanted) {
        return Math.max(required, Math.min(wanted, limit - inFlight));
    }

    /// The most that one burst may have of it: there is always room for two.
    int burstMax() {
        return Math.max(1, limit / 2);
    }

    /// Gives room back.
    void give(int packets) {
        inFlight -= packets;
        assert inFlight >= 0 : "given back as often as taken";
        serve();
    }

    /// Puts it into the line, in front or at the end.
    void line(TransportQueuePair pair, boolean isInFront) {
        if (pair.isInLine) {
            return;
        }
        pair.isInLine = true;
        if (isInFront) {
            waitInFront(pair);
        } else {
            waitAtEnd(pair);
        }
    }

    private void waitAtEnd(TransportQueuePair pair) {
        if (last == null) {
            first = pair;
        } else {
            last.nextInLine = pair;
        }
        last = pair;
    }

    private void waitInFront(TransportQueuePair pair) {
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
            int required = pair.requester().required();
            if (!fits(required)) {
                return;
            }
            first = pair.nextInLine;
            if (first == null) {
                last = null;
            }
            pair.nextInLine = null;
            pair.isInLine = false;
            if (required > 0) {
                int packets = share(required, pair.requester().wanted());
                inFlight += packets;
                pair.requester().admit(packets);
            }
            pair = first;
        }
    }
}
