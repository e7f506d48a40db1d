package dev.verbena.fabric;

import dev.verbena.transport.carrier.Path;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.spi.NetworkReduction.Answer;
import dev.verbena.verbs.spi.NetworkReduction.Costs;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The groups that the switches of a fabric reduce for, as its manager knows them: it gives a group
/// its tree and its share of the switches' memory, or refuses it, once for all members.
final class Reductions {
    /// The destination of all packets of reductions; switches forward them by their tree.
    static final int DESTINATION = Tag.DESTINATIONS_MAX - 1;

    /// Refusals that are remembered until every member has asked.
    private static final int REFUSED_MAX = 1 << 10;

    private static final int HOPS = 64;
    private static final int FIRST_LID = 0xC000;
    private static final int FIRST_ADDRESS = 0xEFFF_0000;
    private static final double PS = 1e12;

    private final Fabric fabric;
    private final Topology topology;
    private final ReductionSettings settings;
    private final Map<Long, ReductionGroup> groups = new LinkedHashMap<>();
    private final Map<Long, Refusal> refusals = new LinkedHashMap<>();
    private int made;

    private static final class Refusal {
        final String why;
        int left;

        Refusal(String why, int members) {
            this.why = why;
            left = members;
        }
    }

    Reductions(Fabric fabric) {
        this.fabric = fabric;
        topology = fabric.topology();
        settings = fabric.settings().reduction();
    }

    /// How packets of a group leave a host.
    static Route route(Nic from, ReductionGroup group) {
        int low = group.number & 0x1FFF;
        boolean isInfiniBand = from.layer() == LinkLayer.INFINIBAND;
        Gid gid = isInfiniBand ? Gid.NONE : Gid.ofIpv4(FIRST_ADDRESS | low);
        int lid = isInfiniBand ? FIRST_LID | low : 0;
        Address address = new Address(lid, gid, 0, 0, 0, HOPS, 0, Address.ROCE_PORT);
        Path path =
                isInfiniBand
                        ? new Path.InfiniBand(0, address, Gid.NONE)
                        : new Path.Roce(0, address, from.gid(), 0);
        return new Route(path, from, group);
    }

    Answer join(NicReductions at, long number, int index, List<Address> members) {
        if (index < 0 || index >= members.size()) {
            throw new InvalidRequestException(
                    at.toString(),
                    "member %d of a group of %d".formatted(index, members.size()),
                    "use its place in the list of members, from 0 on");
        }
        Refusal refusal = refusals.get(number);
        ReductionGroup group = groups.get(number);
        if (refusal == null && group == null) {
            refusal = make(number, members);
            group = groups.get(number);
        }
        if (refusal != null) {
            if (--refusal.left <= 0) {
                refusals.remove(number);
            }
            return Answer.refused(refusal.why);
        }
        if (group == null || group.hosts.length != members.size() || group.has(index)) {
            throw new InvalidRequestException(
                    at.toString(),
                    "group %d has another member %d already, or another size"
                            .formatted(number, index),
                    "let all members give the same number and list");
        }
        if (group.hosts[index] != at.nic().number()) {
            throw new InvalidRequestException(
                    at.toString(),
                    "member %d of group %d is %s"
                            .formatted(index, number, topology.hostName(group.hosts[index])),
                    "use the device's own place in the list of members");
        }
        return Answer.of(at.add(group, index));
    }

    /// Makes a group; returns why not, or null.
    private @Nullable Refusal make(long number, List<Address> members) {
        int[] hosts = new int[members.size()];
        String why = find(members, hosts);
        if (!why.isEmpty()) {
            return refuse(number, why, hosts.length);
        }
        ReductionTree tree = new ReductionTree(topology, made, hosts);
        if (!tree.isComplete()) {
            return refuse(number, "no cables join all members", hosts.length);
        }
        long slots = 2L * settings.window();
        for (ReductionTree.Place place : tree.places()) {
            Reducer reducer = reducer(place);
            long bytes = slotBytes(place);
            slots = Math.min(slots, reducer.freeBytes() / bytes);
            String limit = reducer.refusal();
            if (limit.isEmpty() && slots < 2) {
                limit =
                        ("%s has %,d bytes of buffer left, and packets of %,d children need at "
                                        + "least %,d")
                                .formatted(
                                        fabric.node(topology.hosts() + place.at()),
                                        reducer.freeBytes(),
                                        place.children().length,
                                        2 * bytes);
            }
            if (!limit.isEmpty()) {
                return refuse(number, limit, hosts.length);
            }
        }
        int window = (int) (slots / 2);
        ReductionGroup group =
                new ReductionGroup(
                        made++,
                        hosts,
                        tree,
                        window,
                        costs(tree, window),
                        timeoutPs(tree, window),
                        fabric.nic(hosts[0]));
        for (ReductionTree.Place place : tree.places()) {
            long bytes = slotBytes(place) * 2 * window;
            group.reserve(place.at(), reducer(place).reserve(place, 2 * window, bytes));
        }
        groups.put(number, group);
        return null;
    }

