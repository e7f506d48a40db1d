package dev.verbena.fabric.manage;

import dev.verbena.wire.mad.MadField;
import dev.verbena.wire.mad.MadStatus;
import dev.verbena.wire.mad.PortCapability;
import dev.verbena.wire.mad.PortInfo;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.List;

/// The ports of a node, each with its PortInfo as bytes: those of a fabric of ten thousand hosts
/// take a few megabytes.
///
/// ```text
///   down ── link ──▶ initialize ── set ──▶ armed ── set ──▶ active
///     ▲                   │                  │                │
///     └───── no link, or set to down ────────┴────────────────┘
/// ```
final class PortTable {
    static final int LENGTH = 64;

    static final int DOWN = 1;
    static final int INITIALIZE = 2;
    static final int ARMED = 3;
    static final int ACTIVE = 4;

    private static final int POLLING = 2;
    private static final int DISABLED = 3;
    private static final int LINK_UP = 5;

    private static final long DEFAULT_PREFIX = 0xFE80_0000_0000_0000L;
    static final int ARBITRATION_ENTRIES = 8;
    private static final int GUIDS = 8;

    /// What a manager may set of every port that has a cable.
    private static final List<MadField> OF_LINKS =
            List.of(
                    PortInfo.NEIGHBOR_MTU,
                    PortInfo.VL_HIGH_LIMIT,
                    PortInfo.INIT_TYPE_REPLY,
                    PortInfo.VL_STALL_COUNT,
                    PortInfo.HOQ_LIFE,
                    PortInfo.PARTITION_ENFORCEMENT_INBOUND,
                    PortInfo.PARTITION_ENFORCEMENT_OUTBOUND,
                    PortInfo.FILTER_RAW_INBOUND,
                    PortInfo.FILTER_RAW_OUTBOUND,
                    PortInfo.LOCAL_PHY_ERRORS,
                    PortInfo.OVERRUN_ERRORS);

    /// What a manager may set of the port that is the node's own.
    private static final List<MadField> OF_NODES =
            List.of(
                    PortInfo.M_KEY,
                    PortInfo.GID_PREFIX,
                    PortInfo.LID,
                    PortInfo.MASTER_SM_LID,
                    PortInfo.M_KEY_LEASE_PERIOD,
                    PortInfo.M_KEY_PROTECT_BITS,
                    PortInfo.LMC,
                    PortInfo.MASTER_SM_SL,
                    PortInfo.M_KEY_VIOLATIONS,
                    PortInfo.P_KEY_VIOLATIONS,
                    PortInfo.Q_KEY_VIOLATIONS,
                    PortInfo.MULTICAST_PKEY_TRAP_SUPPRESSION,
                    PortInfo.SUBNET_TIMEOUT);

    private final Plane plane;
    private final int node;
    private final boolean isSwitch;
    private final byte[] infos;
    private final MemorySegment bytes;
    private final BitSet disabled = new BitSet();
    private final BitSet resets = new BitSet();

    PortTable(Plane plane, int node, boolean isSwitch) {
        this.plane = plane;
        this.node = node;
        this.isSwitch = isSwitch;
        infos = new byte[(plane.ports(node) + 1) * LENGTH];
        bytes = MemorySegment.ofArray(infos);
        for (int port = 0; port <= plane.ports(node); port++) {
            fill(port);
        }
    }

