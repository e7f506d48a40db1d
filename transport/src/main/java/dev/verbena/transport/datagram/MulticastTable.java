package dev.verbena.transport.datagram;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.common.Counters;
import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.spi.AddressRules;
import dev.verbena.verbs.spi.DatagramRules;
import dev.verbena.wire.Deth;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which queue pairs of a device take datagrams to which multicast group (IBA 10.5.2).
public final class MulticastTable {
    private static final int FIRST_BUCKETS = 4;

    private final DeviceSettings settings;
    private final Counters counters;
    private @Nullable Group[] buckets = new Group[FIRST_BUCKETS];
    private int groups;

    public MulticastTable(DeviceSettings settings, Counters counters) {
        this.settings = settings;
        this.counters = counters;
    }

    public void attach(QueuePairCore pair, Gid gid, int lid) {
        DatagramRules.requireGroups(pair, pair.type());
        Group group = find(gid.high(), gid.low());
        if (group == null) {
            group = add(gid, lid);
        } else if (group.lid != lid) {
            throw new InvalidRequestException(
                    pair.toString(),
                    "group %s has lid 0x%x, not 0x%x".formatted(gid, group.lid, lid),
                    "use the lid that the subnet manager gave the group");
        }
        if (group.members.contains(pair)) {
            throw DatagramRules.attached(pair, gid);
        }
        int most = settings.limits.multicastAttachments();
        if (group.members.size() == most) {
            throw new LimitExceededException(
                    settings.name,
                    "group " + gid + " has " + most + " queue pairs already",
                    "detach some");
        }
        group.members.add(pair);
    }

    public void detach(QueuePairCore pair, Gid gid, int lid) {
        Group group = find(gid.high(), gid.low());
        if (group == null || group.lid != lid || !group.members.remove(pair)) {
            throw DatagramRules.notAttached(pair, gid, lid);
        }
        removeIfEmpty(group);
    }

    /// Takes a queue pair out of every group.
    public void detachAll(QueuePairCore pair) {
        List<Group> left = new ArrayList<>();
        for (Group first : buckets) {
            for (Group group = first; group != null; group = group.next) {
                if (group.members.remove(pair)) {
                    left.add(group);
                }
            }
        }
        left.forEach(this::removeIfEmpty);
    }

    /// Gives every member its copy; the sender does not get its own.
    public void deliver(long nowNs, InboundPacket packet) {
        Group group = find(packet.destinationHigh(), packet.destinationLow());
        if (group == null) {
            counters.add(Counter.DROPPED_GROUP);
            return;
        }
        int sender = ownSender(packet);
        for (int i = 0; i < group.members.size(); i++) {
            QueuePairCore member = group.members.get(i);
            if (member.number() != sender) {
                member.handle(nowNs, packet);
            }
        }
    }

    /// Which of our queue pairs sent it, or none of them.
    private int ownSender(InboundPacket packet) {
        PacketView view = packet.view();
        if (packet.verdict() != Verdict.OK || !view.has(ExtendedHeader.DETH)) {
            return -1;
        }
        for (int i = 0; i < settings.port.now().gids().size(); i++) {
            Gid ours = settings.port.now().gid(i);
            if (ours.low() == packet.sourceLow() && ours.high() == packet.sourceHigh()) {
                return Deth.sourceQp(view.segment(), view.at(ExtendedHeader.DETH));
            }
        }
        return -1;
    }

    private Group add(Gid gid, int lid) {
        AddressRules.requireGroup(settings.name, gid);
        int most = settings.limits.multicastGroups();
        if (groups == most) {
            throw new LimitExceededException(
                    settings.name,
                    "its queue pairs are attached to " + most + " groups already",
                    "detach from some");
        }
        if (groups == buckets.length) {
            grow();
        }
        // First: a carrier that cannot join says so by throwing.
        settings.driver.joined(gid);
        Group group = new Group(gid, lid);
        put(group);
        groups++;
        return group;
    }

    private void removeIfEmpty(Group group) {
        if (!group.members.isEmpty()) {
            return;
        }
        int at = bucket(group.gid.high(), group.gid.low());
        Group before = null;
        for (Group here = buckets[at]; here != group && here != null; here = here.next) {
            before = here;
        }
        if (before == null) {
            buckets[at] = group.next;
        } else {
            before.next = group.next;
        }
        groups--;
        settings.driver.left(group.gid);
    }

    private void grow() {
        @Nullable Group[] old = buckets;
        buckets = new Group[old.length * 2];
        for (Group first : old) {
            Group group = first;
            while (group != null) {
                Group next = group.next;
                put(group);
                group = next;
            }
        }
    }

    private void put(Group group) {
        int at = bucket(group.gid.high(), group.gid.low());
        group.next = buckets[at];
        buckets[at] = group;
    }

    private @Nullable Group find(long high, long low) {
        Group group = buckets[bucket(high, low)];
        while (group != null && (group.gid.low() != low || group.gid.high() != high)) {
            group = group.next;
        }
        return group;
    }

    private int bucket(long high, long low) {
        long mixed = (high * 31 + low) * 0x9E37_79B9_7F4A_7C15L;
        return (int) (mixed >>> 40) & (buckets.length - 1);
    }

    private static final class Group {
        private final Gid gid;
        private final int lid;
        private final List<QueuePairCore> members = new ArrayList<>(1);
        private @Nullable Group next;

        Group(Gid gid, int lid) {
            this.gid = gid;
            this.lid = lid;
        }
    }
}
