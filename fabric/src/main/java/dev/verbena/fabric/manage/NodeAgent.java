package dev.verbena.fabric.manage;

import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.MadStatus;
import dev.verbena.wire.mad.ManagementClass;
import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.PortCapability;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.SmInfo;
import dev.verbena.wire.mad.Smp;
import dev.verbena.wire.mad.SmpBlocks;
import dev.verbena.wire.mad.SwitchInfo;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The subnet management agent of a node (IBA 14.2.5): what it is, the state of its ports, its
/// tables. Answers are made in place of the requests.
final class NodeAgent {
    /// What an agent has done with a datagram.
    enum Reply {
        ANSWERED,
        DONE,
        /// It belongs to a program.
        FOREIGN,
        /// Dropped for its M_Key.
        KEY
    }

    private static final int DATA = Smp.DATA;

    /// A number of no maker.
    private static final int DEVICE_ID = 0x5642;

    private final Subnet subnet;
    private final Plane plane;
    private final int node;
    private final PortTable ports;
    private final PartitionTables partitions;
    private final LaneTables lanes;
    private final @Nullable SwitchTables tables;
    private final ManagerKey key;
    private final Traps traps;
    private @Nullable PerfAgent perf;

    NodeAgent(Subnet subnet, int node) {
        this.subnet = subnet;
        this.node = node;
        plane = subnet.plane();
        boolean isSwitch = subnet.isSwitch(node);
        ports = new PortTable(plane, node, isSwitch);
        lanes = new LaneTables(plane, node, ports);
        partitions = new PartitionTables(subnet.settings().partitionCap());
        traps = new Traps(subnet, this, node);
        tables = isSwitch ? new SwitchTables(plane, node, ports, subnet.settings()) : null;
        key = new ManagerKey(ports, plane, traps);
    }

    /// Looks at the cables, once all agents are there.
    void begin() {
        for (int port = 1; port <= plane.ports(node); port++) {
            ports.link(port, subnet.hasLink(node, port));
        }
        apply();
    }

    PortTable ports() {
        return ports;
    }

    PartitionTables partitions() {
        return partitions;
    }

    @Nullable SwitchTables tables() {
        return tables;
    }

    /// That of port 0 of a switch, of the port of a host.
    int lid() {
        return ports.lid();
    }

    void isManager(boolean isManager) {
        int own = ports.own();
        int before = PortInfo.CAPABILITY_MASK.readInt(ports.info(own), 0);
        int after = isManager ? before | PortCapability.IS_SM : before & ~PortCapability.IS_SM;
        if (before != after) {
            PortInfo.CAPABILITY_MASK.write(ports.info(own), 0, Integer.toUnsignedLong(after));
            traps.localChanges(after);
        }
    }

    /// A cable was plugged in or out, or the other end was disabled or enabled.
    void linkChanged(int port) {
        boolean isUp = subnet.hasLink(node, port);
        if (ports.link(port, isUp)) {
            changed(port);
            if (tables != null) {
                tables.stateChanged();
                traps.linkState(lid());
            }
        }
    }

    /// A port has another state.
    private void changed(int port) {
        if (tables == null) {
            apply();
        } else {
            tables.portChanged(port);
        }
    }

    private void apply() {
        if (tables != null) {
            return;
        }
        MemorySegment info = ports.info(1);
        plane.host(
                node,
                new Plane.HostPort(
                        ports.state(1),
                        ports.lid(),
                        PortInfo.LMC.readInt(info, 0),
                        PortInfo.GID_PREFIX.read(info, 0),
                        partitions.keys(1)));
    }

    /// @param port by which it has come; 0 for a datagram of this node's own
    Reply handle(int port, MadEnvelope envelope, MemorySegment mad) {
        int method = Mad.method(mad, 0);
        int managementClass = Mad.managementClass(mad, 0);
        if (managementClass == ManagementClass.PERFORMANCE && isQuestion(method)) {
            return perf().handle(mad) ? Reply.ANSWERED : Reply.FOREIGN;
        }
        if (!ManagementClass.isSubnetManagement(managementClass)) {
            return Reply.FOREIGN;
        }
        if (method == MadMethod.TRAP_REPRESS) {
            return traps.repress(mad) ? Reply.DONE : Reply.FOREIGN;
        }
        if (!isQuestion(method)) {
            return Reply.FOREIGN;
        }
        if (Mad.attributeId(mad, 0) == SmInfo.ATTRIBUTE_ID && isManager()) {
            return Reply.FOREIGN;
        }
        if (!key.admits(mad, envelope, method)) {
            return Reply.KEY;
        }
        int status = answer(port == 0 ? ports.own() : port, mad, method);
        Smp.answer(mad, 0, status);
        return Reply.ANSWERED;
    }

