package dev.verbena.collectives.link;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.UnsupportedException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The queue pair between two ranks for one lane, and what is under way on it.
///
/// Short messages are copied into slots of the receiver: the sender knows by credits how many are
/// free. A long message waits until the receiver has granted memory for it: it is written there
/// directly. Messages of each kind arrive in the order of sending.
///
/// The peer's numbers are checked against what it was given: a peer that breaks the rules ends the
/// communicator.
public final class Link {
    private static final long ADDRESS = 0;
    private static final long LENGTH = 8;
    private static final long KEY = 16;

    /// One request in so many asks for a completion, because a NIC frees requests by completions.
    private static final int SIGNAL_EVERY = 4;

    /// Beside the identifiers of long messages, which are not negative.
    private static final long NO_MESSAGE = -1;

    private final Links owner;
    private final int peer;
    private final int lane;
    private final RankDevice device;
    private final LinkSettings settings;
    private final Slab.Piece slots;
    private final Slab.Piece table;
    private final int[] shortLengths;
    private final long[] grantedLengths;

    private final MemorySegment grants;

    private @Nullable QueuePair pair;
    private @Nullable Connection connection;
    private @Nullable Greeting remote;
    private boolean isReady;
    private boolean hasLeft;
    private boolean isClosing;
    private int posted;

    // What we receive.
    private long shortArrived;
    private long shortTaken;
    private long shortTold;
    private long grantsSent;
    private long longArrived;
    private long longTaken;
    private long creditsArrived;

    // What we send.
    private long shortSent;
    private long shortCredited;
    private long grantsArrived;
    private long longSent;
    private long creditsSent;

    Link(Links owner, int peer, int lane, RankDevice device, LinkSettings settings) {
        this.owner = owner;
        this.peer = peer;
        this.lane = lane;
        this.device = device;
        this.settings = settings;
        slots = device.slots();
        table = device.grants();
        grants = table.region().segment();
        shortLengths = new int[settings.slots()];
        grantedLengths = new long[settings.grants()];
    }

    public int peer() {
        return peer;
    }

    public int lane() {
        return lane;
    }

    /// Whether messages can be sent.
    public boolean isReady() {
        return isReady;
    }

    /// Whether the peer has closed its end.
    boolean hasLeft() {
        return hasLeft;
    }

    QueuePair pair() {
        return Objects.requireNonNull(pair, "a link is used after it was made");
    }

    Greeting greeting(long communicator, int rank) {
        return new Greeting(
                communicator,
                rank,
                lane,
                settings.shortBytes(),
                settings.slots(),
                settings.grants(),
                slots.address(),
                slots.region().remoteKey(),
                table.address(),
                table.region().remoteKey());
    }

    /// Begins to connect to the peer.
    void connect(Member member, int network, Greeting ours) {
        QueuePair made = device.pair();
        pair = made;
        connection =
                device.domain()
                        .device()
                        .connect(
                                made,
                                member.addresses().get(network),
                                member.port(),
                                ours.toBytes());
    }

    /// Accepts the peer's request.
    void accept(ConnectionRequest request, Greeting theirs, Greeting ours) {
        QueuePair made = device.pair();
        pair = made;
        remote = theirs;
        connection = request.accept(made, ours.toBytes());
    }

    boolean isAsked() {
        return connection != null;
    }

    Connection.@Nullable State state() {
        return connection == null ? null : connection.state();
    }

    @Nullable Connection connection() {
        return connection;
    }

    /// The connection was not made; the peer may not listen yet.
    void giveUp() {
        if (pair != null) {
            pair.close();
        }
        pair = null;
        connection = null;
        remote = null;
    }

