package dev.verbena.roce;

import dev.verbena.transport.TransportDevice;
import dev.verbena.transport.carrier.Driver;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Verdict;
import java.lang.ref.WeakReference;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Moves packets between a device and its sockets; the subclasses decide which thread calls it, and
/// when.
///
/// A turn sends first and receives then: requests that a program posts after it saw the packets of
/// one turn are sent at the start of the next, before the acknowledgement of those packets. Of two
/// packets that arrived together a turn processes one: they are a response and the acknowledgement
/// after it, and the effects of the response need not wait for the acknowledgement.
abstract class Carrier implements Driver {
    private static final int ALL_CLASSES = 0xFFFF;

    /// Bytes that one turn sends: a few trains, then it checks for responses.
    static final int TURN_BYTES = 4 * Train.BYTES_MAX;

    private static final int ECN_MASK = 3;

    /// Arrivals of one turn where each is a single packet; a train is enough for a turn.
    private static final int SINGLES_MAX = 16;

    /// Packets that a socket which is never empty may deliver before requests time out all the
    /// same: several times what fits into its buffer. A flood must not keep them for ever.
    private static final int UNREAD_MAX = 1 << 16;

    final DeviceLock lock = new DeviceLock();
    final Yielding yielding = new Yielding(nowNs());
    final Datagrams datagrams;
    private final String name;
    private final Gid own;
    private final SendTroubles troubles = new SendTroubles();
    private final Train train;
    private final Integrity integrity;
    private final Arrival arrival = new Arrival(Arrival.BYTES_MAX);
    private final InboundPacket inbound = new InboundPacket();
    private final @Nullable Forwarding forwarding;
    private final Aside aside;
    private final Losses losses;

    /// The bits of a queue pair number's upper byte that are the same in all of this device's.
    private final int sharedMask;

    private final int sharedBits;

    /// The device while it works for peers. Otherwise nothing here keeps it from being forgotten.
    @Nullable TransportDevice kept;

    private @Nullable WeakReference<TransportDevice> device;
    private final int arrivalsMax;
    private boolean isTurning;

    /// Whether a turn has ended with an exception: nothing of the device can be relied on then.
    boolean isBroken;

    private long turnNs = nowNs();

    /// When the socket was empty last: all packets before that were handled.
    private long heardNs = turnNs;

    /// The packets until then.
    private long arrivedWhenEmpty;

    private long arrivals;

    /// Bytes that one turn may send; tests lower it, to see that responses wait.
    int turnBytes = TURN_BYTES;

    private long arrivedPackets;

    /// The start of the next received packet, and its index in its train.
    private int at;

    private int place;
    boolean isClosed;

    Carrier(RoceSettings settings, Datagrams datagrams, int scope) {
        this.datagrams = datagrams;
        arrivalsMax = datagrams.trainMax() > 1 ? 1 : SINGLES_MAX;
        name = settings.name();
        own = settings.address();
        train = new Train(datagrams, Route.cache(datagrams, own, scope), troubles);
        integrity = new Integrity(own, settings.port());
        forwarding = datagrams.forwarding();
        losses = new Losses(settings.loss());
        aside = new Aside(settings, datagrams, losses);
        sharedMask = forwarding == null ? 0 : 0xF0;
        sharedBits = forwarding == null ? 0 : forwarding.slot() << 4;
    }

    /// The device needs its carrier before the carrier its device.
    void start(TransportDevice made) {
        device = new WeakReference<>(made);
    }

    /// The device; null when its program has forgotten it.
    private @Nullable TransportDevice found() {
        TransportDevice known = kept;
        if (known != null) {
            return known;
        }
        return Objects.requireNonNull(device, "a carrier has its device before it is used").get();
    }

    /// For calls that the device itself has made, or that [#found] was called before.
    final TransportDevice device() {
        return Objects.requireNonNull(found(), "a device that calls is there");
    }

    /// When the device has something to do next.
    final long dueNs() {
        TransportDevice known = found();
        return known == null ? Long.MAX_VALUE : known.pollTimeout();
    }

    @Override
    public final long nowNs() {
        return System.nanoTime();
    }

    /// When the turn that is done, or the last one that was, began.
    final long turnNs() {
        return turnNs;
    }

