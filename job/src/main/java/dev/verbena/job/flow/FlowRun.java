package dev.verbena.job.flow;

import dev.verbena.collectives.CommunicatorSettings;
import dev.verbena.collectives.link.LinkSettings;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FlowPaths;
import dev.verbena.fabric.Topology;
import dev.verbena.job.HostCopies;
import dev.verbena.job.JobLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/// The ranks of a job on a simulated fabric, message by message instead of packet by packet: a
/// message leaves at the rate that its links give it, and arrives later by their latencies.
///
/// Time is in picoseconds. At each instant first all that happens is noted, then the ranks that it
/// concerns go on, then the links are shared out anew.
public final class FlowRun {
    static final int LANES_MAX = 64;

    /// With more connections, tables of them do not fit into memory.
    private static final int CHANNELS_MAX = 1 << 23;

    private static final int PATH_MAX = 200;
    private static final long PROGRESS_EVERY = 1 << 20;

    // What an event is about: its kind above the number of a channel or rank.
    private static final int KIND = 32;
    private static final long FINISH = 0;
    private static final long ARRIVE = 1;
    private static final long WAKE = 2;
    private static final long START = 3;
    private static final long LEAVE = 4;
    private static final long SETTLE = 5;

    private final FabricSettings settings;
    private final Topology topology;
    private final JobLayout layout;
    private final CommunicatorSettings communicators;
    private final QueuePairs pairs;
    private final FlowPaths paths;
    private final Shares shares;
    private final Timeline timeline = new Timeline();
    private final List<FlowRank> ranks = new ArrayList<>();
    private final ArrayDeque<FlowRank> told = new ArrayDeque<>();
    private final int[] path = new int[PATH_MAX];
    private Channel[] channels = new Channel[1024];
    private int channelCount;

    /// By host, bits of small messages that have left beside the large ones.
    private final double[] owed;

    /// By host, time of a packet of each channel that has messages to send.
    private final long[] turnPs;

    private long nowPs;
    private long messages;
    private long events;
    private int over;
    private LongConsumer progress = _ -> {};
    private Runnable instant = () -> {};

    /// @param topology that of [JobLayout#topology]
    /// @param communicators settings of each; its clock, time-out and memory are not used
    /// @param pairs numbers of queue pairs, which decide about paths where switches use a hash
    public FlowRun(
            Topology topology,
            FabricSettings settings,
            JobLayout layout,
            CommunicatorSettings communicators,
            QueuePairs pairs) {
        layout.check(topology);
        if (settings.reduction().isOffered()) {
            throw new IllegalArgumentException(
                    "reductions in switches are not there as flows: leave them out, or simulate"
                            + " packets");
        }
        this.topology = topology;
        this.settings = settings;
        this.layout = layout;
        this.communicators = communicators;
        this.pairs = pairs;
        paths = new FlowPaths(topology, settings);
        long[] capacities = new long[paths.links()];
        Arrays.setAll(capacities, paths::bitsPerSecond);
        shares = new Shares(this, capacities);
        owed = new double[topology.hosts()];
        turnPs = new long[topology.hosts()];
        HostCopies copies = new HostCopies(layout);
        for (int rank = 0; rank < layout.ranks(); rank++) {
            ranks.add(new FlowRank(rank, this, copies.of(rank, communicators.work())));
        }
    }

    /// Hears of the virtual time, in nanoseconds, about once for a million events.
    public void onProgress(LongConsumer listener) {
        progress = listener;
    }

    /// Is called after each instant.
    void onInstant(Runnable listener) {
        instant = listener;
    }

    /// Carries an operation out at all ranks at once; returns the nanoseconds until the last is
    /// over.
    ///
    /// @throws IllegalStateException where nothing is left to happen before that
    public long measure(FlowCall call) {
        long startPs = nowPs;
        over = 0;
        for (FlowRank rank : ranks) {
            rank.begin(call.plan(rank.number, layout, communicators), call.elementBytes());
        }
        while (over < ranks.size()) {
            while (!told.isEmpty()) {
                over += told.removeFirst().advance(nowPs) ? 1 : 0;
            }
            shares.settle(nowPs);
            instant.run();
            long nextPs = timeline.nextPs();
            if (over == ranks.size()) {
                break;
            }
            if (nextPs == Timeline.NEVER) {
                throw new IllegalStateException(
                        "%s: %,d of %,d ranks wait, and nothing is left to happen"
                                .formatted(call, ranks.size() - over, ranks.size()));
            }
            nowPs = nextPs;
            while (timeline.nextPs() == nextPs) {
                happen(timeline.take());
            }
        }
        return Math.ceilDiv(nowPs - startPs, 1000);
    }

