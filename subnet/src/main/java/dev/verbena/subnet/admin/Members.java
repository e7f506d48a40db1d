package dev.verbena.subnet.admin;

import dev.verbena.subnet.state.Command;
import dev.verbena.subnet.state.Group;
import dev.verbena.subnet.state.GroupTraits;
import dev.verbena.subnet.state.SubnetState;
import dev.verbena.wire.Gid;
import dev.verbena.wire.mad.MadField;
import dev.verbena.wire.mad.McMemberRecord;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.SaStatus;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;

/// Multicast groups: which there are, who is in them, and what a port must say to join.
final class Members {
    private static final int MGID = 1;
    private static final int PORT_GID = 1 << 1;
    private static final int QKEY = 1 << 2;
    private static final int TRAFFIC_CLASS = 1 << 6;
    private static final int PKEY = 1 << 7;
    private static final int SL = 1 << 12;
    private static final int FLOW_LABEL = 1 << 13;
    private static final int JOIN_STATE = 1 << 16;
    private static final int JOIN = MGID | PORT_GID | JOIN_STATE;
    private static final int CREATE = JOIN | QKEY | TRAFFIC_CLASS | PKEY | SL | FLOW_LABEL;

    private static final int MTU_AT = 4;
    private static final int RATE_AT = 8;
    private static final int LIFE_AT = 10;
    private static final int MTU_USUAL = 4;
    private static final int RATE_USUAL = 3;
    private static final int EXACTLY = 2;
    private static final int PORT_GID_AT = 16;
    private static final int MULTICAST = 0xFF;
    private static final int SCOPE_MAX = 14;

    /// Fields that a joining port may repeat, by their components; they must be the group's.
    private static final Map<Integer, MadField> FIXED =
            Map.of(
                    2, McMemberRecord.QKEY,
                    6, McMemberRecord.TRAFFIC_CLASS,
                    7, McMemberRecord.PKEY,
                    12, McMemberRecord.SL,
                    13, McMemberRecord.FLOW_LABEL,
                    14, McMemberRecord.HOP_LIMIT);

    private final SubnetView view;
    private final SubnetState state;
    private final Keys keys;

    Members(SubnetView view, SubnetState state, Keys keys) {
        this.view = view;
        this.state = state;
        this.keys = keys;
    }

    /// A command, or the status for which there is none.
    record Wish(int status, Optional<Command> command) {
        static Wish refused(int status) {
            return new Wish(status, Optional.empty());
        }

        static Wish of(Command command) {
            return new Wish(0, Optional.of(command));
        }
    }

    /// @param isTrusted whether the asker may see members; others see groups
    void find(Question question, boolean isTrusted) {
        for (Group group : state.groups()) {
            if (!areLimitsWanted(question, group.traits())) {
                continue;
            }
            if (isTrusted || question.has(1)) {
                group.members()
                        .forEach((port, it) -> question.add(record(question, group, port, it)));
            } else {
                question.add(record(question, group, Gid.ZERO, new Group.Membership(0, false)));
            }
        }
    }

    private static boolean areLimitsWanted(Question question, GroupTraits traits) {
        MemorySegment template = question.template();
        return isWanted(
                        question,
                        MTU_AT,
                        McMemberRecord.MTU_SELECTOR.readInt(template, 0),
                        traits.mtu(),
                        McMemberRecord.MTU.readInt(template, 0))
                && isWanted(
                        question,
                        RATE_AT,
                        McMemberRecord.RATE_SELECTOR.readInt(template, 0),
                        Rates.tenths(traits.rate()),
                        Rates.tenths(McMemberRecord.RATE.readInt(template, 0)))
                && isWanted(
                        question,
                        LIFE_AT,
                        McMemberRecord.PACKET_LIFE_TIME_SELECTOR.readInt(template, 0),
                        traits.lifeTime(),
                        McMemberRecord.PACKET_LIFE_TIME.readInt(template, 0));
    }