    private Refusal refuse(long number, String why, int members) {
        if (refusals.size() == REFUSED_MAX) {
            refusals.remove(refusals.keySet().iterator().next());
        }
        Refusal refusal = new Refusal(why, members);
        refusals.put(number, refusal);
        return refusal;
    }

    /// The hosts at some addresses; returns what is wrong with them, or nothing.
    private String find(List<Address> members, int[] hosts) {
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < hosts.length; i++) {
            Address address = members.get(i);
            boolean isGroup = address.gid().isMulticast();
            int host = isGroup ? Route.NOWHERE : fabric.destination(address);
            if (host >= 0 && fabric.settings().layer() == LinkLayer.INFINIBAND) {
                host = host <= topology.hosts() ? host - 1 : Route.NOWHERE;
            }
            if (host < 0) {
                return "member %d is at no host of this fabric".formatted(i);
            }
            if (topology.isInner(host)) {
                return "member %d is within a host, where no switch reduces".formatted(i);
            }
            if (!seen.add(host)) {
                return "two members are at %s, and a group takes one for each NIC"
                        .formatted(topology.hostName(host));
            }
            hosts[i] = host;
        }
        return "";
    }

    /// All members have left.
    void end(ReductionGroup group) {
        groups.values().remove(group);
        for (ReductionTree.Place place : group.tree.places()) {
            ReducerSlots slots = group.slots(place.at());
            if (slots != null) {
                reducer(place).release(slots, slotBytes(place) * slots.count);
                group.release(place.at());
            }
        }
    }

    private Reducer reducer(ReductionTree.Place place) {
        Reducer known = fabric.node(topology.hosts() + place.at()).reducer();
        if (known == null) {
            throw new AssertionError("every switch of a fabric that reduces has a reducer");
        }
        return known;
    }

    /// A part of each child waits in a place; the result takes that of the first one.
    private long slotBytes(ReductionTree.Place place) {
        return (long) place.children().length * fabric.settings().mtu();
    }

    // ---- times

    /// Time of a packet on a link, with that many bytes of payload.
    private long linkPs(int payload) {
        int transport = ReductionHeader.LENGTH + payload + (-payload & 3) + Integer.BYTES;
        FabricSettings all = fabric.settings();
        return all.cable().rate().ps(all.framing().wireBytes(transport, payload, false));
    }

    /// From a packet's begin at a host until the result is back.
    private long roundPs(ReductionTree tree, int payload) {
        FabricSettings all = fabric.settings();
        int links = 2 * tree.height();
        return links * (linkPs(payload) + all.cable().delayPs())
                + (links - 1) * all.switchLatencyPs()
                + tree.height() * settings.aluPs((long) payload * tree.childrenMax())
                + all.nic().receivePs();
    }

    private Costs costs(ReductionTree tree, int window) {
        int mtu = fabric.settings().mtu();
        long packetPs = packetPs(tree, window);
        long latencyPs = roundPs(tree, 0) + fabric.settings().nic().sendPs();
        return new Costs((double) latencyPs / Clock.PS_PER_NS, mtu * PS / packetPs);
    }

    /// Time from one packet of a long vector to the next.
    private long packetPs(ReductionTree tree, int window) {
        int mtu = fabric.settings().mtu();
        long aluPs = settings.aluPs((long) mtu * tree.childrenMax());
        long gapPs = fabric.settings().nic().packetGapPs();
        long busyPs = Math.max(Math.max(linkPs(mtu), gapPs), aluPs);
        return Math.max(busyPs, roundPs(tree, mtu) / window);
    }

    /// On slow links a whole window takes long without any loss.
    private long timeoutPs(ReductionTree tree, int window) {
        int mtu = fabric.settings().mtu();
        long usualPs = roundPs(tree, mtu) + window * packetPs(tree, window);
        return Math.max(settings.timeoutPs(), 2 * usualPs);
    }
}
