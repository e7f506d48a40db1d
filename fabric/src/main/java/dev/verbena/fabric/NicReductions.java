package dev.verbena.fabric;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.spi.NetworkReduction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The reductions of a NIC: the groups of which it is a member, whose packets it sends in turn
/// beside those of the transport. As an event it is the first of their time-outs.
final class NicReductions extends Alarm implements NetworkReduction {
    private final Nic nic;
    private final Fabric fabric;
    private final @Nullable SlowNic slow;
    private final List<ReductionMember> members = new ArrayList<>();
    private final List<Thread> waiters = new ArrayList<>();
    private int turn;
    private boolean wasLast;
    private long armedPs = EventQueue.NEVER;

    NicReductions(Nic nic, Fabric fabric, @Nullable SlowNic slow, int globalPort) {
        super(fabric.clock(), Orders.reduction(globalPort));
        this.nic = nic;
        this.fabric = fabric;
        this.slow = slow;
    }

    Nic nic() {
        return nic;
    }

    Fabric fabric() {
        return fabric;
    }

    @Override
    public Answer join(long group, int member, List<Address> addresses) {
        fabric.enter();
        try {
            return fabric.reductions().join(this, group, member, addresses);
        } finally {
            fabric.exit();
        }
    }

    /// Lets a program's thread wait, as a completion queue does.
    boolean await(Duration atMost, BooleanSupplier isDecided) {
        long startNs = nic.nowNs();
        long limitNs = saturatedNs(atMost);
        long untilNs = startNs + limitNs < startNs ? Long.MAX_VALUE : startNs + limitNs;
        Thread self = Thread.currentThread();
        waiters.add(self);
        try {
            while (!isDecided.getAsBoolean()) {
                boolean moved = nic.turn();
                if (isDecided.getAsBoolean()) {
                    break;
                }
                if (nic.nowNs() >= untilNs || self.isInterrupted()) {
                    return false;
                }
                long beforeNs = nic.nowNs();
                if (!moved) {
                    nic.idle(untilNs, isDecided);
                }
                if (!moved && untilNs == Long.MAX_VALUE && nic.nowNs() == beforeNs) {
                    // Virtual time stands still where nothing will ever happen.
                    return isDecided.getAsBoolean();
                }
            }
            return true;
        } finally {
            waiters.remove(self);
        }
    }

    /// Lets the threads that wait look again.
    void rouse() {
        for (int i = 0; i < waiters.size(); i++) {
            nic.rouse(waiters.get(i));
        }
    }

    private static long saturatedNs(Duration timeout) {
        try {
            return Math.max(0, timeout.toNanos());
        } catch (ArithmeticException tooLong) {
            return Long.MAX_VALUE;
        }
    }

    ReductionMember add(ReductionGroup group, int index) {
        ReductionMember made = new ReductionMember(this, group, index);
        group.enter(made);
        members.add(made);
        return made;
    }

    void leave(ReductionMember member) {
        members.remove(member);
        if (member.group().leave(member)) {
            fabric.reductions().end(member.group());
        }
    }

    /// The device was closed.
    void closed() {
        for (ReductionMember member : List.copyOf(members)) {
            member.group().fail(member.index(), nic + " has closed its device");
            leave(member);
        }
        cancel();
        armedPs = EventQueue.NEVER;
    }

    /// Whether a reduction was the last to send where others wanted to.
    boolean wasLast() {
        return wasLast;
    }

    /// Puts a packet at the port, if none waits in its lane.
    void fill(OutPort out, long nowPs) {
        int lane = out.laneOf(ReductionMember.LEVEL);
        if ((out.waiting() & (1 << lane)) != 0) {
            wasLast = false;
            return;
        }
        ReductionMember member = next(nowPs);
        if (member == null) {
            return;
        }
        if ((out.classes() & (1 << ReductionMember.LEVEL)) == 0) {
            out.held(1 << ReductionMember.LEVEL);
        } else if (slow == null || slow.mayBegin(nowPs)) {
            member.send(out, lane, nowPs);
            wasLast = true;
            if (slow != null) {
                slow.began(nowPs);
            }
        }
    }

    /// The next member with a packet, or null.
    private @Nullable ReductionMember next(long nowPs) {
        for (int i = 0; i < members.size(); i++) {
            turn = turn + 1 < members.size() ? turn + 1 : 0;
            if (members.get(turn).hasPacket(nowPs)) {
                return members.get(turn);
            }
        }
        return null;
    }

    /// A result has come.
    void arrived(int handle, ReductionGroup group, long nowPs) {
        for (int i = 0; i < members.size(); i++) {
            if (members.get(i).group() == group) {
                members.get(i).arrived(handle, nowPs);
                return;
            }
        }
    }

    /// Makes sure that it rings no later than at that time.
    void arm(long timePs) {
        if (timePs < armedPs) {
            armedPs = timePs;
            set(timePs);
        }
    }

    @Override
    void ring(long nowPs) {
        armedPs = EventQueue.NEVER;
        for (int i = 0; i < members.size(); i++) {
            ReductionMember member = members.get(i);
            if (member.deadlinePs() <= nowPs) {
                member.expired(nowPs);
            }
            if (member.deadlinePs() != EventQueue.NEVER) {
                arm(member.deadlinePs());
            }
        }
        nic.port().wake(nowPs);
    }

    @Override
    public String toString() {
        return "reductions of " + nic;
    }
}