    /// The connection is made; returns what is wrong with the peer, or null.
    @Nullable String established() {
        Connection made = Objects.requireNonNull(connection, "it was asked for");
        Greeting theirs = remote == null ? Greeting.of(made.privateData()) : remote;
        if (theirs == null || !theirs.fits(settings)) {
            return "it has other settings of links, or another version";
        }
        remote = theirs;
        if (!settings.keepAlive().isZero()) {
            try {
                made.keepAlive(settings.keepAlive());
            } catch (UnsupportedException none) {
                // Then the time-out of the operation has to do.
            }
        }
        isReady = true;
        return null;
    }

    // ---- receiving

    /// Whether a short message waits.
    public boolean hasShort() {
        return shortArrived > shortTaken;
    }

    /// The length of the oldest short message.
    public int shortLength() {
        return shortLengths[(int) (shortTaken % shortLengths.length)];
    }

    /// The memory of the slots, or null where messages have a length alone.
    public @Nullable MemorySegment slotBytes() {
        return slots.bytes();
    }

    /// Where the oldest short message begins in [#slotBytes].
    public long slotOffset() {
        return slots.offset() + shortTaken % settings.slots() * settings.shortBytes();
    }

    /// The oldest short message has been taken out of its slot.
    public void takeShort() {
        shortTaken++;
        if (shortTaken - shortTold >= settings.slots() / 2 && isReady && !hasLeft) {
            post(batch(Signal.CREDIT, creditsSent++, 0, 0));
        }
    }

    /// Whether one more long message may be granted.
    public boolean canGrant() {
        return isReady && grantsSent - longTaken < settings.grants();
    }

    /// Tells the peer where its next long message goes.
    public void grant(MemoryRegion region, long offset, long length) {
        int index = (int) (grantsSent % settings.grants());
        long at = table.offset() + (long) (settings.grants() + index) * RankDevice.GRANT_BYTES;
        grants.set(JAVA_LONG, at + ADDRESS, region.address() + offset);
        grants.set(JAVA_LONG, at + LENGTH, length);
        grants.set(JAVA_INT, at + KEY, region.remoteKey());
        grantedLengths[index] = length;
        Greeting to = remote();
        long address = to.grantAddress() + (long) index * RankDevice.GRANT_BYTES;
        SendBatch batch = batch(Signal.GRANT, grantsSent++, address, to.grantKey());
        post(batch.local(table.region(), at, RankDevice.GRANT_BYTES));
    }

    /// Whether a granted message has arrived that was not taken.
    public boolean hasLong() {
        return longArrived > longTaken;
    }

    public void takeLong() {
        longTaken++;
    }

    // ---- sending

    /// Whether a slot of the peer is free.
    public boolean canSendShort() {
        return isReady && shortSent - shortCredited < settings.slots();
    }

    /// Sends a short message; its memory may change at once.
    public void sendShort(@Nullable MemorySegment from, long offset, int length) {
        long index = shortSent % settings.slots();
        long at = slots.offset() + (settings.slots() + index) * settings.shortBytes();
        MemorySegment staging = slots.bytes();
        if (staging != null && from != null) {
            MemorySegment.copy(from, offset, staging, at, length);
        }
        Greeting to = remote();
        long address = to.slotAddress() + index * settings.shortBytes();
        SendBatch batch = batch(Signal.SHORT, shortSent++, address, to.slotKey());
        post(batch.local(slots.region(), at, length));
    }

    /// Whether the peer has granted memory for the next long message.
    public boolean hasGrant() {
        return grantsArrived > longSent;
    }

    /// The length for which the next grant is.
    public long grantedLength() {
        return grants.get(JAVA_LONG, grantAt() + LENGTH);
    }

    private long grantAt() {
        return table.offset() + longSent % settings.grants() * RankDevice.GRANT_BYTES;
    }

    /// Sends a long message; its memory must not change before [Acks#acknowledged].
    public void sendLong(MemoryRegion region, long offset, long length, int send) {
        long at = grantAt();
        long address = grants.get(JAVA_LONG, at + ADDRESS);
        SendBatch batch =
                pair().sends()
                        .writeImmediate(
                                address,
                                grants.get(JAVA_INT, at + KEY),
                                Signal.of(Signal.LONG, shortTaken, longSent++))
                        .local(region, offset, length)
                        .id(send)
                        .signaled();
        shortTold = shortTaken;
        post(batch);
    }