    /// Sends, receives, and handles due timers; returns whether there was any work. The lock is
    /// held.
    final boolean turnOnce() {
        TransportDevice turning = found();
        if (lock.isAbandoned() && !isBroken && turning != null) {
            broke();
            turning.fail(new IllegalStateException("a thread ended in the middle of a call"));
            return true;
        }
        if (isTurning || isClosed || isBroken || turning == null) {
            // A listener polls; the turn that called it continues.
            return false;
        }
        isTurning = true;
        try {
            long nowNs = nowNs();
            turnNs = nowNs;
            boolean moved = transmit(nowNs);
            // A listener may close the device; the number of its socket may be another file's then.
            for (int i = 0; i < arrivalsMax && !isClosed && receive(nowNs); i++) {
                moved = true;
            }
            moved |= aside.receive(nowNs, turning);
            if (turning.pollTimeout() <= nowNs) {
                turning.handleTimeout(nowNs, heardNs(nowNs));
                moved = true;
            }
            return moved;
        } catch (Throwable broken) {
            broke();
            turning.fail(broken);
            throw broken;
        } finally {
            isTurning = false;
        }
    }

    /// A device that does nothing more is not kept from being forgotten.
    private void broke() {
        isBroken = true;
        kept = null;
    }

    /// Sends for a thread that has just posted and holds the lock, at most the bytes of one turn;
    /// returns whether there may be more.
    final boolean sendNow() {
        if (isTurning || isBroken) {
            return false;
        }
        TransportDevice sending = device();
        isTurning = true;
        try {
            long nowNs = nowNs();
            boolean sent = transmit(nowNs);
            // A second turn may still find many packets.
            return sent && !isClosed && transmit(nowNs);
        } catch (Throwable broken) {
            broke();
            sending.fail(broken);
            throw broken;
        } finally {
            isTurning = false;
        }
    }

    /// The device frees no memory while the train has addresses in it.
    final boolean transmit(long nowNs) {
        if (turnBytes == 0) {
            return false;
        }
        TransportDevice sending = device();
        sending.holdMemory();
        try {
            return transmitHeld(sending, nowNs);
        } finally {
            train.drop();
            // Listeners run here, and may close the device.
            sending.letMemoryGo();
        }
    }

    private boolean transmitHeld(TransportDevice sending, long nowNs) {
        int packets = sending.pollTransmit(nowNs, ALL_CLASSES, turnBytes, train);
        boolean isCut = sending.pendingClasses() != 0 && turnBytes == TURN_BYTES;
        if (isCut && train.room() > 0) {
            // The limit of a turn may be reached inside a train: the rest of the train costs
            // little.
            packets += sending.pollTransmit(nowNs, ALL_CLASSES, train.room(), train);
        }
        train.flush();
        return packets > 0;
    }

    /// Until when all that has arrived was handled. A turn that comes late finds the answers to
    /// what seems to be overdue; only turns that find ever more to read do not wait for the end.
    private long heardNs(long nowNs) {
        return arrivedPackets - arrivedWhenEmpty > UNREAD_MAX ? nowNs : heardNs;
    }

    /// Whether packets were received that no turn has processed yet: no system call reports them.
    final boolean hasMore() {
        return at < arrival.length && !isClosed && !isBroken;
    }

    /// Whether packets wait for a turn that sends them, acknowledgements among them.
    final boolean hasToSend() {
        TransportDevice known = found();
        return known != null && known.pendingClasses() != 0;
    }

    private boolean receive(long nowNs) {
        int stop = arrival.length;
        if (at >= stop) {
            if (!datagrams.receive(arrival)) {
                heardNs = nowNs;
                arrivedWhenEmpty = arrivedPackets;
                return false;
            }
            arrivals++;
            cameFrom();
            at = 0;
            place = 0;
            if (arrival.length == 0) {
                // An arrival all the same: the socket is not empty.
                arrivedPackets++;
                handle(nowNs, 0, 0, 0);
                return true;
            }
            boolean isTwo = arrival.length <= 2 * arrival.packetLength;
            stop = isTwo ? arrival.packetLength : arrival.length;
        }
        for (; at < stop && !isClosed; at += arrival.packetLength) {
            handleNext(nowNs, Math.min(arrival.packetLength, arrival.length - at));
            place++;
            arrivedPackets++;
        }
        return true;
    }

