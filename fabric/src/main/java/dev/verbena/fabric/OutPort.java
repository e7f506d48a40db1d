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
    private final PacketQueue control = new PacketQueue();
    private final Rate rate;
    private final int psPerByte;
    private @Nullable Link link;

    private boolean isBusy;
    private boolean isControl;
    private int leavingIngress;
    private int leavingLane;
    private int leavingBytes;

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

    /// Takes a packet to send, now or when its turn comes.
    final void offer(Packet packet, long nowPs) {
        queues.add(packet);
        if (!isBusy) {
            start(nowPs);
        }
    }

    /// Takes a frame for the neighbour, which goes before all packets.
    final void offerControl(Packet frame, long nowPs) {
        control.add(frame);
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

    /// A packet leaves.
    abstract void leaving(Packet packet);

    /// A frame of the neighbour came by this port.
    abstract void heard(Packet frame, long nowPs);

    /// A packet came by this port and was taken out of it at once, as a NIC does.
    abstract void taken(Packet packet, long nowPs);

    /// A bit for each class of the transport whose packets may leave.
    abstract int classes();

    /// The lane in which packets of a service level or priority leave.
    abstract int laneOf(int level);

    private void start(long nowPs) {
        Packet packet = control.poll();
        isControl = packet != null;
        if (packet == null) {
            packet = choose(nowPs);
            if (packet == null) {
                return;
            }
            leavingIngress = packet.ingress;
            leavingLane = packet.ingressLane;
            leavingBytes = packet.bufferBytes;
            leaving(packet);
            sentPackets[packet.lane]++;
            sentBytes[packet.lane] += packet.bufferBytes;
        }
        Link to = link;
        if (to == null) {
            throw new AssertionError("a port that sends has a link");
        }
        isBusy = true;
        long endPs = nowPs + ps(packet.wireBytes);
        busyPs += endPs - nowPs;
        clock.at(this, endPs);
        to.carry(packet, nowPs, endPs);
    }

    private @Nullable Packet choose(long nowPs) {
        owner.fill(this, nowPs);
        int waiting = queues.waiting();
        int lanes = waiting == 0 ? 0 : allowed(waiting);
        return lanes == 0 ? null : queues.poll(arbiter.choose(lanes, queues));
    }

    final long ps(int bytes) {
        return psPerByte != 0 ? (long) bytes * psPerByte : rate.ps(bytes);
    }

    @Override
    final void happen(long nowPs) {
        isBusy = false;
        if (!isControl) {
            // What has left was in somebody's buffer; that may let others send, even here.
            owner.left(leavingIngress, leavingLane, leavingBytes, nowPs);
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
