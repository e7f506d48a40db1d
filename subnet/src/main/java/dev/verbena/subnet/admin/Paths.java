package dev.verbena.subnet.admin;

import dev.verbena.subnet.state.Group;
import dev.verbena.subnet.state.GroupTraits;
import dev.verbena.subnet.state.SubnetState;
import dev.verbena.wire.Gid;
import dev.verbena.wire.mad.MadField;
import dev.verbena.wire.mad.PathRecord;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.SaStatus;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/// Paths by the routes in force. A path has the least MTU and rate of its links, of both ways.
final class Paths {
    /// A question that names neither end is answered on small subnets only.
    private static final long PAIRS_MAX = 1 << 16;

    static final int LIFE_TIME = 18;
    private static final int HOPS_MAX = 64;

    /// Of paths to other subnets, where the asker has no wish.
    private static final int ROUTERS_MAX = 64;

    private static final int EXACTLY = 2;
    private static final int MULTICAST = 0xFF;

    private static final int DGID = 2;
    private static final int SGID = 3;
    private static final int DLID = 4;
    private static final int SLID = 5;
    private static final int FLOW_LABEL = 8;
    private static final int HOP_LIMIT = 9;
    private static final int TRAFFIC_CLASS = 10;
    private static final int PATHS = 12;
    private static final int PKEY = 13;
    private static final int SL = 15;
    private static final int MTU = 16;
    private static final int RATE = 18;
    private static final int LIFE = 20;

    private final SubnetView view;
    private final SubnetState state;
    private final Keys keys;

    /// Of the path at hand.
    private int mtu;

    private int rate;

    Paths(SubnetView view, SubnetState state, Keys keys) {
        this.view = view;
        this.state = state;
        this.keys = keys;
    }

    /// Finds all paths that a question wants.
    ///
    /// @param isOne whether one of them will do
    /// @return 0 or a status
    int find(Question question, boolean isOne) {
        int[] sources = ends(question, SGID, 24, SLID, PathRecord.SLID);
        if (sources.length == 0) {
            return question.has(SGID) ? SaStatus.INVALID_GID : 0;
        }
        if (question.has(DGID) && question.gid(8).high() >>> 56 == MULTICAST) {
            toGroup(question, sources);
            return 0;
        }
        int router = question.has(DGID) ? view.router(question.gid(8)) : SubnetView.NONE;
        if (router != SubnetView.NONE) {
            throughRouter(question, sources, router, isOne);
            return 0;
        }
        int[] destinations = ends(question, DGID, 8, DLID, PathRecord.DLID);
        if (destinations.length == 0) {
            return question.has(DGID) ? SaStatus.INVALID_GID : 0;
        }
        if (lids(sources) * lids(destinations) > PAIRS_MAX) {
            return SaStatus.TOO_MANY_RECORDS;
        }
        for (int source : sources) {
            for (int destination : destinations) {
                paths(question, source, destination, isOne);
                if (isOne && question.count() > 0) {
                    return 0;
                }
            }
        }
        return 0;
    }

    /// LIDs of some ports; of one port a single one, since it has no more paths than LIDs.
    private long lids(int[] ends) {
        int lids = Arrays.stream(ends).map(view::lids).max().orElse(0);
        return (long) ends.length * (ends.length > 1 ? lids : 1);
    }

    /// The ports that a question may mean by a GID and a LID.
    private int[] ends(Question question, int gidBit, int gidAt, int lidBit, MadField lidField) {
        int vertex = SubnetView.NONE;
        if (question.has(gidBit)) {
            vertex = view.vertexOf(question.gid(gidAt));
        } else if (question.has(lidBit)) {
            vertex = view.vertexAt(lidField.readInt(question.template(), 0));
        } else {
            return IntStream.range(0, view.vertices()).filter(view::isPresent).toArray();
        }
        boolean isKnown = vertex != SubnetView.NONE && view.isPresent(vertex);
        return isKnown ? new int[] {vertex} : new int[0];
    }

