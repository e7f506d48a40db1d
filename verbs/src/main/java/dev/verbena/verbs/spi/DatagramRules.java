package dev.verbena.verbs.spi;

import static dev.verbena.verbs.spi.WorkRules.refused;

import dev.verbena.verbs.DatagramHeader;
import dev.verbena.verbs.Gid;
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

    /// Checks that a queue pair can be in multicast groups.
    public static void requireGroups(Object who, QueuePairType type) {
        if (type != QueuePairType.UD) {
            throw new InvalidRequestException(
                    who.toString(),
                    "only datagrams go to groups, and it is of type " + type,
                    "attach a queue pair of type UD");
        }
    }

    /// The queue pair is in the group.
    public static InvalidRequestException attached(Object who, Gid group) {
        return new InvalidRequestException(
                who.toString(), "it is attached to " + group + " already", "attach it once");
    }

    /// The queue pair is not in the group.
    ///
    /// @param lid by which InfiniBand finds the group; 0 on Ethernet
    public static InvalidRequestException notAttached(Object who, Gid group, int lid) {
        String at = lid == 0 ? "" : " with lid 0x%x".formatted(lid);
        return new InvalidRequestException(
                who.toString(),
                "it is not attached to " + group + at,
                "detach it from groups that it is in");
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