    private void happen(long word) {
        int number = (int) word;
        if (++events % PROGRESS_EVERY == 0) {
            progress.accept(nowPs / 1000);
        }
        switch ((int) (word >>> KIND)) {
            case (int) FINISH -> channels[number].finish(nowPs);
            case (int) ARRIVE -> channels[number].arrive();
            case (int) WAKE -> ranks.get(number).tell();
            case (int) START -> channels[number].start(nowPs);
            case (int) LEAVE -> channels[number].leave(nowPs);
            default -> {} // the links are shared out after each instant
        }
    }

    /// Whether credits of InfiniBand hold links back: how much depends on bursts of packets, which
    /// flows do not have, so that times are less exact.
    public boolean isHeldByCredits() {
        return paths.isHeldByCredits();
    }

    /// Messages that have arrived, beside small ones that were alone.
    public long messages() {
        return messages;
    }

    public long events() {
        return events;
    }

    /// How often links were shared out among channels that compete for them.
    public long solved() {
        return shares.solved();
    }

    /// Connections that were used, each direction by itself.
    public int channels() {
        return channelCount;
    }

    // ---- for ranks and channels

    LinkSettings links() {
        return communicators.links();
    }

    Shares shares() {
        return shares;
    }

    Channel channel(int number) {
        return channels[number];
    }

    void told(FlowRank rank) {
        told.addLast(rank);
    }

    void wakeAt(FlowRank rank, long timePs) {
        timeline.add(timePs, WAKE << KIND | rank.number);
    }

    void finishAt(Channel channel, long timePs) {
        timeline.add(timePs, FINISH << KIND | channel.number);
    }

    void arriveAt(Channel channel, long timePs) {
        messages++;
        timeline.add(timePs, ARRIVE << KIND | channel.number);
    }

    void startAt(Channel channel, long timePs) {
        timeline.add(timePs, START << KIND | channel.number);
    }

    void leaveAt(Channel channel, long timePs) {
        timeline.add(timePs, LEAVE << KIND | channel.number);
    }

    void settleAt(long timePs) {
        timeline.add(timePs, SETTLE << KIND);
    }

    /// Returns how long a packet of each other channel takes on which the host is sending.
    long startsSending(int host, long packetPs) {
        long othersPs = turnPs[host];
        turnPs[host] += packetPs;
        return othersPs;
    }

    void endsSending(int host, long packetPs) {
        turnPs[host] -= packetPs;
    }

    /// Bits have left a host beside its messages: they delay the next one.
    void owe(Channel channel, double bits) {
        owed[channel.host] += bits;
    }

    double owed(Channel channel) {
        double bits = owed[channel.host];
        owed[channel.host] = 0;
        return bits;
    }

    /// Which network leads to a peer, as in [dev.verbena.collectives.link.Links#network].
    int network(int rank, int peer) {
        return layout.inner() != null && layout.hostOf(rank) == layout.hostOf(peer) ? 1 : 0;
    }

    private int host(int rank, int network) {
        return network == 1 ? layout.innerPortOf(rank, topology) : layout.nicOf(rank);
    }

    /// Makes both directions between two ranks in a lane, and returns the one from `rank`.
    Channel connect(FlowRank rank, int peer, int lane) {
        FlowRank other = ranks.get(peer);
        Channel there = make(rank, other, lane);
        Channel back = make(other, rank, lane);
        there.pair(back);
        rank.add(peer, lane, there);
        other.add(rank.number, lane, back);
        return there;
    }

    private Channel make(FlowRank rank, FlowRank peer, int lane) {
        if (channelCount == CHANNELS_MAX) {
            throw new IllegalArgumentException(
                    ("more than %,d connections: use fewer ranks, fewer lanes, or an algorithm in"
                                    + " which a rank has fewer peers")
                            .formatted(CHANNELS_MAX / 2));
        }
        int network = network(rank.number, peer.number);
        int from = host(rank.number, network);
        int to = host(peer.number, network);
        int own = pairs.number(rank.number, peer.number, lane);
        int theirs = pairs.number(peer.number, rank.number, lane);
        int entropy = FlowPaths.entropy(from, to, own, theirs);
        int count = paths.links(from, to, entropy, path);
        if (count == FlowPaths.NOWHERE) {
            throw new IllegalArgumentException(
                    "no path from %s to %s: use another algorithm, or a topology that joins them"
                            .formatted(topology.hostName(from), topology.hostName(to)));
        }
        int[] links = Arrays.copyOf(path, count);
        Way way = new Way(paths, settings, links, paths.nic(from), paths.nic(to));
        Channel made = new Channel(channelCount, this, rank, peer, lane, from, way);
        if (channelCount == channels.length) {
            channels = Arrays.copyOf(channels, 2 * channelCount);
        }
        channels[channelCount++] = made;
        return made;
    }
}