    /// Paths to a GID of another subnet: those to the router that leads there, which finds the port
    /// by the GRH. They carry more than one hop, so that hosts add one.
    private void throughRouter(Question question, int[] sources, int router, boolean isOne) {
        boolean mayLeave =
                !question.has(HOP_LIMIT)
                        || PathRecord.HOP_LIMIT.readInt(question.template(), 0) > 1;
        for (int source : sources) {
            if (mayLeave && !(isOne && question.count() > 0)) {
                paths(question, source, router, isOne);
            }
        }
    }

    /// The paths between two ports: one for each LID of the one that has more, with the LIDs of
    /// both in turn, or those that go by the LIDs that are asked for.
    private void paths(Question question, int source, int destination, boolean isOne) {
        int most = Math.max(view.lids(source), view.lids(destination));
        if (question.has(PATHS)) {
            int wished = PathRecord.NUMB_PATH.readInt(question.template(), 0);
            most = Math.min(most, Math.max(1, wished));
        }
        int from = wanted(question, SLID, PathRecord.SLID);
        int to = wanted(question, DLID, PathRecord.DLID);
        if (from != 0 && to != 0) {
            most = Math.min(most, 1);
        }
        for (int i = 0; i < most && !(isOne && question.count() > 0); i++) {
            path(
                    question,
                    source,
                    destination,
                    from != 0 ? from : view.lid(source) + i % view.lids(source),
                    to != 0 ? to : view.lid(destination) + i % view.lids(destination));
        }
    }

    private static int wanted(Question question, int bit, MadField field) {
        return question.has(bit) ? field.readInt(question.template(), 0) : 0;
    }

    private boolean hasLid(int vertex, int lid) {
        return lid >= view.lid(vertex) && lid < view.lid(vertex) + view.lids(vertex);
    }

    private void path(Question question, int source, int destination, int from, int to) {
        mtu = 15;
        rate = 0;
        boolean isWay =
                hasLid(source, from)
                        && hasLid(destination, to)
                        && walk(source, destination, to)
                        && walk(destination, source, from);
        if (!isWay) {
            return;
        }
        int wanted = question.has(PKEY) ? PathRecord.PKEY.readInt(question.template(), 0) : 0;
        int key = keys.common(source, destination, wanted);
        if (key == 0) {
            return;
        }
        int ofRoutes = view.level(source, destination);
        int level = ofRoutes == SubnetView.NONE ? level(key) : ofRoutes;
        MemorySegment record = question.blank();
        gid(question, DGID, 8, view.guid(destination)).emit(record, 8);
        PathRecord.DLID.write(record, 0, to);
        add(question, source, from, record, key, level);
    }

    /// The service level of a partition.
    private int level(int key) {
        return state.partitions().all().stream()
                .filter(it -> it.key() == (key & 0x7FFF))
                .findFirst()
                .flatMap(it -> it.broadcast())
                .map(GroupTraits::serviceLevel)
                .orElse(0);
    }

    private void toGroup(Question question, int[] sources) {
        Optional<Group> found = state.group(question.gid(8));
        if (found.isEmpty()) {
            return;
        }
        GroupTraits traits = found.get().traits();
        for (int source : sources) {
            if (keys.has(source, traits.pkey())) {
                mtu = traits.mtu();
                rate = traits.rate();
                MemorySegment record = question.blank();
                found.get().gid().emit(record, 8);
                PathRecord.DLID.write(record, 0, found.get().lid());
                add(
                        question,
                        source,
                        view.lid(source),
                        record,
                        traits.pkey(),
                        traits.serviceLevel());
            }
        }
    }