    private boolean isManager() {
        int mask = PortInfo.CAPABILITY_MASK.readInt(ports.info(ports.own()), 0);
        return (mask & PortCapability.IS_SM) != 0 && subnet.hasReceiver(node);
    }

    private static boolean isQuestion(int method) {
        return method == MadMethod.GET || method == MadMethod.SET;
    }

    private PerfAgent perf() {
        if (perf == null) {
            perf = new PerfAgent(plane, node);
        }
        return perf;
    }

    /// Carries a request out and writes the attribute as it is then; returns the status.
    private int answer(int port, MemorySegment mad, int method) {
        int modifier = Mad.attributeModifier(mad, 0);
        boolean isSet = method == MadMethod.SET;
        return switch (Mad.attributeId(mad, 0)) {
            case SmpBlocks.NODE_DESCRIPTION -> isSet ? unsupported() : description(mad);
            case NodeInfo.ATTRIBUTE_ID -> isSet ? unsupported() : nodeInfo(mad, port);
            case SwitchInfo.ATTRIBUTE_ID ->
                    tables == null ? unsupported() : tables.switchInfo(mad, isSet);
            case SmpBlocks.GUID_INFO -> isSet ? unsupported() : guids(mad, modifier);
            case PortInfo.ATTRIBUTE_ID -> portInfo(mad, modifier, port, isSet);
            case SmpBlocks.PKEY_TABLE -> partitions(mad, modifier, isSet);
            case SmpBlocks.SL_TO_VL -> lanes(mad, modifier, isSet);
            case SmpBlocks.VL_ARBITRATION -> arbitration(mad, modifier, isSet);
            case SmpBlocks.LINEAR_FORWARDING ->
                    tables == null ? unsupported() : tables.linear(mad, modifier, isSet);
            case SmpBlocks.MULTICAST_FORWARDING ->
                    tables == null ? unsupported() : tables.multicast(mad, modifier, isSet);
            default -> unsupported();
        };
    }

    private static int unsupported() {
        return MadStatus.ATTRIBUTE_UNSUPPORTED;
    }

    private int description(MemorySegment mad) {
        byte[] name = plane.name(node).getBytes(StandardCharsets.UTF_8);
        byte[] padded = Arrays.copyOf(name, Smp.DATA_LENGTH);
        MemorySegment.copy(MemorySegment.ofArray(padded), 0, mad, DATA, Smp.DATA_LENGTH);
        return MadStatus.OK;
    }

    private int nodeInfo(MemorySegment mad, int port) {
        nodeInfo(mad, DATA, port);
        return MadStatus.OK;
    }

    void nodeInfo(MemorySegment to, long at, int port) {
        to.asSlice(at, Smp.DATA_LENGTH).fill((byte) 0);
        NodeInfo.BASE_VERSION.write(to, at, 1);
        NodeInfo.CLASS_VERSION.write(to, at, 1);
        NodeInfo.NODE_TYPE.write(to, at, type());
        NodeInfo.NUM_PORTS.write(to, at, plane.ports(node));
        NodeInfo.SYSTEM_IMAGE_GUID.write(to, at, plane.nodeGuid(node));
        NodeInfo.NODE_GUID.write(to, at, plane.nodeGuid(node));
        NodeInfo.PORT_GUID.write(to, at, plane.portGuid(node));
        NodeInfo.PARTITION_CAP.write(to, at, subnet.settings().partitionCap());
        NodeInfo.DEVICE_ID.write(to, at, DEVICE_ID);
        NodeInfo.LOCAL_PORT_NUM.write(to, at, port);
    }

    private int guids(MemorySegment mad, int block) {
        mad.asSlice(DATA, Smp.DATA_LENGTH).fill((byte) 0);
        if (block != 0) {
            return MadStatus.INVALID_VALUE;
        }
        SmpBlocks.guid(mad, DATA, 0, plane.portGuid(node));
        return MadStatus.OK;
    }

