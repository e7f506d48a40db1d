package dev.verbena.ibverbs;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.spi.AddressRules;
import dev.verbena.verbs.spi.DatagramRules;
import java.lang.foreign.Arena;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The groups that a queue pair takes datagrams of.
final class MulticastGroups {
    private record Membership(Gid group, int lid) {}

    private final IbvQueuePair pair;
    private final long structure;
    private final Set<Membership> members = new LinkedHashSet<>();

    MulticastGroups(IbvQueuePair pair, long structure) {
        this.pair = pair;
        this.structure = structure;
    }

    void attach(Gid group, int lid) {
        DatagramRules.requireGroups(pair, pair.type());
        AddressRules.requireGroup(pair, group);
        Membership membership = new Membership(group, lid);
        if (members.contains(membership)) {
            throw DatagramRules.attached(pair, group);
        }
        int reason = call(membership, true);
        if (reason != 0) {
            throw Errno.refusal(pair.toString(), "group " + group, reason);
        }
        members.add(membership);
    }

    void detach(Gid group, int lid) {
        Membership membership = new Membership(group, lid);
        if (!members.remove(membership)) {
            throw DatagramRules.notAttached(pair, group, lid);
        }
        int reason = call(membership, false);
        if (reason != 0) {
            throw Errno.refusal(pair.toString(), "to leave group " + group, reason);
        }
    }

    /// A device may refuse to end a queue pair that is in a group.
    void detachAll() {
        for (Membership membership : List.copyOf(members)) {
            call(membership, false);
        }
        members.clear();
    }

    private int call(Membership membership, boolean joins) {
        try (Arena arena = Arena.ofConfined()) {
            long gid = arena.allocate(Gid.LENGTH, Structs.POINTER).address();
            QueuePairCodec.write(gid, membership.group());
            Verbs verbs = pair.context().verbs;
            return joins
                    ? verbs.attach(structure, gid, membership.lid())
                    : verbs.detach(structure, gid, membership.lid());
        }
    }
}
