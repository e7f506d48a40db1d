package dev.verbena.transport.reliable;

import org.jspecify.annotations.Nullable;

/// The sequence numbers that all reliable queue pairs of a device have in flight together, and the
/// queue pairs that wait for room.
///
/// A queue pair that finds no room enters a waiting line and gets room in turn, for a burst of
/// packets at a time, or for one READ with all its responses. Granted room counts at once, so that
/// no other queue pair can take it before it is used. The order of the line is kept, with one
/// exception: a queue pair with packets in flight that did not request an acknowledgement goes to
/// the front, because otherwise no acknowledgement would ever arrive. While there is a line, or no
/// more room, the last packet of a grant requests an acknowledgement; so the packet that fills the
/// window always does.
public final class DeviceWindow {
    private final int limit;
    private int inFlight;
    private @Nullable WindowShare first;
    private @Nullable WindowShare last;

    DeviceWindow(int limit) {
        this.limit = limit;
    }

    public boolean isLimited() {
        return limit != Integer.MAX_VALUE;
    }

    /// The number of packets that are in flight or granted; not counted without a limit.
    public int inFlight() {
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
    void line(WindowShare share, boolean isInFront) {
        if (share.isInLine) {
            return;
        }
        share.isInLine = true;
        if (isInFront) {
            waitInFront(share);
        } else {
            waitAtEnd(share);
        }
    }

    private void waitAtEnd(WindowShare share) {
        if (last == null) {
            first = share;
        } else {
            last.nextInLine = share;
        }
        last = share;
    }

    private void waitInFront(WindowShare share) {
        share.nextInLine = first;
        first = share;
        if (last == null) {
            last = share;
        }
    }

    /// A request that is larger than the window goes alone.
    private boolean fits(int packets) {
        return inFlight == 0 || packets <= limit - inFlight;
    }

    /// Grants room in the order of the line, as far as there is any. A queue pair that no longer
    /// needs room is skipped: it was reset, failed, or waits for another event.
    void serve() {
        WindowShare share = first;
        while (share != null) {
            int required = share.required();
            if (!fits(required)) {
                return;
            }
            first = share.nextInLine;
            if (first == null) {
                last = null;
            }
            share.nextInLine = null;
            share.isInLine = false;
            if (required > 0) {
                int packets = share(required, share.wanted());
                inFlight += packets;
                share.admit(packets);
            }
            share = first;
        }
    }
}
