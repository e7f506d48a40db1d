package dev.verbena.fabric;

import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/// The sending half of a port: packets wait by lane, and one leaves at a time.
///
/// As an event it is the end of that packet, when the last bit has left; or, when it is idle, the
/// time at which the next one is ready.
abstract class OutPort extends Event implements Arbiter.Waiting {
    /// Words of a lane, side by side, since to look at one is to have them all: the first packet
    /// with the last one above it, link bytes of all that wait, packets and link bytes that have
    /// left.
    private static final int SHIFT = 2;

    private static final int LAST = 32;
    private static final int BYTES = 1;
    private static final int SENT = 2;
    private static final int SENT_BYTES = 3;
    private static final int NONE = PacketPool.NONE;

    final Clock clock;
    final Node owner;

    /// The owner, if it is one that makes packets when it can send them.
    private final @Nullable Nic nic;

    final int number;
    private final PacketPool pool;
    private final Arbiter arbiter;
    private final Cable cable;
    private final Rate rate;
    private final int psPerByte;
    private final long controlPs;
    private final long[] lanes;
    private @Nullable Link link;
    private @Nullable PortCapture capture;

    private int waiting;
    private int firstFrame = NONE;
    private int lastFrame = NONE;

    /// The packet that became the first of a lane when one left, and when it is ready: read then,
    /// since it is long ago that anybody looked at it, and needed only when the other has left.
    private int known;

    private long knownPs;
    private boolean isBusy;
    private boolean isControl;

    /// Input port of the packet that is leaving.
    private long leaving;

    private long endPs;

    /// The earliest time at which the port checks for a packet to send.
    private long lookPs = EventQueue.NEVER;

    private long busyPs;
    private long peakBytes;

    OutPort(Fabric fabric, PortPlace place, int lanes, Arbiter arbiter) {
        super(place.order());
        clock = fabric.clock();
        pool = fabric.pool();
        owner = place.owner();
        nic = owner instanceof Nic made ? made : null;
        number = place.number();
        cable = place.cable();
        this.arbiter = arbiter;
        rate = cable.rate();
        psPerByte = rate.psPerByte();
        controlPs = ps(fabric.settings().framing().controlBytes());
        this.lanes = new long[lanes << SHIFT];
        clock.add(this);
    }

    void captureTo(PortCapture everything) {
        capture = everything;
    }

    void connect(Link to) {
        link = to;
    }

    /// The cable that is plugged in.
    final Cable cable() {
        return cable;
    }

    @Override
    public final int waiting() {
        return waiting;
    }

    @Override
    public final int firstBytes(int lane) {
        return Tag.wireBytes(pool.tag((int) lanes[lane << SHIFT]));
    }

    /// Bytes of link time that wait in a lane.
    final int waitingBytes(int lane) {
        return (int) lanes[(lane << SHIFT) + BYTES];
    }

    /// Puts a packet at the end of a lane, without looking whether it could leave.
    final void add(int lane, int handle, long tag, long readyPs) {
        int at = lane << SHIFT;
        pool.set(handle, tag, readyPs);
        int first = (int) lanes[at];
        if (first == NONE) {
            first = handle;
            waiting |= 1 << lane;
        } else {
            pool.follow((int) (lanes[at] >> LAST), handle);
        }
        lanes[at] = (long) handle << LAST | first;
        long bytes = lanes[at + BYTES] + Tag.wireBytes(tag);
        lanes[at + BYTES] = bytes;
        if (bytes > peakBytes) {
            peakBytes = bytes;
        }
    }

    /// Takes a packet to send in a lane, when it is ready and its turn has come. Packets of a lane
    /// are ready in the order in which they are offered.
    final void offer(int lane, int handle, long tag, long readyPs, long nowPs) {
        add(lane, handle, tag, readyPs);
        if (isBusy) {
            return;
        }
        if (readyPs <= nowPs) {
            start(nowPs);
        } else {
            look(readyPs, nowPs);
        }
    }

    /// Takes a frame for the neighbour; it leaves before all packets.
    final void offerFrame(long frame, long nowPs) {
        int handle = pool.take();
        pool.set(handle, frame, 0);
        if (firstFrame == NONE) {
            firstFrame = handle;
        } else {
            pool.follow(lastFrame, handle);
        }
        lastFrame = handle;
        if (!isBusy) {
            start(nowPs);
        }
    }

    /// A packet may now be able to leave.
    final void wake(long nowPs) {
        if (!isBusy) {
            start(nowPs);
        }
    }

    /// The port at the other end of the cable.
    final OutPort neighbour() {
        return link().end();
    }

