package dev.verbena.fabric.manage;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.mad.DirectedRoute;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.ManagementClass;
import dev.verbena.wire.mad.Notice;
import dev.verbena.wire.mad.Smp;
import dev.verbena.wire.mad.TrapDetails;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/// The traps of a node (IBA 14.2.5.1, 13.4.9): each goes to the manager again and again until the
/// manager answers TrapRepress, or the limit is reached. There is one of each number: a newer one
/// takes the place of the older.
final class Traps {
    private static final int URGENT = 1;
    private static final int SECURITY = 2;
    private static final int INFORMATION = 4;

    /// What the time-out of a subnet is a power of two of (IBA 14.2.5.6).
    private static final long UNIT_NS = 4_096;

    /// IBA 13.4.9: not faster than the subnet's time-out, and here not faster than 4 ms, so that a
    /// manager that sets none does not get a flood.
    private static final int TIMEOUT_MIN = 10;

    private final Subnet subnet;
    private final NodeAgent agent;
    private final int node;
    private final Map<Integer, Pending> pending = new HashMap<>();
    private long transactions;

    /// A trap that no manager has acknowledged.
    private static final class Pending {
        final MemorySegment mad;
        int repeats;

        Pending(MemorySegment mad) {
            this.mad = mad;
        }
    }

    Traps(Subnet subnet, NodeAgent agent, int node) {
        this.subnet = subnet;
        this.agent = agent;
        this.node = node;
    }

    /// The state of a port of this switch has changed.
    void linkState(int lid) {
        MemorySegment mad = begin(Notice.LINK_STATE_CHANGE, URGENT);
        TrapDetails.TRAP_128_LID.write(mad, Smp.DATA, lid);
        raise(Notice.LINK_STATE_CHANGE, mad);
    }

    /// The capabilities of the port have changed.
    void localChanges(int capabilities) {
        MemorySegment mad = begin(Notice.LOCAL_CHANGES, INFORMATION);
        TrapDetails.TRAP_144_LID.write(mad, Smp.DATA, agent.lid());
        TrapDetails.TRAP_144_CAPABILITY_MASK.write(
                mad, Smp.DATA, Integer.toUnsignedLong(capabilities));
        raise(Notice.LOCAL_CHANGES, mad);
    }

    /// A datagram came with a wrong M_Key.
    void badKey(MemorySegment wrong, MadEnvelope envelope) {
        MemorySegment mad = begin(Notice.BAD_M_KEY, SECURITY);
        TrapDetails.TRAP_256_LID.write(mad, Smp.DATA, envelope.sourceLid());
        TrapDetails.TRAP_256_METHOD.write(mad, Smp.DATA, Mad.method(wrong, 0));
        TrapDetails.TRAP_256_ATTRIBUTE_ID.write(mad, Smp.DATA, Mad.attributeId(wrong, 0));
        TrapDetails.TRAP_256_ATTRIBUTE_MODIFIER.write(
                mad, Smp.DATA, Integer.toUnsignedLong(Mad.attributeModifier(wrong, 0)));
        TrapDetails.TRAP_256_M_KEY.write(mad, Smp.DATA, Smp.mkey(wrong, 0));
        if (Smp.isDirected(wrong, 0)) {
            directed(wrong, mad);
        }
        raise(Notice.BAD_M_KEY, mad);
    }

    private static void directed(MemorySegment wrong, MemorySegment mad) {
        int hops = DirectedRoute.HOP_COUNT.readInt(wrong, 0);
        int fits = TrapDetails.TRAP_256_RETURN_PATH_LENGTH;
        TrapDetails.TRAP_256_DR_SLID.write(mad, Smp.DATA, DirectedRoute.DR_SLID.read(wrong, 0));
        TrapDetails.TRAP_256_DR_NOTICE.write(mad, Smp.DATA, 1);
        TrapDetails.TRAP_256_DR_PATH_TRUNCATED.write(mad, Smp.DATA, hops > fits ? 1 : 0);
        TrapDetails.TRAP_256_DR_HOP_COUNT.write(mad, Smp.DATA, hops);
        for (int i = 0; i < Math.min(hops, fits); i++) {
            int port = BigEndian.u8(wrong, DirectedRoute.RETURN_PATH + 1L + i);
            BigEndian.put8(mad, Smp.DATA + TrapDetails.TRAP_256_RETURN_PATH + (long) i, port);
        }
    }

    private MemorySegment begin(int number, int type) {
        MemorySegment mad = Subnet.blank();
        new Mad(
                        ManagementClass.SUBNET_LID_ROUTED,
                        Smp.CLASS_VERSION,
                        MadMethod.TRAP,
                        0,
                        0,
                        // The upper bits belong to those who carry the answer, see ibsim.
                        ++transactions & 0xFFFF_FFFFL,
                        Notice.ATTRIBUTE_ID,
                        0)
                .emit(mad, 0);
        Notice.IS_GENERIC.write(mad, Smp.DATA, 1);
        Notice.TYPE.write(mad, Smp.DATA, type);
        Notice.PRODUCER_TYPE.write(mad, Smp.DATA, agent.type());
        Notice.TRAP_NUMBER.write(mad, Smp.DATA, number);
        Notice.ISSUER_LID.write(mad, Smp.DATA, agent.lid());
        return mad;
    }

    private void raise(int number, MemorySegment mad) {
        if (agent.managerLid() == 0) {
            return;
        }
        Pending made = new Pending(mad);
        pending.put(number, made);
        // Not within the call that caused it: a manager gets its answer first.
        subnet.plane().at(subnet.plane().nowNs(), () -> send(number, made));
    }

    private void send(int number, Pending trap) {
        if (pending.get(number) != trap) {
            return;
        }
        int manager = agent.managerLid();
        if (manager == 0 || trap.repeats > subnet.settings().trapRepeats()) {
            pending.remove(number);
            return;
        }
        trap.repeats++;
        int timeout = Math.max(TIMEOUT_MIN, agent.subnetTimeout());
        long nextNs = subnet.plane().nowNs() + (UNIT_NS << timeout);
        subnet.plane().at(nextNs, () -> send(number, trap));
        subnet.trap(node, trap.mad, manager, agent.lid());
    }

    /// The manager has got a trap; returns whether one was waiting for that.
    boolean repress(MemorySegment mad) {
        long transaction = Mad.transactionId(mad, 0) & 0xFFFF_FFFFL;
        return pending.values().removeIf(it -> Mad.transactionId(it.mad, 0) == transaction);
    }
}
