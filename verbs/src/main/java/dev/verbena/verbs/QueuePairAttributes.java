package dev.verbena.verbs;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/// Attributes of a queue pair: those that were set, for [QueuePair#modify], or all, from
/// [QueuePair#query].
public final class QueuePairAttributes {
    private static final String WHO = "queue pair attributes";
    private static final Address NOWHERE =
            new Address(0, Gid.NONE, 0, 0, 0, 64, 0, Address.ROCE_PORT);

    private final EnumSet<QueuePairAttribute> set = EnumSet.noneOf(QueuePairAttribute.class);

    private QueuePairState currentState = QueuePairState.RESET;
    private boolean drainNotify = false;
    private Set<Access> access = Set.of();
    private int partitionIndex = 0;
    private int port = 1;
    private int queueKey = 0;
    private Address address = NOWHERE;
    private int pathMtu = 1024;
    private int timeout = 14;
    private int retryCount = 7;
    private int rnrRetry = 7;
    private int receivePsn = 0;
    private int readsAsInitiator = 0;
    private int minRnrTimer = 12;
    private int sendPsn = 0;
    private int readsAsResponder = 0;
    private int peerQueuePair = 0;
    private long rateLimit = 0;

    /// An empty set of attributes.
    public QueuePairAttributes() {}

    /// The attributes that were set.
    public Set<QueuePairAttribute> set() {
        return Collections.unmodifiableSet(EnumSet.copyOf(set));
    }

    public boolean has(QueuePairAttribute attribute) {
        return set.contains(attribute);
    }

    /// Copies every attribute that is set in `other`.
    public QueuePairAttributes with(QueuePairAttributes other) {
        return with(other, other.set);
    }

    /// A copy with the attributes in `wanted`.
    public QueuePairAttributes only(Set<QueuePairAttribute> wanted) {
        EnumSet<QueuePairAttribute> both = EnumSet.copyOf(set);
        both.retainAll(wanted);
        return new QueuePairAttributes().with(this, both);
    }

    private QueuePairAttributes with(
            QueuePairAttributes other, EnumSet<QueuePairAttribute> wanted) {
        for (QueuePairAttribute attribute : wanted) {
            switch (attribute) {
                case CURRENT_STATE -> currentState(other.currentState);
                case DRAIN_NOTIFY -> drainNotify(other.drainNotify);
                case ACCESS -> access(other.access);
                case PARTITION_INDEX -> partitionIndex(other.partitionIndex);
                case PORT -> port(other.port);
                case QUEUE_KEY -> queueKey(other.queueKey);
                case ADDRESS -> address(other.address);
                case PATH_MTU -> pathMtu(other.pathMtu);
                case TIMEOUT -> timeout(other.timeout);
                case RETRY_COUNT -> retryCount(other.retryCount);
                case RNR_RETRY -> rnrRetry(other.rnrRetry);
                case RECEIVE_PSN -> receivePsn(other.receivePsn);
                case READS_AS_INITIATOR -> readsAsInitiator(other.readsAsInitiator);
                case MIN_RNR_TIMER -> minRnrTimer(other.minRnrTimer);
                case SEND_PSN -> sendPsn(other.sendPsn);
                case READS_AS_RESPONDER -> readsAsResponder(other.readsAsResponder);
                case PEER_QUEUE_PAIR -> peerQueuePair(other.peerQueuePair);
                case RATE_LIMIT -> rateLimit(other.rateLimit);
            }
        }
        return this;
    }

    /// The state that the caller expects the queue pair to be in.
    public QueuePairAttributes currentState(QueuePairState value) {
        currentState = value;
        return mark(QueuePairAttribute.CURRENT_STATE);
    }

    /// Whether the end of draining raises an event.
    public QueuePairAttributes drainNotify(boolean value) {
        drainNotify = value;
        return mark(QueuePairAttribute.DRAIN_NOTIFY);
    }

    /// The one-sided operations that the peer may use.
    public QueuePairAttributes access(Set<Access> value) {
        access = Set.copyOf(value);
        return mark(QueuePairAttribute.ACCESS);
    }

    /// Index of the partition key of the port.
    public QueuePairAttributes partitionIndex(int value) {
        Require.range(WHO, "partition index", value, 0, 65535);
        partitionIndex = value;
        return mark(QueuePairAttribute.PARTITION_INDEX);
    }

    /// Number of the port, from 1.
    public QueuePairAttributes port(int value) {
        Require.range(WHO, "port", value, 1, 255);
        port = value;
        return mark(QueuePairAttribute.PORT);
    }

    /// The queue key that datagrams must carry; 32 bits.
    public QueuePairAttributes queueKey(int value) {
        queueKey = value;
        return mark(QueuePairAttribute.QUEUE_KEY);
    }