    private void add(
            Question question, int source, int lid, MemorySegment record, int key, int level) {
        MemorySegment template = question.template();
        boolean isWanted =
                (!question.has(SL) || PathRecord.SL.readInt(template, 0) == level)
                        && isWanted(question, MTU, PathRecord.MTU_SELECTOR, mtu, PathRecord.MTU)
                        && isRateWanted(question)
                        && isWanted(
                                question,
                                LIFE,
                                PathRecord.PACKET_LIFE_TIME_SELECTOR,
                                LIFE_TIME,
                                PathRecord.PACKET_LIFE_TIME);
        if (!isWanted) {
            return;
        }
        gid(question, SGID, 24, view.guid(source)).emit(record, 24);
        PathRecord.SLID.write(record, 0, lid);
        PathRecord.REVERSIBLE.write(record, 0, 1);
        PathRecord.PKEY.write(record, 0, key);
        PathRecord.SL.write(record, 0, level);
        PathRecord.MTU_SELECTOR.write(record, 0, EXACTLY);
        PathRecord.MTU.write(record, 0, mtu);
        PathRecord.RATE_SELECTOR.write(record, 0, EXACTLY);
        PathRecord.RATE.write(record, 0, rate);
        PathRecord.PACKET_LIFE_TIME_SELECTOR.write(record, 0, EXACTLY);
        PathRecord.PACKET_LIFE_TIME.write(record, 0, LIFE_TIME);
        // These are the asker's to choose.
        echo(question, FLOW_LABEL, PathRecord.FLOW_LABEL, record);
        if (PathRecord.DGID_HIGH.read(record, 0) >>> 56 != MULTICAST && isForeign(record)) {
            PathRecord.HOP_LIMIT.write(record, 0, ROUTERS_MAX);
        }
        echo(question, HOP_LIMIT, PathRecord.HOP_LIMIT, record);
        echo(question, TRAFFIC_CLASS, PathRecord.TRAFFIC_CLASS, record);
        question.add(record);
    }

    /// A GID as it was asked for, or else with the prefix of the subnet.
    private Gid gid(Question question, int bit, int at, long guid) {
        return question.has(bit) ? question.gid(at) : new Gid(view.prefix(), guid);
    }

    private boolean isForeign(MemorySegment record) {
        long prefix = PathRecord.DGID_HIGH.read(record, 0);
        return prefix != view.prefix() && prefix != SubnetView.DEFAULT_PREFIX;
    }

    private static void echo(Question question, int bit, MadField field, MemorySegment record) {
        if (question.has(bit)) {
            field.write(record, 0, field.read(question.template(), 0));
        }
    }

    /// A selector counts where both it and its value are asked for.
    private static boolean isWanted(
            Question question, int bit, MadField selector, int value, MadField wanted) {
        MemorySegment template = question.template();
        return !question.has(bit)
                || !question.has(bit + 1)
                || Rates.isWanted(
                        selector.readInt(template, 0), value, wanted.readInt(template, 0));
    }

    private boolean isRateWanted(Question question) {
        MemorySegment template = question.template();
        return !question.has(RATE)
                || !question.has(RATE + 1)
                || Rates.isWanted(
                        PathRecord.RATE_SELECTOR.readInt(template, 0),
                        Rates.tenths(rate),
                        Rates.tenths(PathRecord.RATE.readInt(template, 0)));
    }

    /// Follows the tables, and takes the least MTU and rate.
    private boolean walk(int from, int to, int lid) {
        int at = from;
        link(view.firstSlot(from));
        for (int hop = 0; hop < HOPS_MAX; hop++) {
            if (at == to) {
                return true;
            }
            boolean mayPass = at == from || view.isSwitch(at);
            int slot = mayPass ? view.next(at, lid) : SubnetView.NONE;
            int peer = slot == SubnetView.NONE ? SubnetView.NONE : view.peer(slot);
            if (peer == SubnetView.NONE) {
                return false;
            }
            link(slot);
            at = view.owner(peer);
        }
        return false;
    }

    private void link(int slot) {
        if (view.peer(slot) == SubnetView.NONE) {
            // Port 0 of a switch has no link of its own.
            return;
        }
        MemorySegment info = view.portInfo(slot);
        mtu = Math.min(mtu, PortInfo.NEIGHBOR_MTU.readInt(info, 0));
        int own = Rates.of(info);
        rate = rate == 0 || Rates.tenths(own) < Rates.tenths(rate) ? own : rate;
    }
}
