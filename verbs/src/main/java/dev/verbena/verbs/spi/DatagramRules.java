package dev.verbena.verbs.spi;

import static dev.verbena.verbs.spi.WorkRules.refused;

import dev.verbena.verbs.DatagramHeader;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;

/// Rules for datagrams: where they go, and the room that they need. As in [WorkRules], `who` is the
/// owner of the queue.
public final class DatagramRules {
    private DatagramRules() {}

    /// Only a datagram has a destination of its own.
    public static void requireDatagram(Object who, WorkKind kind, QueuePairType type) {
        if (type != QueuePairType.UD) {
            throw refused(who, kind, "it goes to the queue pair's peer", "leave to() out");
        }
    }

    /// Checks the destination of a datagram.
    ///
    /// @param number of the queue pair that it goes to
    /// @param isAddressed whether it has a destination already
    public static void requireDestination(
            Object who, WorkKind kind, int number, boolean isAddressed) {
        if (number < 0 || number > QueuePair.MULTICAST_NUMBER) {
            throw refused(who, kind, "no queue pair " + number, "a number has 24 bits");
        }
        if (isAddressed) {
            throw refused(who, kind, "it already has a destination", "call to() once");
        }
    }

    /// A datagram is complete and goes nowhere.
    public static InvalidRequestException noDestination(Object who, WorkKind kind) {
        return refused(who, kind, "a datagram without a destination", "name it with to()");
    }

    /// Checks the bytes of a receive request for datagrams: into fewer than the header no datagram
    /// would ever fit, and later ones would wait for ever.
    public static void requireHeaderRoom(Object who, long bytes) {
        if (bytes < DatagramHeader.LENGTH) {
            throw refused(
                    who,
                    WorkKind.RECEIVE,
                    bytes + " bytes for a datagram",
                    "its header alone takes " + DatagramHeader.LENGTH);
        }
    }
}