    /// The address of the peer.
    public QueuePairAttributes address(Address value) {
        address = value;
        return mark(QueuePairAttribute.ADDRESS);
    }

    /// Largest payload of a packet: 256, 512, 1024, 2048 or 4096 bytes.
    public QueuePairAttributes pathMtu(int value) {
        Require.mtu(WHO, "path mtu", value);
        pathMtu = value;
        return mark(QueuePairAttribute.PATH_MTU);
    }

    /// Time to wait for an acknowledgement: 4.096 µs times two to this power; 0 waits for ever.
    public QueuePairAttributes timeout(int value) {
        Require.range(WHO, "timeout", value, 0, 31);
        timeout = value;
        return mark(QueuePairAttribute.TIMEOUT);
    }

    /// Number of retries before the queue pair gives up.
    public QueuePairAttributes retryCount(int value) {
        Require.range(WHO, "retry count", value, 0, 7);
        retryCount = value;
        return mark(QueuePairAttribute.RETRY_COUNT);
    }

    /// Number of retries when the peer has no receive posted; 7 retries for ever.
    public QueuePairAttributes rnrRetry(int value) {
        Require.range(WHO, "rnr retry", value, 0, 7);
        rnrRetry = value;
        return mark(QueuePairAttribute.RNR_RETRY);
    }

    /// The first sequence number that the peer sends.
    public QueuePairAttributes receivePsn(int value) {
        Require.range(WHO, "receive psn", value, 0, 0xFF_FFFF);
        receivePsn = value;
        return mark(QueuePairAttribute.RECEIVE_PSN);
    }

    /// READs and atomics that this side may have in flight.
    public QueuePairAttributes readsAsInitiator(int value) {
        Require.range(WHO, "reads as initiator", value, 0, 255);
        readsAsInitiator = value;
        return mark(QueuePairAttribute.READS_AS_INITIATOR);
    }

    /// Time that the peer must wait when no receive is posted: a code of 0 to 31, see IBA
    /// 9.7.5.2.8.
    public QueuePairAttributes minRnrTimer(int value) {
        Require.range(WHO, "min rnr timer", value, 0, 31);
        minRnrTimer = value;
        return mark(QueuePairAttribute.MIN_RNR_TIMER);
    }

    /// The first sequence number that this side sends.
    public QueuePairAttributes sendPsn(int value) {
        Require.range(WHO, "send psn", value, 0, 0xFF_FFFF);
        sendPsn = value;
        return mark(QueuePairAttribute.SEND_PSN);
    }

    /// READs and atomics that this side answers at a time.
    public QueuePairAttributes readsAsResponder(int value) {
        Require.range(WHO, "reads as responder", value, 0, 255);
        readsAsResponder = value;
        return mark(QueuePairAttribute.READS_AS_RESPONDER);
    }

    /// The peer's queue pair number.
    public QueuePairAttributes peerQueuePair(int value) {
        Require.range(WHO, "peer queue pair", value, 0, 0xFF_FFFF);
        peerQueuePair = value;
        return mark(QueuePairAttribute.PEER_QUEUE_PAIR);
    }

    /// Bits per second that this queue pair may send, counted in software from BTH through ICRC; 0
    /// for no limit. A NIC may throw [UnsupportedException].
    public QueuePairAttributes rateLimit(long value) {
        Require.range(WHO, "rate limit", value, 0, 1L << 50);
        rateLimit = value;
        return mark(QueuePairAttribute.RATE_LIMIT);
    }

    public QueuePairState currentState() {
        return currentState;
    }

    public boolean drainNotify() {
        return drainNotify;
    }

    public Set<Access> access() {
        return access;
    }

    public int partitionIndex() {
        return partitionIndex;
    }

    public int port() {
        return port;
    }

    public int queueKey() {
        return queueKey;
    }

    public Address address() {
        return address;
    }

    public int pathMtu() {
        return pathMtu;
    }

    public int timeout() {
        return timeout;
    }

    public int retryCount() {
        return retryCount;
    }

    public int rnrRetry() {
        return rnrRetry;
    }

    public int receivePsn() {
        return receivePsn;
    }

    public int readsAsInitiator() {
        return readsAsInitiator;
    }

    public int minRnrTimer() {
        return minRnrTimer;
    }

    public int sendPsn() {
        return sendPsn;
    }

    public int readsAsResponder() {
        return readsAsResponder;
    }

    public int peerQueuePair() {
        return peerQueuePair;
    }

    public long rateLimit() {
        return rateLimit;
    }

    private QueuePairAttributes mark(QueuePairAttribute attribute) {
        set.add(attribute);
        return this;
    }

    @Override
    public String toString() {
        return set.toString();
    }
}
