package dev.verbena.transport.pair;

import dev.verbena.transport.carrier.Seal;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.QueuePairAttribute;
import dev.verbena.verbs.QueuePairAttributes;
import java.util.EnumSet;
import java.util.Set;

/// The settings of a queue pair, a value: a change makes others, and the queue pair goes by those
/// from then on.
public final class PairSettings implements Cloneable {
    /// The unit of the timeout (IBA 9.7.6.1.3): 4.096 µs.
    private static final long TIMEOUT_UNIT_NS = 4096;

    private final boolean isMarkable;
    private Seal seal;

    /// Rights of the peer: the set itself would cost each queue pair as much as its deadlines.
    private int accessBits;

    private int partitionIndex;
    private int partitionKey;
    private int queueKey;
    private int peer;
    private int firstSendPsn;
    private int firstReceivePsn;
    private long rateLimit;
    private boolean drainNotify;
    private boolean isSelective;
    private byte mtuShift = 10;
    private byte timeout;
    private byte retryCount;
    private byte rnrRetry;
    private byte minRnrTimer;

    // Up to 255.
    private short readsAsInitiator;
    private short readsAsResponder;

    /// Those of a new queue pair.
    public PairSettings(Seal seal, boolean isMarkable, int firstSendPsn, int readsAsResponder) {
        this.seal = seal;
        this.isMarkable = isMarkable;
        this.firstSendPsn = firstSendPsn;
        this.readsAsResponder = (short) readsAsResponder;
    }

    /// These, but for the attributes that were given. The address is the queue pair's own: it holds
    /// a path of the device.
    public PairSettings with(QueuePairAttributes values) {
        PairSettings next = copy();
        for (QueuePairAttribute attribute : values.set()) {
            next.take(attribute, values);
        }
        return next;
    }

    private void take(QueuePairAttribute attribute, QueuePairAttributes values) {
        switch (attribute) {
            case CURRENT_STATE, PORT, ADDRESS -> {}
            case QUEUE_KEY -> queueKey = values.queueKey();
            case DRAIN_NOTIFY -> drainNotify = values.drainNotify();
            case ACCESS -> accessBits = Access.bits(values.access());
            case PARTITION_INDEX -> partitionIndex = values.partitionIndex();
            case PATH_MTU -> mtuShift = (byte) Integer.numberOfTrailingZeros(values.pathMtu());
            case TIMEOUT -> timeout = (byte) values.timeout();
            case RETRY_COUNT -> retryCount = (byte) values.retryCount();
            case RNR_RETRY -> rnrRetry = (byte) values.rnrRetry();
            case RECEIVE_PSN -> firstReceivePsn = values.receivePsn();
            case READS_AS_INITIATOR -> readsAsInitiator = (short) values.readsAsInitiator();
            case MIN_RNR_TIMER -> minRnrTimer = (byte) values.minRnrTimer();
            case SEND_PSN -> firstSendPsn = values.sendPsn();
            case READS_AS_RESPONDER -> readsAsResponder = (short) values.readsAsResponder();
            case PEER_QUEUE_PAIR -> peer = values.peerQueuePair();
            case RATE_LIMIT -> rateLimit = values.rateLimit();
        }
    }

    /// These, with what stands in the port's table at the partition's index.
    public PairSettings withPartitionKey(int key) {
        PairSettings next = copy();
        next.partitionKey = key;
        return next;
    }

    /// These, for packets that end in other bytes.
    public PairSettings withSeal(Seal next) {
        PairSettings changed = copy();
        changed.seal = next;
        return changed;
    }

    /// These, with what both sides have agreed on about lost packets.
    public PairSettings withSelective(boolean agreed) {
        PairSettings next = copy();
        next.isSelective = agreed;
        return next;
    }

    /// Those after a reset: a late packet of the old connection must not fit the next one.
    public PairSettings afterReset(int freshPsn) {
        PairSettings next = copy();
        next.firstSendPsn = freshPsn;
        next.drainNotify = false;
        next.isSelective = false;
        next.rateLimit = 0;
        return next;
    }

    private PairSettings copy() {
        try {
            return (PairSettings) clone();
        } catch (CloneNotSupportedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /// As a program gave them.
    public QueuePairAttributes attributes() {
        return new QueuePairAttributes()
                .drainNotify(drainNotify)
                .access(access())
                .partitionIndex(partitionIndex)
                .port(1)
                .pathMtu(1 << mtuShift)
                .timeout(timeout)
                .retryCount(retryCount)
                .rnrRetry(rnrRetry)
                .receivePsn(firstReceivePsn)
                .readsAsInitiator(readsAsInitiator)
                .minRnrTimer(minRnrTimer)
                .sendPsn(firstSendPsn)
                .readsAsResponder(readsAsResponder)
                .peerQueuePair(peer)
                .rateLimit(rateLimit)
                .queueKey(queueKey);
    }

    public Set<Access> access() {
        EnumSet<Access> rights = EnumSet.allOf(Access.class);
        rights.removeIf(right -> !allows(right));
        return rights;
    }

    /// Whether the peer has a right.
    public boolean allows(Access right) {
        return (accessBits & right.bit()) != 0;
    }

    /// What stands behind the payload of its packets.
    public Seal seal() {
        return seal;
    }

    /// Whether its packets say that switches may mark them.
    public boolean isMarkable() {
        return isMarkable;
    }

    /// Whether only lost packets are sent again, and WRITEs placed in any order.
    public boolean isSelective() {
        return isSelective;
    }

    public int partitionIndex() {
        return partitionIndex;
    }

    public int partitionKey() {
        return partitionKey;
    }

    public int queueKey() {
        return queueKey;
    }

    /// The number of the peer's queue pair.
    public int peer() {
        return peer;
    }

    public int mtuShift() {
        return mtuShift;
    }

    /// How long an answer is waited for; 0 means for ever.
    public long timeoutNs() {
        return timeout == 0 ? 0 : TIMEOUT_UNIT_NS << timeout;
    }

    public int retryCount() {
        return retryCount;
    }

    public int rnrRetry() {
        return rnrRetry;
    }

    public int minRnrTimer() {
        return minRnrTimer;
    }

    public int readsAsInitiator() {
        return readsAsInitiator;
    }

    public int readsAsResponder() {
        return readsAsResponder;
    }

    public int firstSendPsn() {
        return firstSendPsn;
    }

    public int firstReceivePsn() {
        return firstReceivePsn;
    }

    public long rateLimit() {
        return rateLimit;
    }

    /// Whether the program wants to know when its send queue has drained.
    public boolean drainNotify() {
        return drainNotify;
    }
}
