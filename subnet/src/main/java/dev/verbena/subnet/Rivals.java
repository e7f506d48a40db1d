package dev.verbena.subnet;

import dev.verbena.wire.mad.PortCapability;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.SmInfo;
import dev.verbena.wire.mad.Smp;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// The other subnet managers of a subnet, and which of all is the master (IBA 14.4.1): the one with
/// the highest priority, of equal ones that with the lowest GUID.
///
/// ```text
///   DISCOVERING ── no master ──▶ MASTER ── handed over, or met a higher master ──▶ STANDBY
///        └──── a master ──▶ STANDBY ── no answer, or handed over to ──▶ DISCOVERING
/// ```
///
/// A manager that comes later stands by, whatever its priority; the master hands over to it if that
/// is higher. Managers that share a state elect their leader otherwise: this is not for them.
final class Rivals {
    /// Modifiers of SMInfo when it is set (IBA 14.4.1.3).
    static final int HANDOVER = 1;

    static final int ACKNOWLEDGE = 2;

    /// How often a standby asks its master.
    private static final long POLL_NS = 1_000_000_000L;

    /// Questions without an answer after which the master counts as gone.
    private static final int MISSED_MAX = 3;

    private final int priority;
    private ManagerRole role = ManagerRole.DISCOVERING;

    /// The master that this one waits for.
    private Met master = Met.NONE;

    /// The manager that is to be master instead of this one.
    private Met heir = Met.NONE;

    /// The GUID of the manager that has handed over: it may still say that it is master.
    private long former;

    private int missed;
    private long nextPollNs = Long.MAX_VALUE;
    private boolean isStartDue;

    /// A manager that has answered.
    record Met(int vertex, long guid, int priority) {
        static final Met NONE = new Met(SubnetGraph.NONE, 0, -1);

        boolean isAny() {
            return vertex != SubnetGraph.NONE;
        }
    }

    /// @param priority of this manager
    Rivals(int priority) {
        this.priority = priority;
    }

    /// A new look at the whole subnet, as by a manager that has just come.
    ///
    /// @param isElected whether it is master already, by another election
    void start(boolean isElected) {
        role = isElected ? ManagerRole.MASTER : ManagerRole.DISCOVERING;
        master = Met.NONE;
        heir = Met.NONE;
        nextPollNs = Long.MAX_VALUE;
        isStartDue = false;
    }

    /// Asks each node that says it has a manager.
    void ask(SubnetGraph graph, LongQueue tasks) {
        master = Met.NONE;
        heir = Met.NONE;
        for (int vertex = 1; vertex < graph.vertices(); vertex++) {
            long at = graph.infoAt(graph.ownSlot(vertex));
            int capabilities = PortInfo.CAPABILITY_MASK.readInt(graph.infos(), at);
            if ((capabilities & PortCapability.IS_SM) != 0 && graph.isPresent(vertex)) {
                tasks.add(SmpKind.SM_INFO.at(vertex));
            }
        }
    }

    /// A manager has answered.
    ///
    /// @param ownGuid of this manager's port
    void answered(long task, MemorySegment mad, long ownGuid) {
        if (SmpKind.of(task) == SmpKind.SM_INFO) {
            met(SmpKind.place(task), mad, ownGuid);
        } else {
            said(task);
        }
    }

    /// Another manager does not answer, or not as one: what it would say does not count.
    ///
    /// @return whether the request was one to a manager
    boolean unanswered(long task) {
        switch (SmpKind.of(task)) {
            case SM_INFO -> silent(SmpKind.place(task));
            case SET_SM_INFO -> said(task);
            default -> {
                return false;
            }
        }
        return true;
    }

    /// Word to another manager has gone, whether it has come or not. One that has handed over, and
    /// gets no acknowledgement, finds this one as master.
    private void said(long task) {
        isStartDue |= SmpKind.block(task) == ACKNOWLEDGE;
    }