    private static boolean isWanted(
            Question question, int bit, int selector, int value, int wanted) {
        return !question.has(bit)
                || !question.has(bit + 1)
                || Rates.isWanted(selector, value, wanted);
    }

    /// The record of a group and a port of it, with what the port has joined for.
    static MemorySegment record(Question question, Group group, Gid port, Group.Membership it) {
        MemorySegment record = question.blank();
        GroupTraits traits = group.traits();
        group.gid().emit(record, 0);
        port.emit(record, PORT_GID_AT);
        McMemberRecord.QKEY.write(record, 0, Integer.toUnsignedLong(traits.qkey()));
        McMemberRecord.MLID.write(record, 0, group.lid());
        McMemberRecord.MTU_SELECTOR.write(record, 0, EXACTLY);
        McMemberRecord.MTU.write(record, 0, traits.mtu());
        McMemberRecord.TRAFFIC_CLASS.write(record, 0, traits.trafficClass());
        McMemberRecord.PKEY.write(record, 0, traits.pkey());
        McMemberRecord.RATE_SELECTOR.write(record, 0, EXACTLY);
        McMemberRecord.RATE.write(record, 0, traits.rate());
        McMemberRecord.PACKET_LIFE_TIME_SELECTOR.write(record, 0, EXACTLY);
        McMemberRecord.PACKET_LIFE_TIME.write(record, 0, traits.lifeTime());
        McMemberRecord.SL.write(record, 0, traits.serviceLevel());
        McMemberRecord.FLOW_LABEL.write(record, 0, traits.flowLabel());
        McMemberRecord.HOP_LIMIT.write(record, 0, traits.hopLimit());
        McMemberRecord.SCOPE.write(record, 0, traits.scope());
        McMemberRecord.JOIN_STATE.write(record, 0, it.joinState());
        McMemberRecord.PROXY_JOIN.write(record, 0, it.isProxy() ? 1 : 0);
        return record;
    }

    /// What a Set asks for.
    ///
    /// @param asker the port that sent it
    Wish join(Question question, int asker) {
        MemorySegment wish = question.template();
        int bits = McMemberRecord.JOIN_STATE.readInt(wish, 0);
        Gid gid = question.gid(0);
        if (!question.hasAll(JOIN)) {
            return Wish.refused(SaStatus.INSUFFICIENT_COMPONENTS);
        }
        if (bits == 0 || !isGroupGid(gid)) {
            return Wish.refused(SaStatus.REQUEST_INVALID);
        }
        if (!isOwn(question, asker)) {
            return Wish.refused(SaStatus.DENIED);
        }
        Optional<Group> known = state.group(gid);
        GroupTraits traits = known.map(Group::traits).orElseGet(() -> fresh(question, gid, asker));
        MemorySegment info = view.portInfo(view.firstSlot(asker));
        boolean isAble =
                traits.mtu() >= 1
                        && traits.mtu() <= mtu(info)
                        && Rates.tenths(traits.rate()) > 0
                        && Rates.tenths(traits.rate()) <= Rates.tenths(Rates.of(info));
        if (!isAble || (known.isPresent() && !isLike(question, known.get()))) {
            return Wish.refused(SaStatus.REQUEST_INVALID);
        }
        boolean mayCreate = question.hasAll(CREATE);
        if ((known.isPresent() || mayCreate) && !keys.has(asker, traits.pkey())) {
            return Wish.refused(SaStatus.DENIED);
        }
        return Wish.of(
                new Command.Join(
                        gid,
                        question.gid(PORT_GID_AT),
                        bits,
                        McMemberRecord.PROXY_JOIN.read(wish, 0) == 1,
                        traits,
                        mayCreate,
                        view.groupsMax()));
    }

    /// IBA 4.1.1: the manager chooses one for zero.
    private static boolean isGroupGid(Gid gid) {
        int scope = (int) (gid.high() >>> 48 & 0xF);
        return gid.isZero() || (gid.high() >>> 56 == MULTICAST && scope >= 1 && scope <= SCOPE_MAX);
    }

