package dev.verbena.verbs.spi;

import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairAttribute;
import dev.verbena.verbs.QueuePairAttributes;

/// Rules for attributes of a queue pair that depend on the device, which the table of transitions
/// cannot check. `who` is the queue pair, for the message.
public final class AttributeRules {
    private static final int PARTITION = 0x7FFF;
    private static final int FULL_MEMBER = 0x8000;

    static final String NO_PEER = "datagrams have no peer to connect to";

    /// What a port has, asked for only when an attribute depends on it: a provider may have to
    /// query the device.
    public interface PortLimits {
        /// Entries of the partition table.
        int partitionKeys();

        /// The MTU in force.
        int activeMtu();

        /// Entries of the GID table.
        int gidCount();
    }

    private AttributeRules() {}

    /// Checks attributes against the port and the limits of the device.
    public static void check(
            Object who, QueuePairAttributes values, PortLimits port, DeviceLimits limits) {
        checkPort(who, values, port);
        if (values.has(QueuePairAttribute.ADDRESS)) {
            requireOnePeer(who, values.address().gid());
        }
        if (values.has(QueuePairAttribute.QUEUE_KEY)) {
            requireQueueKey(who, values.queueKey());
        }
        checkReads(who, values, limits);
    }

    private static void checkPort(Object who, QueuePairAttributes values, PortLimits port) {
        if (values.has(QueuePairAttribute.PORT)) {
            most(who, "port", values.port(), 1);
        }
        if (values.has(QueuePairAttribute.PARTITION_INDEX)) {
            most(who, "partition index", values.partitionIndex(), port.partitionKeys() - 1);
        }
        if (values.has(QueuePairAttribute.PATH_MTU)) {
            most(who, "path mtu", values.pathMtu(), port.activeMtu());
        }
        if (values.has(QueuePairAttribute.ADDRESS)) {
            most(who, "source gid index", values.address().sourceGid(), port.gidCount() - 1);
        }
    }

    private static void requireOnePeer(Object who, Gid gid) {
        if (gid.isMulticast()) {
            throw new InvalidRequestException(
                    who.toString(),
                    gid + " is a multicast group",
                    "a connection has one peer; send datagrams to groups");
        }
    }

    /// IBA 10.2.5: for a sender, a key with the highest bit means its own key, so no sender could
    /// send this one.
    private static void requireQueueKey(Object who, int key) {
        if (key < 0) {
            throw new InvalidRequestException(
                    who.toString(),
                    "queue key 0x%08x has the highest bit set".formatted(key),
                    "use one below 0x80000000: to senders that bit means their own key");
        }
    }

    private static void checkReads(Object who, QueuePairAttributes values, DeviceLimits limits) {
        if (values.has(QueuePairAttribute.READS_AS_INITIATOR)) {
            int limit = limits.readsAsInitiator();
            most(who, "reads as initiator", values.readsAsInitiator(), limit);
        }
        if (values.has(QueuePairAttribute.READS_AS_RESPONDER)) {
            int limit = limits.readsAsResponder();
            most(who, "reads as responder", values.readsAsResponder(), limit);
        }
    }

    private static void most(Object who, String what, int value, int limit) {
        if (value > limit) {
            throw new InvalidRequestException(
                    who.toString(), what + " " + value + " is too large", "the most is " + limit);
        }
    }

    /// Refuses a peer of another type, whose packets would have no reply.
    public static void requireSameType(QueuePair pair, Endpoint peer) {
        if (peer.type() != pair.type()) {
            throw new InvalidRequestException(
                    pair.toString(),
                    "it is of type %s and the peer's of type %s"
                            .formatted(pair.type(), peer.type()),
                    "make both of the same type");
        }
    }

    /// Refuses a peer of another partition. IBA 10.9.3: its packets would be dropped without an
    /// answer, unless both keys have the same partition, which is not the invalid zero, and one of
    /// them is a full member's.
    ///
    /// @param partitionKey of the queue pair
    public static void requireSamePartition(QueuePair pair, int partitionKey, Endpoint peer) {
        int theirs = peer.partitionKey();
        boolean isSame =
                (partitionKey & PARTITION) != 0
                        && (partitionKey & PARTITION) == (theirs & PARTITION)
                        && ((partitionKey | theirs) & FULL_MEMBER) != 0;
        if (!isSame) {
            throw new InvalidRequestException(
                    pair.toString(),
                    "partition key 0x%04x does not match the peer's 0x%04x"
                            .formatted(partitionKey, theirs),
                    "choose a partition that both are in, one of them as a full member, with"
                            + " QueuePairOptions.partitionIndex");
        }
    }
}