    private void fill(int port) {
        MemorySegment info = info(port);
        Plane.LinkSpeed speed = port == 0 ? new Plane.LinkSpeed(2, 4, 0) : plane.speed(node, port);
        int mtu = mtuCode(plane.mtu());
        int lanes = lanesCode(plane.lanes());
        PortInfo.GID_PREFIX.write(info, 0, DEFAULT_PREFIX);
        PortInfo.CAPABILITY_MASK.write(info, 0, capabilities(port, speed));
        PortInfo.LOCAL_PORT_NUM.write(info, 0, port);
        PortInfo.LINK_WIDTH_ENABLED.write(info, 0, speed.width() | 1);
        PortInfo.LINK_WIDTH_SUPPORTED.write(info, 0, speed.width() | 1);
        PortInfo.LINK_WIDTH_ACTIVE.write(info, 0, speed.width());
        int speeds = 2 * speed.speed() - 1;
        PortInfo.LINK_SPEED_SUPPORTED.write(info, 0, speeds);
        PortInfo.LINK_SPEED_ENABLED.write(info, 0, speeds);
        PortInfo.LINK_SPEED_ACTIVE.write(info, 0, speed.speed());
        int extended = Math.max(0, 2 * speed.extended() - 1);
        PortInfo.LINK_SPEED_EXT_SUPPORTED.write(info, 0, extended);
        PortInfo.LINK_SPEED_EXT_ENABLED.write(info, 0, extended);
        PortInfo.LINK_SPEED_EXT_ACTIVE.write(info, 0, speed.extended());
        PortInfo.LINK_DOWN_DEFAULT_STATE.write(info, 0, POLLING);
        PortInfo.NEIGHBOR_MTU.write(info, 0, mtu);
        PortInfo.MTU_CAP.write(info, 0, mtu);
        PortInfo.VL_CAP.write(info, 0, lanes);
        PortInfo.OPERATIONAL_VLS.write(info, 0, lanes);
        PortInfo.VL_ARBITRATION_HIGH_CAP.write(info, 0, ARBITRATION_ENTRIES);
        PortInfo.VL_ARBITRATION_LOW_CAP.write(info, 0, ARBITRATION_ENTRIES);
        PortInfo.GUID_CAP.write(info, 0, port == own() ? GUIDS : 0);
        PortInfo.RESP_TIME_VALUE.write(info, 0, 16);
        // Port 0 is in the switch, and its link cannot fail.
        state(port, port == 0 ? ACTIVE : DOWN);
        PortInfo.PORT_PHYSICAL_STATE.write(info, 0, port == 0 ? LINK_UP : POLLING);
    }

    private long capabilities(int port, Plane.LinkSpeed speed) {
        if (port != own()) {
            return 0;
        }
        int mask =
                PortCapability.TRAP
                        | PortCapability.SL_MAPPING
                        | PortCapability.SYSTEM_IMAGE_GUID
                        | PortCapability.CAPABILITY_MASK_NOTICE;
        if (!isSwitch) {
            mask |= PortCapability.COMMUNICATION_MANAGEMENT | PortCapability.CLIENT_REREGISTER;
        }
        // Of a switch port 0 says it for all.
        boolean isExtended = speed.extended() != 0 || (isSwitch && hasExtended());
        return mask | (isExtended ? PortCapability.EXTENDED_SPEEDS : 0);
    }

    private boolean hasExtended() {
        for (int port = 1; port <= plane.ports(node); port++) {
            if (plane.speed(node, port).extended() != 0) {
                return true;
            }
        }
        return false;
    }

    static int mtuCode(int bytes) {
        return Math.clamp(Integer.numberOfTrailingZeros(Integer.highestOneBit(bytes)) - 7, 1, 5);
    }

    private static int lanesCode(int lanes) {
        return lanes > 8 ? 5 : Integer.SIZE - Integer.numberOfLeadingZeros(lanes - 1) + 1;
    }

    /// The port with the settings of the node.
    int own() {
        return isSwitch ? 0 : 1;
    }

    /// A view of a port's PortInfo.
    MemorySegment info(int port) {
        return bytes.asSlice((long) port * LENGTH, LENGTH);
    }

    int state(int port) {
        return PortInfo.PORT_STATE.readInt(bytes, (long) port * LENGTH);
    }

    private void state(int port, int state) {
        PortInfo.PORT_STATE.write(bytes, (long) port * LENGTH, state);
    }

    boolean isActive(int port) {
        return state(port) == ACTIVE;
    }

    boolean isDisabled(int port) {
        return disabled.get(port);
    }

    int lid() {
        return PortInfo.LID.readInt(info(own()), 0);
    }

    /// Whether a LID is one of the node's.
    boolean hasLid(int lid) {
        int mask = PortInfo.LMC.readInt(info(own()), 0);
        int first = lid();
        return first != 0 && lid >>> mask == first >>> mask;
    }

    /// The link of a port came up or went down; returns whether that is new.
    boolean link(int port, boolean isUp) {
        boolean wasUp = state(port) != DOWN;
        int physical = isUp ? LINK_UP : disabled.get(port) ? DISABLED : POLLING;
        PortInfo.PORT_PHYSICAL_STATE.write(info(port), 0, physical);
        if (isUp == wasUp) {
            return false;
        }
        state(port, isUp ? INITIALIZE : DOWN);
        return true;
    }