    /// The direction of the cable in which it sends.
    final Link link() {
        Link to = link;
        if (to == null) {
            throw new AssertionError("a port that sends has a link");
        }
        return to;
    }

    /// The cable is gone: what is sent is lost until it is [#plugged] in again.
    void unplugged(long nowPs) {
        owner.unplugged();
        wake(nowPs);
    }

    /// The cable is back.
    void plugged(long nowPs) {
        owner.plugged();
        wake(nowPs);
    }

    /// When the packet or frame has left that is leaving; now, if there is none.
    final long leavesPs(long nowPs) {
        return isBusy ? endPs : nowPs;
    }

    /// Whether a cable that loses packets at random may lose this packet or frame on the way to
    /// this port.
    abstract boolean mayLose(long tag);

    /// Hands over the tags of all packets that wait in a lane.
    final void eachWaiting(int lane, LongConsumer to) {
        int handle = (int) lanes[lane << SHIFT];
        while (handle != NONE) {
            to.accept(pool.tag(handle));
            handle = pool.following(handle);
        }
    }

    /// Hands over the tag of the packet that is leaving, if there is one.
    final void eachLeaving(LongConsumer to) {
        if (isBusy && !isControl) {
            to.accept(leaving);
        }
    }

    /// Whether the first packet of a lane may not leave until the neighbour's buffer has more room,
    /// also after all frames that are on their way have arrived.
    abstract boolean isHeld(int lane);

    /// Moves the ready packet of a lane to its front whose turn comes first, of equal ones the one
    /// that came first.
    final void bringForward(int lane, LongToIntFunction turn) {
        int at = lane << SHIFT;
        int first = (int) lanes[at];
        int best = NONE;
        int beforeBest = NONE;
        int least = Integer.MAX_VALUE;
        int before = NONE;
        int handle = first;
        while (handle != NONE && pool.timePs(handle) <= clock.nowPs()) {
            int waits = turn.applyAsInt(pool.tag(handle));
            if (waits < least) {
                least = waits;
                best = handle;
                beforeBest = before;
            }
            before = handle;
            handle = pool.following(handle);
        }
        if (best == first || best == NONE) {
            return;
        }
        int last = (int) (lanes[at] >> LAST);
        pool.follow(beforeBest, pool.following(best));
        pool.follow(best, first);
        lanes[at] = (long) (last == best ? beforeBest : last) << LAST | best;
    }

    /// The lanes, among those in which something waits, whose first packet may leave now.
    abstract int allowed(int lanesWaiting);

    /// A packet leaves in a lane; it no longer counts among those that wait.
    abstract void leaving(int handle, int lane, int wireBytes);

    /// A frame of the neighbour arrived at this port.
    abstract void heard(long frame, long nowPs);

    /// A packet arrived at this port and was removed at once, as in a NIC.
    abstract void taken(long tag, long nowPs);

    /// A bit for each class of the transport whose packets may leave.
    abstract int classes();

    /// Packets of these classes would leave if they were allowed to.
    void held(int classes) {}

    /// The lane in which packets of a service level or priority leave.
    abstract int laneOf(int level);

    private void start(long nowPs) {
        isControl = firstFrame != NONE;
        if (isControl) {
            int frame = firstFrame;
            firstFrame = pool.following(frame);
            carry(frame, pool.tag(frame), nowPs, controlPs);
            return;
        }
        if (nic != null) {
            nic.fill(this, nowPs);
        }
        if (waiting != 0) {
            send(nowPs);
        }
    }

    /// Lets the packet leave whose turn has come, if one may.
    ///
    /// It is a method of its own for the compiler: the transport, which a NIC calls before, is so
    /// large that nothing that follows in the same method would be inlined, in switches neither.
    private void send(long nowPs) {
        int may = ready(allowed(waiting), nowPs);
        if (may == 0) {
            return;
        }
        // The arbiter has a choice only where more than one lane waits.
        int lane =
                may == waiting && (may & (may - 1)) == 0
                        ? Integer.numberOfTrailingZeros(may)
                        : arbiter.choose(may, this);
        int at = lane << SHIFT;
        int handle = (int) lanes[at];
        long tag = pool.tag(handle);
        int wire = Tag.wireBytes(tag);
        int following = pool.following(handle);
        lanes[at] += following - handle;
        lanes[at + BYTES] -= wire;
        lanes[at + SENT]++;
        lanes[at + SENT_BYTES] += wire;
        known = following;
        knownPs = pool.timePs(following);
        if (following == NONE) {
            waiting &= ~(1 << lane);
        }
        leaving = tag;
        leaving(handle, lane, wire);
        carry(handle, Tag.withLane(tag, lane), nowPs, ps(wire));
    }