    /// Whether the port that is to join is the one that asks.
    private boolean isOwn(Question question, int asker) {
        Gid port = question.gid(PORT_GID_AT);
        return asker != SubnetView.NONE
                && port.high() == view.prefix()
                && port.low() == view.guid(asker);
    }

    private static int mtu(MemorySegment info) {
        int neighbour = PortInfo.NEIGHBOR_MTU.readInt(info, 0);
        return neighbour == 0 ? PortInfo.MTU_CAP.readInt(info, 0) : neighbour;
    }

    private boolean isLike(Question question, Group group) {
        MemorySegment wish = question.template();
        MemorySegment own = record(question, group, Gid.ZERO, new Group.Membership(0, false));
        boolean isLike =
                FIXED.entrySet().stream()
                        .filter(it -> question.has(it.getKey()))
                        .allMatch(it -> it.getValue().read(wish, 0) == it.getValue().read(own, 0));
        return isLike && areLimitsWanted(question, group.traits());
    }

    /// What a group that does not exist is to be, by the wish of its first port.
    private GroupTraits fresh(Question question, Gid gid, int asker) {
        MemorySegment wish = question.template();
        MemorySegment info = view.portInfo(view.firstSlot(asker));
        int scope = McMemberRecord.SCOPE.readInt(wish, 0);
        int ofGid = (int) (gid.high() >>> 48 & 0xF);
        return new GroupTraits(
                McMemberRecord.QKEY.readInt(wish, 0),
                freshMtu(question, mtu(info)),
                McMemberRecord.TRAFFIC_CLASS.readInt(wish, 0),
                McMemberRecord.PKEY.readInt(wish, 0),
                freshRate(question, Rates.of(info)),
                Paths.LIFE_TIME,
                McMemberRecord.SL.readInt(wish, 0),
                McMemberRecord.FLOW_LABEL.readInt(wish, 0),
                McMemberRecord.HOP_LIMIT.readInt(wish, 0),
                gid.isZero() ? Math.clamp(scope, 2, SCOPE_MAX) : ofGid);
    }

    /// @return 0 if there is none
    private static int freshMtu(Question question, int most) {
        if (!question.has(MTU_AT) || !question.has(MTU_AT + 1)) {
            return Math.min(MTU_USUAL, most);
        }
        int wanted = McMemberRecord.MTU.readInt(question.template(), 0);
        return switch (McMemberRecord.MTU_SELECTOR.readInt(question.template(), 0)) {
            case 0 -> wanted + 1;
            case 1 -> Math.min(wanted - 1, most);
            case 2 -> wanted;
            default -> most;
        };
    }

    /// @return 0 if there is none
    private static int freshRate(Question question, int most) {
        if (!question.has(RATE_AT) || !question.has(RATE_AT + 1)) {
            return Rates.tenths(most) < Rates.tenths(RATE_USUAL) ? most : RATE_USUAL;
        }
        int wanted = McMemberRecord.RATE.readInt(question.template(), 0);
        return switch (McMemberRecord.RATE_SELECTOR.readInt(question.template(), 0)) {
            case 0 -> Rates.above(wanted);
            case 1 -> Rates.below(wanted, most);
            case 2 -> wanted;
            default -> most;
        };
    }

    /// What a Delete asks for.
    Wish leave(Question question, int asker) {
        if (!question.hasAll(JOIN)) {
            return Wish.refused(SaStatus.INSUFFICIENT_COMPONENTS);
        }
        if (!isOwn(question, asker)) {
            return Wish.refused(SaStatus.DENIED);
        }
        int bits = McMemberRecord.JOIN_STATE.readInt(question.template(), 0);
        return Wish.of(new Command.Leave(question.gid(0), question.gid(PORT_GID_AT), bits));
    }
}