    /// Whether the link is to be trained anew, as a manager has asked; once.
    boolean takeReset(int port) {
        boolean isAsked = resets.get(port);
        resets.clear(port);
        return isAsked;
    }

    /// Puts a PortInfo in force as far as a manager may change it, all of it or nothing.
    int set(int port, MemorySegment from, long at) {
        if (!isValid(port, from, at)) {
            return MadStatus.INVALID_VALUE;
        }
        MemorySegment info = info(port);
        if (port == own()) {
            copy(OF_NODES, from, at, info);
        }
        if (port != 0) {
            copy(OF_LINKS, from, at, info);
            enable(from, at, info);
            physical(port, PortInfo.PORT_PHYSICAL_STATE.readInt(from, at));
            int wanted = PortInfo.PORT_STATE.readInt(from, at);
            if (wanted == DOWN) {
                resets.set(port);
            } else if (wanted != 0) {
                state(port, wanted);
            }
        }
        return MadStatus.OK;
    }

    private static void copy(
            List<MadField> fields, MemorySegment from, long at, MemorySegment info) {
        for (MadField field : fields) {
            field.write(info, 0, field.read(from, at));
        }
    }

    /// Fields of which 0 means no change; widths and speeds of all ones are all that there are.
    private static void enable(MemorySegment from, long at, MemorySegment info) {
        unlessZero(PortInfo.LINK_DOWN_DEFAULT_STATE, from, at, info);
        unlessZero(PortInfo.OPERATIONAL_VLS, from, at, info);
        enable(PortInfo.LINK_WIDTH_ENABLED, PortInfo.LINK_WIDTH_SUPPORTED, from, at, info);
        enable(PortInfo.LINK_SPEED_ENABLED, PortInfo.LINK_SPEED_SUPPORTED, from, at, info);
        enable(PortInfo.LINK_SPEED_EXT_ENABLED, PortInfo.LINK_SPEED_EXT_SUPPORTED, from, at, info);
    }

    private static void unlessZero(
            MadField field, MemorySegment from, long at, MemorySegment info) {
        long wanted = field.read(from, at);
        if (wanted != 0) {
            field.write(info, 0, wanted);
        }
    }

    private static void enable(
            MadField enabled, MadField all, MemorySegment from, long at, MemorySegment info) {
        long wanted = enabled.read(from, at);
        if (wanted != 0) {
            long most = (1L << enabled.width()) - 1;
            enabled.write(info, 0, wanted == most ? all.read(info, 0) : wanted);
        }
    }

    private void physical(int port, int wanted) {
        if (wanted == DISABLED) {
            disabled.set(port);
        } else if (wanted == POLLING && disabled.get(port)) {
            disabled.clear(port);
        } else if (wanted == POLLING) {
            resets.set(port);
        }
    }

    private boolean isValid(int port, MemorySegment from, long at) {
        if (port == own() && !isValidLid(from, at)) {
            return false;
        }
        if (port == 0) {
            return true;
        }
        MemorySegment info = info(port);
        int mtu = PortInfo.NEIGHBOR_MTU.readInt(from, at);
        int lanes = PortInfo.OPERATIONAL_VLS.readInt(from, at);
        int physical = PortInfo.PORT_PHYSICAL_STATE.readInt(from, at);
        return mtu >= 1
                && mtu <= PortInfo.MTU_CAP.readInt(info, 0)
                && lanes <= PortInfo.VL_CAP.readInt(info, 0)
                && (physical == 0 || physical == POLLING || physical == DISABLED)
                && mayBecome(state(port), PortInfo.PORT_STATE.readInt(from, at));
    }

    /// A host may have no LID yet, and a LID of a group is none of a port.
    private static boolean isValidLid(MemorySegment from, long at) {
        int lid = PortInfo.LID.readInt(from, at);
        int mask = PortInfo.LMC.readInt(from, at);
        return lid <= Subnet.UNICAST_MAX && (lid & ((1 << mask) - 1)) == 0;
    }

    private static boolean mayBecome(int state, int wanted) {
        return switch (wanted) {
            case 0 -> true;
            case DOWN -> true;
            case ARMED -> state == INITIALIZE || state == ARMED;
            case ACTIVE -> state == ARMED || state == ACTIVE;
            default -> false;
        };
    }
}