    private int portInfo(MemorySegment mad, int modifier, int arrival, boolean isSet) {
        int number = modifier & 0xFF;
        // A host's own port is 0 too; of a switch that is a port of its own.
        int port = tables == null && number == 0 ? 1 : number;
        // Bit 31 asks for what has no room in the usual attribute, which there is not.
        if ((modifier & 0x7FFF_FF00) != 0 || port > plane.ports(node)) {
            return MadStatus.INVALID_VALUE;
        }
        int status = MadStatus.OK;
        if (isSet) {
            status = setPort(mad, port);
        }
        MemorySegment info = ports.info(port);
        boolean isHidden = key.hides(mad);
        MemorySegment.copy(info, 0, mad, DATA, PortTable.LENGTH);
        if (port != 0 && tables != null) {
            // What belongs to the node is in port 0.
            key.copyTo(mad, DATA);
        }
        if (isHidden) {
            PortInfo.M_KEY.write(mad, DATA, 0);
        }
        PortInfo.LOCAL_PORT_NUM.write(mad, DATA, arrival);
        return status;
    }

    private int setPort(MemorySegment mad, int port) {
        boolean wasDisabled = ports.isDisabled(port);
        int before = ports.state(port);
        int status = ports.set(port, mad, DATA);
        if (status != MadStatus.OK) {
            return status;
        }
        lanes.portChanged(port);
        if (port != 0 && (wasDisabled != ports.isDisabled(port) || ports.takeReset(port))) {
            restart(port);
        } else if (before != ports.state(port) || tables == null) {
            changed(port);
        }
        return MadStatus.OK;
    }

    /// The link goes down, and up again if it may: for both its ends.
    private void restart(int port) {
        int peer = plane.peer(node, port);
        boolean isUp = subnet.hasLink(node, port);
        drop(port);
        if (peer >= 0) {
            subnet.agent(peer).drop(plane.peerPort(node, port));
        }
        if (isUp) {
            subnet.cableChanged(node, port);
        }
    }

    private void drop(int port) {
        if (ports.link(port, false)) {
            changed(port);
            if (tables != null) {
                tables.stateChanged();
                traps.linkState(lid());
            }
        }
    }

    private int partitions(MemorySegment mad, int modifier, boolean isSet) {
        int port = tables == null ? 1 : modifier >>> 16;
        int block = modifier & 0xFFFF;
        if (port > plane.ports(node) || !partitions.hasBlock(block)) {
            return MadStatus.INVALID_VALUE;
        }
        if (isSet) {
            partitions.write(port, block, mad, DATA);
            apply();
        }
        partitions.read(port, block, mad, DATA);
        return MadStatus.OK;
    }

    private int lanes(MemorySegment mad, int modifier, boolean isSet) {
        // A host has one table, and the modifier no meaning.
        int out = tables == null ? 1 : modifier & 0xFF;
        int in = tables == null ? 0 : modifier >>> 8 & 0xFF;
        if (modifier >>> 16 != 0 || out > plane.ports(node) || in > plane.ports(node)) {
            return MadStatus.INVALID_VALUE;
        }
        if (isSet) {
            lanes.writeLevels(in, out, mad, DATA);
        }
        lanes.readLevels(in, out, mad, DATA);
        return MadStatus.OK;
    }

    private int arbitration(MemorySegment mad, int modifier, boolean isSet) {
        int block = modifier >>> 16;
        int port = modifier & 0xFFFF;
        // Each of the two tables has as many entries as the first of its blocks.
        if ((block != LaneTables.LOW && block != LaneTables.HIGH) || port > plane.ports(node)) {
            return MadStatus.INVALID_VALUE;
        }
        if (isSet) {
            lanes.writeArbitration(port, block, mad, DATA);
        }
        lanes.readArbitration(port, block, mad, DATA);
        return MadStatus.OK;
    }

    /// The LID of the manager, which gets the traps.
    int managerLid() {
        return PortInfo.MASTER_SM_LID.readInt(ports.info(ports.own()), 0);
    }

    int subnetTimeout() {
        return PortInfo.SUBNET_TIMEOUT.readInt(ports.info(ports.own()), 0);
    }

    int type() {
        if (tables != null) {
            return NodeInfo.SWITCH;
        }
        return plane.isRouter(node) ? NodeInfo.ROUTER : NodeInfo.CHANNEL_ADAPTER;
    }
}
