package dev.verbena.fabric.manage;

import dev.verbena.wire.mad.MadStatus;
import dev.verbena.wire.mad.Smp;
import dev.verbena.wire.mad.SmpBlocks;
import dev.verbena.wire.mad.SwitchInfo;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The forwarding tables of a switch as its manager has written them. The switch forwards by an
/// entry while its port is active and the LID is not above the top.
final class SwitchTables {
    static final int NOWHERE = 255;

    private static final int DATA = Smp.DATA;
    private static final int FIRST_GROUP = 0xC000;
    private static final int MODIFIER_GROUPS = 0x1FF;

    private final Plane plane;
    private final int node;
    private final PortTable ports;
    private final SubnetSettings settings;

    /// Attribute SwitchInfo.
    private final MemorySegment info = MemorySegment.ofArray(new byte[Smp.DATA_LENGTH]);

    /// By LID; it grows with the LIDs that are in use.
    private byte[] linear = new byte[0];

    /// By position, masks of groups.
    private final Map<Integer, char[]> groups = new HashMap<>();

    SwitchTables(Plane plane, int node, PortTable ports, SubnetSettings settings) {
        this.plane = plane;
        this.node = node;
        this.ports = ports;
        this.settings = settings;
        SwitchInfo.LINEAR_FDB_CAP.write(info, 0, settings.linearCap());
        SwitchInfo.MULTICAST_FDB_CAP.write(info, 0, settings.multicastCap());
        SwitchInfo.PARTITION_ENFORCEMENT_CAP.write(info, 0, settings.partitionCap());
        SwitchInfo.LIFE_TIME_VALUE.write(info, 0, 18);
    }

    int port(int lid) {
        return lid < linear.length && lid <= top() ? linear[lid] & 0xFF : NOWHERE;
    }

    private int top() {
        return SwitchInfo.LINEAR_FDB_TOP.readInt(info, 0);
    }

    void stateChanged() {
        SwitchInfo.PORT_STATE_CHANGE.write(info, 0, 1);
    }

    int switchInfo(MemorySegment mad, boolean isSet) {
        int status = isSet ? setInfo(mad) : MadStatus.OK;
        MemorySegment.copy(info, 0, mad, DATA, Smp.DATA_LENGTH);
        return status;
    }

    private int setInfo(MemorySegment mad) {
        int top = SwitchInfo.LINEAR_FDB_TOP.readInt(mad, DATA);
        if (top >= settings.linearCap()) {
            return MadStatus.INVALID_VALUE;
        }
        SwitchInfo.LIFE_TIME_VALUE.write(info, 0, SwitchInfo.LIFE_TIME_VALUE.read(mad, DATA));
        SwitchInfo.DEFAULT_PORT.write(info, 0, SwitchInfo.DEFAULT_PORT.read(mad, DATA));
        SwitchInfo.MULTICAST_FDB_TOP.write(info, 0, SwitchInfo.MULTICAST_FDB_TOP.read(mad, DATA));
        if (SwitchInfo.PORT_STATE_CHANGE.read(mad, DATA) == 1) {
            SwitchInfo.PORT_STATE_CHANGE.write(info, 0, 0);
        }
        int before = top();
        SwitchInfo.LINEAR_FDB_TOP.write(info, 0, top);
        int last = Math.min(linear.length - 1, Math.max(before, top));
        for (int lid = Math.min(before, top) + 1; lid <= last; lid++) {
            forward(lid);
        }
        return MadStatus.OK;
    }

    int linear(MemorySegment mad, int block, boolean isSet) {
        int first = block * SmpBlocks.LIDS;
        if (block < 0
                || block >= (Subnet.UNICAST_MAX + 1) / SmpBlocks.LIDS
                || first >= settings.linearCap()) {
            return MadStatus.INVALID_VALUE;
        }
        if (isSet) {
            room(first + SmpBlocks.LIDS);
            for (int i = 0; i < SmpBlocks.LIDS; i++) {
                int port = SmpBlocks.port(mad, DATA, i);
                if (linear[first + i] != (byte) port) {
                    linear[first + i] = (byte) port;
                    forward(first + i);
                }
            }
        }
        for (int i = 0; i < SmpBlocks.LIDS; i++) {
            boolean isKnown = first + i < linear.length;
            SmpBlocks.port(mad, DATA, i, isKnown ? linear[first + i] & 0xFF : NOWHERE);
        }
        return MadStatus.OK;
    }

    private void room(int lids) {
        int before = linear.length;
        if (lids > before) {
            int doubled = Math.min(2 * before, Subnet.UNICAST_MAX + 1);
            linear = Arrays.copyOf(linear, Math.max(lids, doubled));
            Arrays.fill(linear, before, linear.length, (byte) NOWHERE);
        }
    }

    /// Puts an entry in force, as far as its port lets it.
    private void forward(int lid) {
        int port = linear[lid] & 0xFF;
        plane.forward(node, lid, lid <= top() && mayCarry(port) ? port : 0);
    }

    private boolean mayCarry(int port) {
        return port > 0 && port <= plane.ports(node) && ports.isActive(port);
    }

    /// A port has become active, or is no longer.
    void portChanged(int port) {
        int last = Math.min(linear.length - 1, top());
        for (int lid = 0; lid <= last; lid++) {
            if ((linear[lid] & 0xFF) == port) {
                forward(lid);
            }
        }
        char[] masks = groups.get(port / SmpBlocks.MASK_PORTS);
        if (masks == null) {
            return;
        }
        for (int i = 0; i < masks.length; i++) {
            if (((masks[i] >> (port % SmpBlocks.MASK_PORTS)) & 1) != 0) {
                forwardGroup(i);
            }
        }
    }

    int multicast(MemorySegment mad, int modifier, boolean isSet) {
        int position = modifier >>> 28;
        int first = (modifier & MODIFIER_GROUPS) * SmpBlocks.GROUPS;
        if (first >= settings.multicastCap()
                || position * SmpBlocks.MASK_PORTS > plane.ports(node)) {
            return MadStatus.INVALID_VALUE;
        }
        char[] masks = groups.get(position);
        if (isSet) {
            if (masks == null) {
                masks = new char[settings.multicastCap()];
                groups.put(position, masks);
            }
            int last = Math.min(first + SmpBlocks.GROUPS, masks.length);
            for (int i = first; i < last; i++) {
                masks[i] = (char) SmpBlocks.ports(mad, DATA, i - first);
                forwardGroup(i);
            }
        }
        for (int i = 0; i < SmpBlocks.GROUPS; i++) {
            int mask = masks != null && first + i < masks.length ? masks[first + i] : 0;
            SmpBlocks.ports(mad, DATA, i, mask);
        }
        return MadStatus.OK;
    }

    private void forwardGroup(int index) {
        List<Integer> open = new ArrayList<>();
        for (int port = 1; port <= plane.ports(node); port++) {
            char[] masks = groups.get(port / SmpBlocks.MASK_PORTS);
            boolean isMember =
                    masks != null && (masks[index] >> port % SmpBlocks.MASK_PORTS & 1) != 0;
            if (isMember && ports.isActive(port)) {
                open.add(port);
            }
        }
        plane.forwardGroup(node, FIRST_GROUP + index, open);
    }
}
