package dev.verbena.transport.reliable;

import dev.verbena.transport.pair.QueuePairCore;
import org.jspecify.annotations.Nullable;

/// The share of a reliable queue pair in the device's window: its packets in flight, and the room
/// granted beyond them.
///
/// It is a part of [Requester] and not a separate object, which would cost each of them a header.
abstract class WindowShare {
    final QueuePairCore pair;
    final ReliableService service;
    private int held;

    /// The part of the share that is not in flight yet.
    private int granted;

    /// Used by the device's window: whether it waits for room, and who is next in the line.
    boolean isInLine;

    @Nullable WindowShare nextInLine;

    WindowShare(QueuePairCore pair, ReliableService service) {
        this.pair = pair;
        this.service = service;
    }

    /// What was sent, and what becomes of losses.
    abstract LossRecovery recovery();

    /// Sequence numbers that the next packet takes; 0 when there is none to be sent for now.
    abstract int needed();

    /// Sequence numbers that the request which is being sent can still use.
    abstract int useful();

    /// Whether there is room for the next packet; it stands in line when there is none.
    final boolean hasRoom() {
        DeviceWindow window = service.window;
        int needed = needed();
        if (!window.isLimited() || granted >= needed) {
            return true;
        }
        giveUpRoom();
        window.serve();
        if (granted >= needed) {
            return true;
        }
        granted = window.take(required(), wanted());
        held += granted;
        if (granted == 0) {
            window.line(this, recovery().isUnasked());
            // Before a queue pair that needs more room than there is, this one may take the
            // remaining room: if it is the only one in flight, nothing else would ever free the
            // room.
            window.serve();
        }
        return granted > 0;
    }

    /// The room that it waits for: a burst, so that a full window is not granted in very small
    /// parts; but a queue pair that must still request an acknowledgement takes any room.
    final int required() {
        return recovery().isUnasked() ? needed() : wanted();
    }

    /// Room that is of use: a burst of the message that is being sent, or a READ with its answers.
    final int wanted() {
        int packets = service.settings.burstBytes >> pair.settings().mtuShift();
        int burst = Math.clamp(packets, 1, service.window.burstMax());
        return Math.max(needed(), Math.min(burst, useful()));
    }

    /// Has room from now on, and uses it or gives it back when its turn comes.
    final void admit(int packets) {
        held += packets;
        granted = packets;
        pair.wake();
    }

    /// Whether a packet of so many sequence numbers is the last for now, and must ask.
    final boolean isLastRoom(int packets) {
        return granted <= packets && service.window.isTight();
    }

    /// So many sequence numbers are in flight from now on.
    final void useRoom(int packets) {
        granted = Math.max(0, granted - packets);
    }

    /// Returns the room that is not in flight.
    final void giveUpRoom() {
        granted = 0;
        settleRoom();
    }

    /// Returns the room that is no longer in flight, or will not be used.
    final void settleRoom() {
        if (!service.window.isLimited()) {
            return;
        }
        if (needed() == 0) {
            granted = 0;
        }
        int used = pair.sendsRequests() ? recovery().outstanding() + granted : 0;
        int over = held - used;
        held = used;
        if (over > 0) {
            service.window.give(over);
        }
        assert over >= 0 : "nothing is sent without room for it";
    }
}