    /// Of lanes that may send, those whose first packet is ready; looks again when others are.
    private int ready(int may, long nowPs) {
        int ready = may;
        long soonestPs = EventQueue.NEVER;
        for (int left = may; left != 0; left &= left - 1) {
            int lane = Integer.numberOfTrailingZeros(left);
            int first = (int) lanes[lane << SHIFT];
            long readyPs = first == known ? knownPs : pool.timePs(first);
            if (readyPs > nowPs) {
                ready &= ~(1 << lane);
                soonestPs = Math.min(soonestPs, readyPs);
            }
        }
        if (ready == 0 && soonestPs != EventQueue.NEVER) {
            look(soonestPs, nowPs);
        }
        return ready;
    }

    private void look(long timePs, long nowPs) {
        if (timePs < lookPs || lookPs <= nowPs) {
            lookPs = timePs;
            clock.at(this, timePs);
        }
    }

    private void carry(int handle, long tag, long nowPs, long usualPs) {
        Link to = link();
        if (capture != null) {
            capture(capture, handle, tag, nowPs);
        }
        long durationPs = to.durationPs(usualPs);
        isBusy = true;
        busyPs += durationPs;
        endPs = nowPs + durationPs;
        clock.at(this, endPs);
        to.carry(handle, tag, nowPs, endPs);
    }

    private void capture(PortCapture to, int handle, long tag, long nowPs) {
        if (LinkFrame.is(tag)) {
            to.frame(tag, nowPs);
        } else {
            to.packet(handle, Tag.lane(tag), nowPs);
        }
    }

    final long ps(int bytes) {
        return psPerByte != 0 ? (long) bytes * psPerByte : rate.ps(bytes);
    }

    @Override
    final void happen(long nowPs) {
        if (isBusy) {
            if (nowPs < endPs) {
                // The port has started to send since this time was set.
                return;
            }
            isBusy = false;
            if (!isControl && Tag.destination(leaving) != Reductions.DESTINATION) {
                // The packet has left a buffer; that can let other ports send, and this one too.
                // What a switch has combined was in the buffer of its reducer.
                owner.left(Tag.ingress(leaving), Tag.lane(leaving), Tag.wireBytes(leaving), nowPs);
            }
        }
        if (!isBusy) {
            start(nowPs);
        }
    }

    /// By lane, packets that have left or are leaving.
    long[] sentByLane() {
        long[] packets = new long[laneCount()];
        Arrays.setAll(packets, this::sentPackets);
        return packets;
    }

    /// Packets that have left or are leaving in a lane.
    long sentPackets(int lane) {
        return lanes[(lane << SHIFT) + SENT];
    }

    /// Link bytes that have left or are leaving in a lane.
    long sentBytes(int lane) {
        return lanes[(lane << SHIFT) + SENT_BYTES];
    }

    /// By lane, packets that have left or are leaving onto a cable.
    long[] carriedByLane() {
        long[] packets = sentByLane();
        LinkFault fault = link().fault();
        for (int lane = 0; lane < packets.length && fault != null; lane++) {
            packets[lane] -= fault.gonePackets(lane);
        }
        return packets;
    }

    /// Link bytes of a lane that have left or are leaving onto a cable.
    long carriedBytes(int lane) {
        LinkFault fault = link().fault();
        return sentBytes(lane) - (fault == null ? 0 : fault.goneBytes(lane));
    }

    /// Packets that the cable has lost in this direction.
    long lostPackets() {
        LinkFault fault = link().fault();
        return fault == null ? 0 : fault.lostPackets();
    }

    /// How often the cable was unplugged.
    long downs() {
        LinkFault fault = link().fault();
        return fault == null ? 0 : fault.downs();
    }

    int laneCount() {
        return lanes.length >> SHIFT;
    }

    long sentPackets() {
        long packets = 0;
        for (int lane = 0; lane < laneCount(); lane++) {
            packets += sentPackets(lane);
        }
        return packets;
    }

    /// Time in which a packet was leaving.
    long busyPs() {
        return busyPs;
    }

    /// The most that waited in a lane at a time since this was last asked.
    long takePeakBytes() {
        long peak = peakBytes;
        peakBytes = 0;
        return peak;
    }

    long sentBytes() {
        long bytes = 0;
        for (int lane = 0; lane < laneCount(); lane++) {
            bytes += sentBytes(lane);
        }
        return bytes;
    }
}
