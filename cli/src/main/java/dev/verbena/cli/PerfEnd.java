package dev.verbena.cli;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/// The objects of one side on its device: memory, a completion queue, queue pairs.
///
/// The memory has two halves: the first is sent from, the second is received into.
final class PerfEnd implements AutoCloseable {
    /// Queue pairs have a place of their own in memory as long as all of it stays below this.
    private static final long SLOTS_BYTES = 64 << 20;

    private static final int ALIGNMENT = 64;
    private static final int PAGE = 4096;

    /// Room in the queues of a latency test, whose completions are looked at now and then.
    private static final int DEPTH_MIN = 128;

    private static final long NAP_NS = 1_000_000;

    final PerfOptions options;
    final Device device;
    final CompletionQueue completions;
    final MemoryRegion region;
    final MemorySegment memory;
    final QueuePair[] pairs;
    final AddressHandle[] ways;
    final long halfBytes;
    private final ProtectionDomain domain;
    private final long slotBytes;
    private final int slots;
    private Endpoint[] peers = new Endpoint[0];
    private long peerOutgoing;
    private long peerIncoming;
    private int peerKey;

    PerfEnd(Device device, PerfOptions options) {
        this(device, options, 0);
    }

    /// @param slotMin bytes that a queue pair has at least, however short its messages are
    PerfEnd(Device device, PerfOptions options, int slotMin) {
        this.device = device;
        this.options = options;
        slotBytes = roundUp(Math.max(options.amount().bytesMax(), slotMin), ALIGNMENT);
        // A side that polls memory needs a place that no other queue pair writes to.
        slots =
                options.measure().kind() == PerfKind.LAT
                        ? options.pairs().count()
                        : Math.clamp(SLOTS_BYTES / slotBytes, 1, options.pairs().count());
        halfBytes = roundUp(Math.max(options.amount().rotateBytes(), slotBytes * slots), PAGE);
        domain = device.protectionDomain();
        region =
                domain.allocate(
                        2 * halfBytes,
                        Access.LOCAL_WRITE,
                        Access.REMOTE_WRITE,
                        Access.REMOTE_READ,
                        Access.REMOTE_ATOMIC);
        memory = region.segment();
        int sendDepth = Math.max(options.posting().txDepth(), DEPTH_MIN);
        int receiveDepth =
                options.measure().verb().needsReceives() ? options.posting().rxDepth() : 1;
        // Should all fail, each request in flight has a completion.
        long entries = (long) options.pairs().count() * (sendDepth + receiveDepth);
        completions =
                device.completionQueue((int) Math.min(entries, device.limits().completions()));
        pairs = new QueuePair[options.pairs().count()];
        ways = new AddressHandle[options.pairs().type() == QueuePairType.UD ? pairs.length : 0];
        for (int i = 0; i < pairs.length; i++) {
            pairs[i] =
                    domain.queuePair(
                            options.pairs().type(),
                            it ->
                                    it.completions(completions)
                                            .sendDepth(sendDepth)
                                            .receiveDepth(receiveDepth));
        }
    }

    /// The data that the peer needs.
    PerfPeer describe() {
        return new PerfPeer(
                Arrays.stream(pairs).map(QueuePair::endpoint).toList(), region.remote());
    }

    void connect(PerfPeer peer) {
        if (peer.endpoints().size() != pairs.length || peer.memory().length() != 2 * halfBytes) {
            throw new PerfException(
                    ("peer: %d queue pairs and %d bytes, not %d and %d; use the same options"
                                    + " on both sides")
                            .formatted(
                                    peer.endpoints().size(),
                                    peer.memory().length(),
                                    pairs.length,
                                    2 * halfBytes));
        }
        peerOutgoing = peer.memory().address();
        peerIncoming = peerOutgoing + halfBytes;
        connectAll(peer);
    }

    /// The data for a peer that uses one buffer only: the half for receiving.
    PerfPeer describeIncoming() {
        return new PerfPeer(describe().endpoints(), region.remote().slice(halfBytes, halfBytes));
    }

    /// Connects to such a peer.
    void connectToOnePlace(PerfPeer peer) {
        peerOutgoing = peer.memory().address();
        peerIncoming = peerOutgoing;
        connectAll(peer);
    }

    private void connectAll(PerfPeer peer) {
        peerKey = peer.memory().key();
        peers = peer.endpoints().toArray(new Endpoint[0]);
        for (int i = 0; i < pairs.length; i++) {
            connect(i);
        }
    }

    private void connect(int index) {
        QueuePair pair = pairs[index];
        if (pair.type() == QueuePairType.UD) {
            pair.activate();
            ways[index] = domain.addressHandle(Address.to(peers[index]));
            return;
        }
        pair.connect(
                peers[index],
                it -> {
                    if (options.pairs().mtu() > 0) {
                        it.pathMtu(options.pairs().mtu());
                    }
                    if (options.pairs().type() == QueuePairType.RC) {
                        it.timeout(options.pairs().timeout())
                                .retryCount(options.pairs().retryCount());
                    }
                });
    }

    /// Largest payload of a packet, as the first queue pair has it.
    int mtu() {
        return options.pairs().type() == QueuePairType.UD
                ? device.port(1).activeMtu()
                : pairs[0].query().pathMtu();
    }

    /// Where a message of a queue pair lies in its half, when messages do not rotate.
    long slot(int pair) {
        return (pair % slots) * slotBytes;
    }

    Endpoint peer(int pair) {
        return peers[pair];
    }

    long peerOutgoing() {
        return peerOutgoing;
    }

    long peerIncoming() {
        return peerIncoming;
    }

    int peerKey() {
        return peerKey;
    }

    /// Lets a device without a thread work; with one, leaves the processor to it.
    void progress() {
        if (options.isCaller()) {
            device.progress();
        } else {
            LockSupport.parkNanos(NAP_NS);
        }
    }

    /// Fails the test when a request failed.
    static void requireSuccess(Completion done) {
        if (!done.isSuccess()) {
            throw new PerfException(
                    "qp 0x%x: %s".formatted(done.queuePair(), done.status().explanation()));
        }
    }

    static long roundUp(long value, long unit) {
        return (value + unit - 1) / unit * unit;
    }

    @Override
    public void close() {
        device.close();
    }
}