    private void handleNext(long nowNs, int length) {
        if (forwarding == null || isOurs()) {
            handle(nowNs, at, length, place);
        } else {
            handleOthers(nowNs, forwarding, at, length, place);
        }
    }

    /// Whether the next packet is this device's and no other's: each has a queue pair 1.
    private boolean isOurs() {
        int upper = BigEndian.u8(arrival.bytes, at + Steering.AT);
        return (upper & sharedMask) == sharedBits
                && (upper != 0 || !Steering.isManagement(arrival.bytes, at));
    }

    private void cameFrom() {
        integrity.from(arrival.sourceHigh, arrival.sourceLow, arrival.sourcePort);
        came(inbound, arrival, own);
    }

    /// Reports the source and destination of packets to the device.
    static void came(InboundPacket packet, Arrival by, Gid to) {
        packet.from(0, by.sourceHigh, by.sourceLow)
                .to(to)
                .route(0, by.trafficClass, 0, by.hopLimit)
                .ecn(by.trafficClass & ECN_MASK);
    }

    private void handle(long nowNs, int from, int length, int guess) {
        if (losses.takesNext()) {
            return;
        }
        Verdict verdict = inbound.view().wrapTransport(arrival.bytes, from, length);
        inbound.verdict(integrity.check(verdict, inbound.view(), guess));
        device().handlePacket(nowNs, inbound);
    }

    /// Handles a packet that may be for another device at the same address, or from it: each has a
    /// queue pair 1.
    private void handleOthers(long nowNs, Forwarding through, int from, int length, int guess) {
        if (!through.isPassedOn(arrival)) {
            if (!through.passes(nowNs, arrival, from, length, guess)) {
                handle(nowNs, from, length, guess);
            }
            return;
        }
        int placeBefore = through.unwrap(arrival);
        cameFrom();
        handle(nowNs, Forwarding.HEADER, length - Forwarding.HEADER, placeBefore);
    }

    @Override
    public void closed() {
        lock.enter();
        try {
            isClosed = true;
            kept = null;
            datagrams.close();
        } finally {
            lock.exit();
        }
    }

    @Override
    public void joined(Gid group) {
        if (group.isIpv4() != own.isIpv4()) {
            throw new InvalidRequestException(
                    name,
                    "it cannot join the multicast group " + group,
                    own.isIpv4()
                            ? "at an IPv4 address there are groups of 224.0.0.0/4"
                            : "at an IPv6 address there are groups of ff00::/8");
        }
        aside.join(group);
    }

    @Override
    public void left(Gid group) {
        aside.leave(group);
    }

    @Override
    public boolean claimed(long serviceId) {
        return forwarding == null || forwarding.services().claim(serviceId);
    }

    @Override
    public void released(long serviceId) {
        if (forwarding != null && !isClosed) {
            forwarding.services().release(serviceId, nowNs());
        }
    }

    @Override
    public int lastError(Gid peer) {
        return troubles.of(peer);
    }

    @Override
    public String explain(int error) {
        return "Packets to the peer did not leave this machine: %s; %s."
                .formatted(Errno.text(error), Errno.remedy(error));
    }

    @Override
    public SortedMap<String, Long> counters() {
        SortedMap<String, Long> counts = new TreeMap<>();
        counts.put("socket_tx_trains", train.sentTrains());
        counts.put("socket_tx_lost_pkts", troubles.packets());
        troubles.countInto(counts);
        counts.put("socket_tx_gone_memory", train.goneMemory());
        counts.put("socket_rx_trains", arrivals);
        counts.put("socket_rx_pkts", arrivedPackets);
        counts.put("socket_rx_aside_pkts", aside.packets());
        counts.put("socket_rx_drops", Math.max(0, datagrams.drops()));
        counts.put("socket_rx_lost_on_purpose", losses.packets());
        counts.put("socket_rx_ids_solved", integrity.solved() + aside.solved());
        if (forwarding != null) {
            counts.put("socket_tx_forwarded", forwarding.sent());
            counts.put("socket_rx_forwarded", forwarding.received());
            counts.put("socket_rx_for_nobody", forwarding.refused());
        }
        return counts;
    }

    @Override
    public String description() {
        return datagrams.description() + ", " + progress();
    }

    /// The thread that drives the device, in a few words.
    abstract String progress();

    @Override
    public String toString() {
        return name;
    }
}
