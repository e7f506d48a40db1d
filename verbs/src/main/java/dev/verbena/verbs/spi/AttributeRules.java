package dev.verbena.verbs.spi;

import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairAttribute;
import dev.verbena.verbs.QueuePairAttributes;

/// Rules for attributes of a queue pair that depend on the device, which the table of transitions
/// cannot check. `who` is the queue pair, for the message.
public final class AttributeRules {
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

    /// Checks attributes against the port.
    public static void checkPort(Object who, QueuePairAttributes values, PortLimits limits) {
        if (values.has(QueuePairAttribute.PORT)) {
            most(who, "port", values.port(), 1);
        }
        if (values.has(QueuePairAttribute.PARTITION_INDEX)) {
            most(who, "partition index", values.partitionIndex(), limits.partitionKeys() - 1);
        }
        if (values.has(QueuePairAttribute.PATH_MTU)) {
            most(who, "path mtu", values.pathMtu(), limits.activeMtu());
        }
        if (values.has(QueuePairAttribute.ADDRESS)) {
            most(who, "source gid index", values.address().sourceGid(), limits.gidCount() - 1);
        }
    }

    /// Checks the READs and atomics in flight against the device.
    public static void checkReads(Object who, QueuePairAttributes values, DeviceLimits limits) {
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

    /// An address that names a group is no peer.
    ///
    /// @param problem in the words of the provider
    public static InvalidRequestException manyPeers(Object who, String problem) {
        return new InvalidRequestException(
                who.toString(), problem, "a connection has one peer; send datagrams to groups");
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

    /// The peer is in another partition. IBA 10.9.3: its packets would be dropped without an
    /// answer.
    ///
    /// @param partitionKey of the queue pair
    public static InvalidRequestException otherPartition(
            QueuePair pair, int partitionKey, Endpoint peer) {
        return new InvalidRequestException(
                pair.toString(),
                "partition key 0x%04x does not match the peer's 0x%04x"
                        .formatted(partitionKey, peer.partitionKey()),
                "choose a partition that both are in, one of them as a full member, with"
                        + " QueuePairOptions.partitionIndex");
    }
}
