package dev.verbena.fabric;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The sending half of a port: packets wait by lane, and one leaves at a time.
///
/// As an event it is the end of that packet: the last bit has left.
abstract class OutPort extends Event {
    final Clock clock;
    final Node owner;
    final int number;
    final LaneQueues queues;
    private final Arbiter arbiter;
    private final TimedRing control = new TimedRing();
    private final long controlPs;
    private final Rate rate;
    private final int psPerByte;
    private @Nullable Link link;

    private boolean isBusy;
    private boolean isControl;
    private int leavingIngress;
    private int leavingLane;
    private int leavingWire;

    private final long[] sentPackets;
    private final long[] sentBytes;
    private long busyPs;

    OutPort(Clock clock, int order, Node owner, int number, PortSetup setup) {
        super(order);
        this.clock = clock;
        this.owner = owner;
        this.number = number;
        rate = setup.rate();
        psPerByte = rate.psPerByte();
        controlPs = ps(setup.controlBytes());
        queues = new LaneQueues(setup.lanes());
        arbiter = setup.arbiter().get();
        sentPackets = new long[setup.lanes()];
        sentBytes = new long[setup.lanes()];
    }

    void connect(Link to) {
        link = to;
    }

    Rate rate() {
        return rate;
    }

    /// Takes a packet to send in a lane, now or when its turn comes.
    final void offer(int lane, int handle, long tag, long nowPs) {
        queues.add(lane, handle, tag);
        if (!isBusy) {
            start(nowPs);
        }
    }

    /// Takes a frame for the neighbour, which goes before all packets.
    final void offerFrame(int kind, long frame, long nowPs) {
        control.add(kind, frame, 0);
        if (!isBusy) {
            start(nowPs);
        }
    }

    /// Something may go that could not before.
    final void wake(long nowPs) {
        if (!isBusy) {
            start(nowPs);
        }
    }

    final boolean isBusy() {
        return isBusy;
    }

    /// The lanes, among those in which something waits, whose first packet may leave now.
    abstract int allowed(int waiting);

    /// A packet leaves in a lane.
    abstract void leaving(int lane, int wireBytes);

    /// A frame of the neighbour came by this port.
    abstract void heard(long frame, long nowPs);

    /// A packet came by this port and was taken out of it at once, as a NIC does.
    abstract void taken(long tag, long nowPs);

    /// A bit for each class of the transport whose packets may leave.
    abstract int classes();

    /// The lane in which packets of a service level or priority leave.
    abstract int laneOf(int level);

    private void start(long nowPs) {
        isControl = !control.isEmpty();
        if (isControl) {
            int kind = control.handle();
            long frame = control.tag();
            control.drop();
            carry(kind, frame, nowPs, controlPs);
            return;
        }
        owner.fill(this, nowPs);
        int waiting = queues.waiting();
        int lanes = waiting == 0 ? 0 : allowed(waiting);
        if (lanes == 0) {
            return;
        }
        int lane = arbiter.choose(lanes, queues);
        int handle = queues.firstHandle(lane);
        long tag = queues.firstTag(lane);
        queues.drop(lane);
        int wire = Tag.wireBytes(tag);
        leavingIngress = Tag.ingress(tag);
        leavingLane = Tag.lane(tag);
        leavingWire = wire;
        leaving(lane, wire);
        sentPackets[lane]++;
        sentBytes[lane] += wire;
        carry(handle, Tag.withLane(tag, lane), nowPs, ps(wire));
    }

    private void carry(int handle, long tag, long nowPs, long durationPs) {
        Link to = link;
        if (to == null) {
            throw new AssertionError("a port that sends has a link");
        }
        isBusy = true;
        busyPs += durationPs;
        clock.at(this, nowPs + durationPs);
        to.carry(handle, tag, nowPs, nowPs + durationPs);
    }

    final long ps(int bytes) {
        return psPerByte != 0 ? (long) bytes * psPerByte : rate.ps(bytes);
    }

    @Override
    final void happen(long nowPs) {
        isBusy = false;
        if (!isControl) {
            // What has left was in somebody's buffer; that may let others send, even here.
            owner.left(leavingIngress, leavingLane, leavingWire, nowPs);
        }
        if (!isBusy) {
            start(nowPs);
        }
    }

    /// By lane, packets that have left or are leaving.
    long[] sentByLane() {
        return sentPackets.clone();
    }

    long sentPackets() {
        return Arrays.stream(sentPackets).sum();
    }

    /// Time in which something was leaving.
    long busyPs() {
        return busyPs;
    }

    long sentBytes() {
        return Arrays.stream(sentBytes).sum();
    }
}
