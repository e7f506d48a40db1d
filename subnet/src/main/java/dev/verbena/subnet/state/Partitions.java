package dev.verbena.subnet.state;

import dev.verbena.wire.Gid;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The partitions in force.
///
/// @param text the file that they were read from; empty: there is none, and the manager leaves
///   partition tables alone
public record Partitions(String text, List<Partition> all) {
    public static final Partitions NONE = new Partitions("", List.of());

    /// The partition that every port is in, as management needs it.
    public static final int DEFAULT_KEY = 0x7FFF;

    /// RFC 4391 4: the group of all IP hosts of a partition.
    private static final long BROADCAST_HIGH = 0xFF10_401B_0000_0000L;

    private static final long BROADCAST_LOW = 0xFFFF_FFFFL;
    private static final int SCOPE = 48;
    private static final int FULL_BIT = 0x8000;

    /// Reads a file in the format of OpenSM's `partitions.conf`.
    ///
    /// @throws IllegalArgumentException for one that is wrong; the message has its line
    public static Partitions parse(String text) {
        return text.isBlank() ? NONE : new Partitions(text, new PartitionFile(text).read());
    }

    public boolean isNone() {
        return all.isEmpty();
    }

    /// The keys that a port is to have, in the order of the file.
    public Set<Integer> keys(Partition.Port port) {
        Set<Integer> keys = new LinkedHashSet<>();
        for (Partition partition : all) {
            keys.addAll(partition.keys(port));
        }
        return keys;
    }

    /// The broadcast groups that the file asks for.
    Map<Gid, GroupTraits> broadcastGroups() {
        Map<Gid, GroupTraits> groups = new LinkedHashMap<>();
        for (Partition partition : all) {
            partition
                    .broadcast()
                    .ifPresent(
                            traits ->
                                    groups.put(broadcast(partition.key(), traits.scope()), traits));
        }
        return groups;
    }

    /// The GID of a partition's broadcast group.
    public static Gid broadcast(int key, int scope) {
        long pkey = key | FULL_BIT;
        long high = BROADCAST_HIGH | (long) scope << SCOPE | (pkey << 16);
        return new Gid(high, BROADCAST_LOW);
    }
}
