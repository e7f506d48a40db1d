package dev.verbena.fabric;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LimitExceededException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The multicast groups of a fabric: their members, and the ports by which each switch sends
/// copies.
///
/// A group has a [MulticastTree] of its own. A packet enters the tree at the switch of its sender
/// and follows it to all members, so that a cable carries it once and no copy runs in a circle.
///
/// InfiniBand forwards by the group's LID. A subnet manager may give several groups one LID (IBA
/// 10.5.1); here the LID follows from the group's GID, see [#lid], so that programs need not ask.
/// Ethernet switches forward by the IP address of the group, as those do that watch IGMP.
final class Multicast {
    /// IBA 4.1.3: multicast LIDs are 0xC000 to 0xFFFE.
    private static final int FIRST_LID = 0xC000;

    private static final int LIDS = 0x3FFF;
    private static final int GROUPS_MAX = 1 << 14;
    private static final int[] NO_PORTS = {};

    private final Topology topology;
    private final boolean isInfiniBand;

    /// The destination of the first group; hosts have lower ones.
    private final int first;

    /// On Ethernet, where no LID tells the groups apart. A sender may know a group before it has
    /// members, so that no number is given twice.
    private final Map<Gid, Integer> numbers = new HashMap<>();

    private @Nullable MulticastTree[] trees = new MulticastTree[0];

    /// By switch and group, the ports that a subnet manager has written; null where there is none.
    private int @Nullable [][][] written;

    Multicast(Topology topology, boolean isInfiniBand) {
        this.topology = topology;
        this.isInfiniBand = isInfiniBand;
        first = isInfiniBand ? FIRST_LID : topology.hosts();
    }

    /// The LID of a group on an InfiniBand fabric.
    static int lid(Gid group) {
        return FIRST_LID + (int) Long.remainderUnsigned(group.high() * 31 + group.low(), LIDS);
    }

    /// The destination of packets to a group, or [Route#NOWHERE]; see [Route#destination].
    int destination(Address address) {
        if (isInfiniBand) {
            int lid = address.lid();
            return lid > 0 && lid < FIRST_LID + LIDS ? lid : Route.NOWHERE;
        }
        int number = number(address.gid());
        return number < 0 ? Route.NOWHERE : first + number;
    }

    /// The number of a group on Ethernet, or -1 when it cannot have one.
    private int number(Gid group) {
        Integer known = numbers.get(group);
        if (known != null) {
            return known;
        }
        int next = numbers.size();
        if (!group.isIpv4() || next == Math.min(GROUPS_MAX, Reductions.DESTINATION - first)) {
            return -1;
        }
        numbers.put(group, next);
        return next;
    }

    /// Adds a host to a group; `who` is named in errors.
    void join(Object who, Gid group, int host) {
        if (!isInfiniBand && !group.isIpv4()) {
            throw new InvalidRequestException(
                    who.toString(),
                    "group %s has no IPv4 address, and the hosts of this fabric do"
                            .formatted(group),
                    "use a group of 224.0.0.0/4");
        }
        int index = isInfiniBand ? lid(group) - FIRST_LID : number(group);
        if (index < 0) {
            throw new LimitExceededException(
                    who.toString(),
                    "the fabric has %,d groups already".formatted(numbers.size()),
                    "use fewer groups in one run");
        }
        tree(index).join(host);
    }

    void leave(Gid group, int host) {
        int index = isInfiniBand ? lid(group) - FIRST_LID : number(group);
        tree(index).leave(host);
    }

    private MulticastTree tree(int index) {
        if (index >= trees.length) {
            trees = Arrays.copyOf(trees, Math.max(index + 1, trees.length * 2));
        }
        MulticastTree known = trees[index];
        if (known == null) {
            known = new MulticastTree(topology, index);
            trees[index] = known;
        }
        return known;
    }

    /// From now on switches send to groups as a subnet manager writes it, and to no group yet.
    void beginWritten() {
        written = new int[topology.switches()][0][];
    }

    /// Sets the ports by which a switch sends to a group.
    void write(int node, int lid, int[] ports) {
        if (written == null) {
            throw new AssertionError("a manager writes where it manages");
        }
        int index = lid - FIRST_LID;
        int[][] groups = written[node - topology.hosts()];
        int known = groups.length;
        if (index >= known) {
            groups = Arrays.copyOf(groups, Math.max(index + 1, 2 * known));
            Arrays.fill(groups, known, groups.length, NO_PORTS);
            written[node - topology.hosts()] = groups;
        }
        groups[index] = ports;
    }

    /// Whether packets with such a destination are for a group.
    boolean isGroup(int destination) {
        return destination >= first;
    }

    /// The ports of a switch that lead to members of a group.
    int[] ports(int destination, int node) {
        int index = destination - first;
        if (written != null) {
            int[][] groups = written[node - topology.hosts()];
            return index < groups.length ? groups[index] : NO_PORTS;
        }
        MulticastTree tree = index < trees.length ? trees[index] : null;
        return tree == null ? NO_PORTS : tree.ports(node);
    }
}