    private void met(int vertex, MemorySegment mad, long ownGuid) {
        Met other =
                new Met(
                        vertex,
                        SmInfo.GUID.read(mad, Smp.DATA),
                        SmInfo.PRIORITY.readInt(mad, Smp.DATA));
        int state = SmInfo.SM_STATE.readInt(mad, Smp.DATA);
        boolean isMaster = state == ManagerRole.MASTER.code();
        if (role == ManagerRole.STANDBY) {
            if (vertex == master.vertex) {
                missed = 0;
                // It has become a standby itself, perhaps of a third one.
                isStartDue |= !isMaster;
            }
            return;
        }
        boolean isHigher = isHigher(other, priority, ownGuid);
        boolean isBeginning = state == ManagerRole.DISCOVERING.code() && isHigher;
        if ((isMaster || (isBeginning && role == ManagerRole.DISCOVERING))
                && other.guid != former) {
            boolean counts = role == ManagerRole.DISCOVERING || isHigher;
            master = counts && isAbove(other, master) ? other : master;
        } else if (state == ManagerRole.STANDBY.code() && isHigher) {
            heir = isAbove(other, heir) ? other : heir;
        }
    }

    private static boolean isAbove(Met other, Met known) {
        return !known.isAny() || isHigher(other, known.priority, known.guid);
    }

    private static boolean isHigher(Met other, int priority, long guid) {
        return other.priority > priority
                || (other.priority == priority && Long.compareUnsigned(other.guid, guid) < 0);
    }

    /// After all have been asked: whether this manager goes on. Else it stands by.
    boolean goesOn(long nowNs) {
        former = 0;
        if (master.isAny()) {
            standBy(master, nowNs);
            return false;
        }
        role = ManagerRole.MASTER;
        return true;
    }

    private void standBy(Met other, long nowNs) {
        role = ManagerRole.STANDBY;
        master = other;
        heir = Met.NONE;
        missed = 0;
        nextPollNs = nowNs + POLL_NS;
    }

    /// The manager to which this one is to hand over, now that routes are written.
    Optional<Met> heir() {
        return role == ManagerRole.MASTER && heir.isAny() ? Optional.of(heir) : Optional.empty();
    }

    /// The manager that this one has handed over to has taken it.
    ///
    /// @return whether this one stands by now
    boolean acknowledged(long guid, long nowNs) {
        if (role != ManagerRole.MASTER || !heir.isAny() || heir.guid != guid) {
            return false;
        }
        standBy(heir, nowNs);
        return true;
    }

    /// The master wants this manager to take over.
    ///
    /// @return whether it is the one that this manager waits for, which is to be acknowledged
    boolean handedOver(long guid) {
        if (role != ManagerRole.STANDBY || master.guid != guid) {
            return false;
        }
        former = guid;
        return true;
    }

    /// The master did not answer.
    private void silent(int vertex) {
        if (role == ManagerRole.STANDBY && vertex == master.vertex && ++missed >= MISSED_MAX) {
            isStartDue = true;
        }
    }

    /// Asks the master whether it lives, if it is time.
    void poll(long nowNs, LongQueue tasks) {
        if (role == ManagerRole.STANDBY && nowNs >= nextPollNs) {
            nextPollNs = nowNs + POLL_NS;
            tasks.add(SmpKind.SM_INFO.at(master.vertex));
        }
    }

    /// When [#poll] is due.
    long timeoutNs() {
        return role == ManagerRole.STANDBY ? nextPollNs : Long.MAX_VALUE;
    }

    /// Whether this manager is to look for a master again, from the beginning.
    boolean isStartDue() {
        return isStartDue;
    }

    boolean isStandby() {
        return role == ManagerRole.STANDBY;
    }

    ManagerRole role() {
        return role;
    }

    /// The node of the master that this one waits for.
    int masterVertex() {
        return master.vertex;
    }

    int priority() {
        return priority;
    }
}