    /// Tells the peer that the communicator has failed because of a rank.
    void sendFailure(int rank) {
        if (isReady && !hasLeft) {
            pair().sends().writeImmediate(0, 0, Signal.failed(rank)).id(NO_MESSAGE).post();
        }
    }

    /// Tells the peer that we close our end.
    void leave() {
        isClosing = true;
        if (isReady && !hasLeft) {
            post(batch(Signal.LEFT, 0, 0, 0).signaled());
        }
    }

    private SendBatch batch(int kind, long number, long address, int key) {
        SendBatch batch =
                pair().sends()
                        .writeImmediate(address, key, Signal.of(kind, shortTaken, number))
                        .id(NO_MESSAGE);
        shortTold = shortTaken;
        return ++posted % SIGNAL_EVERY == 0 ? batch.signaled() : batch;
    }

    private void post(SendBatch batch) {
        if (!batch.post()) {
            owner.fail(peer, "the send queue of " + this + " is full, which its limits rule out");
        }
    }

    private Greeting remote() {
        return Objects.requireNonNull(remote, "a link is used when it is ready");
    }

    // ---- what completes

    void sent(long id) {
        if (id != NO_MESSAGE) {
            owner.acknowledged(lane, (int) id);
        }
    }

    /// A request failed, or the connection ended.
    void broken(String why) {
        isReady = false;
        if (!hasLeft && !isClosing) {
            owner.fail(peer, why);
        }
    }

    /// The peer has written something, and this is its signal.
    void arrived(int signal, long length) {
        shortCredited = Math.max(shortCredited, Signal.credit(signal, shortCredited));
        boolean isRight =
                switch (Signal.kind(signal)) {
                    case Signal.SHORT -> shortArrived(signal, length);
                    case Signal.LONG -> longArrived(signal, length);
                    case Signal.GRANT -> grantArrived(signal, length);
                    case Signal.CREDIT -> Signal.hasNumber(signal, creditsArrived++);
                    case Signal.FAILED -> {
                        owner.reported(Signal.rank(signal), peer);
                        yield true;
                    }
                    case Signal.LEFT -> {
                        hasLeft = true;
                        yield true;
                    }
                    default -> false;
                };
        if (!isRight || shortCredited > shortSent) {
            owner.fail(peer, "it broke the rules of links with signal 0x%08x".formatted(signal));
        }
    }

    private boolean shortArrived(int signal, long length) {
        boolean isRight =
                shortArrived - shortTaken < settings.slots()
                        && length <= settings.shortBytes()
                        && Signal.hasNumber(signal, shortArrived);
        if (isRight) {
            shortLengths[(int) (shortArrived++ % settings.slots())] = (int) length;
        }
        return isRight;
    }

    private boolean longArrived(int signal, long length) {
        boolean isRight =
                longArrived < grantsSent
                        && length == grantedLengths[(int) (longArrived % settings.grants())]
                        && Signal.hasNumber(signal, longArrived);
        longArrived += isRight ? 1 : 0;
        return isRight;
    }

    private boolean grantArrived(int signal, long length) {
        boolean isRight =
                grantsArrived - longSent < settings.grants()
                        && length == RankDevice.GRANT_BYTES
                        && Signal.hasNumber(signal, grantsArrived);
        grantsArrived += isRight ? 1 : 0;
        return isRight;
    }

    /// Whether all requests that were posted are over.
    boolean isQuiet() {
        return pair == null || pair.sendRoom() == RankDevice.SENDS;
    }

    void close() {
        isReady = false;
        if (connection != null) {
            connection.close();
        }
        if (pair != null) {
            pair.close();
        }
    }

    @Override
    public String toString() {
        return "link to rank %d, lane %d".formatted(peer, lane);
    }
}
