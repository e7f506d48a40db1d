package dev.verbena.collectives.link;

import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.ConnectionRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The links of one rank in one communicator. They are made when they are first used: of two ranks
/// that need a link, the one with the smaller number connects.
public final class Links implements AutoCloseable {
    /// Lanes of a plan, at most.
    public static final int LANES_MAX = 64;

    private static final long RETRY_NS = 10_000_000;

    private final long communicator;
    private final int rank;
    private final List<Member> members;
    private final List<Reception> receptions;
    private final List<RankDevice> devices = new ArrayList<>();
    private final List<CompletionQueue> completions;
    private final LinkSettings settings;
    private final LinkTable byPeer = new LinkTable();

    /// By device, because each of them numbers its queue pairs by itself.
    private final List<LinkTable> byNumber = new ArrayList<>();

    private final List<Consumer<Completion>> handlers = new ArrayList<>();
    private final List<Link> all = new ArrayList<>();
    private final List<Link> unfinished = new ArrayList<>();
    private Acks acks = (lane, send) -> {};
    private @Nullable Failure failure;
    private long deadlineNs = Long.MAX_VALUE;
    private long retryNs;

    /// @param communicator the same number at all ranks, and another one than that of other
    ///   communicators of these ranks
    /// @param receptions of the devices of this rank, in the order of [Member#addresses]
    public Links(
            long communicator,
            int rank,
            List<Member> members,
            List<Reception> receptions,
            MemorySource source,
            LinkSettings settings) {
        this.communicator = communicator;
        this.rank = rank;
        this.members = members;
        this.receptions = List.copyOf(receptions);
        this.settings = settings;
        for (Reception reception : receptions) {
            LinkTable table = new LinkTable();
            int network = devices.size();
            devices.add(new RankDevice(reception, source, settings, members.size()));
            byNumber.add(table);
            handlers.add(done -> completed(network, table, done));
        }
        completions = devices.stream().map(RankDevice::completions).toList();
        for (Reception reception : receptions) {
            reception.add(communicator, this);
        }
    }

    public List<RankDevice> devices() {
        return devices;
    }

    /// The completion queues of its devices. Who drives many ranks asks for them at each turn.
    public List<CompletionQueue> completions() {
        return completions;
    }

    public LinkSettings settings() {
        return settings;
    }

    public void acks(Acks listener) {
        acks = listener;
    }

    /// Which device of this rank leads to a peer.
    public int network(int peer) {
        boolean isInside =
                devices.size() > 1 && members.get(peer).host() == members.get(rank).host();
        return isInside ? 1 : 0;
    }

    /// The link to a peer in a lane; it may not be ready yet.
    public Link link(int peer, int lane) {
        Link link = byPeer.get(key(peer, lane));
        return link == null ? make(peer, lane) : link;
    }

    /// The number of the queue pair of a link, or 0 where there is none.
    public int pairNumber(int peer, int lane) {
        Link link = byPeer.get(key(peer, lane));
        return link == null || !link.isReady() ? 0 : link.pair().number();
    }

    private static int key(int peer, int lane) {
        return peer * LANES_MAX + lane;
    }

    private Link make(int peer, int lane) {
        int network = network(peer);
        Link link = new Link(this, peer, lane, devices.get(network), settings);
        byPeer.put(key(peer, lane), link);
        all.add(link);
        unfinished.add(link);
        if (rank < peer) {
            connect(link);
        }
        return link;
    }

    private void connect(Link link) {
        int network = network(link.peer());
        link.connect(members.get(link.peer()), network, link.greeting(communicator, rank));
        byNumber.get(network).put(link.pair().number(), link);
    }

    /// A peer wants a link.
    void requested(ConnectionRequest request, Greeting greeting) {
        int peer = greeting.rank();
        boolean isRight =
                peer >= 0
                        && peer < rank
                        && greeting.lane() >= 0
                        && greeting.lane() < LANES_MAX
                        && greeting.fits(settings)
                        && failure == null;
        Link link = isRight ? link(peer, greeting.lane()) : null;
        if (link == null || link.isAsked()) {
            request.reject();
            return;
        }
        link.accept(request, greeting, link.greeting(communicator, rank));
        byNumber.get(network(peer)).put(link.pair().number(), link);
    }

    /// Takes what has arrived, and goes on with connections; returns whether there was anything.
    public boolean poll(long nowNs) {
        boolean any = false;
        for (int i = 0; i < devices.size(); i++) {
            any |= devices.get(i).completions().poll(Integer.MAX_VALUE, handlers.get(i)) > 0;
        }
        if (!unfinished.isEmpty()) {
            any |= finish(nowNs);
        }
        return any;
    }

    /// Waits for a completion of the first device, and takes it; returns whether one came.
    public boolean await(Duration atMost) {
        return devices.getFirst().completions().await(atMost, handlers.getFirst()) > 0;
    }

    /// Whether connections are being made, of which no completion tells.
    public boolean isConnecting() {
        return !unfinished.isEmpty();
    }

    private boolean finish(long nowNs) {
        receptions.forEach(Reception::poll);
        if (deadlineNs == Long.MAX_VALUE) {
            deadlineNs = nowNs + settings.connectWithin().toNanos();
        }
        boolean any = false;
        for (int i = unfinished.size() - 1; i >= 0 && failure == null; i--) {
            Link link = unfinished.get(i);
            Connection.State state = link.state();
            if (state == Connection.State.ESTABLISHED) {
                String wrong = link.established();
                if (wrong != null) {
                    fail(link.peer(), wrong);
                }
                unfinished.set(i, unfinished.getLast());
                unfinished.removeLast();
                any = true;
            } else if (nowNs > deadlineNs) {
                fail(link.peer(), "no " + link + " came about in time" + reason(link));
            } else if (state != null && state != Connection.State.CONNECTING) {
                again(link, nowNs);
            }
        }
        if (unfinished.isEmpty()) {
            deadlineNs = Long.MAX_VALUE;
        }
        return any;
    }

    /// The peer may not listen yet, or its queue of requests was full.
    private void again(Link link, long nowNs) {
        if (nowNs < retryNs) {
            return;
        }
        retryNs = nowNs + RETRY_NS;
        link.giveUp();
        if (rank < link.peer()) {
            connect(link);
        }
    }

    private static String reason(Link link) {
        Connection connection = link.connection();
        if (connection == null) {
            return "";
        }
        try {
            connection.await(Duration.ZERO);
            return "";
        } catch (ConnectionFailedException failed) {
            return ": " + failed.getMessage();
        }
    }

    private void completed(int network, LinkTable table, Completion done) {
        Link link = table.get(done.queuePair());
        if (link == null) {
            return;
        }
        if (!done.isSuccess()) {
            link.broken(done.explanation());
        } else if (done.operation() == CompletedOperation.RECEIVE_WRITE_IMMEDIATE) {
            int signal = done.immediate();
            long length = done.byteLength();
            devices.get(network).used();
            link.arrived(signal, length);
        } else {
            link.sent(done.id());
        }
    }

    /// Looks whether connections have ended of which no request told.
    public void look() {
        for (Link link : all) {
            if (link.isReady() && link.state() == Connection.State.DISCONNECTED) {
                link.broken("its connection has ended");
            }
        }
    }

    /// Whether a peer has closed all its links to this rank, and nothing more comes from it.
    public boolean hasLeft(int peer) {
        boolean any = false;
        for (Link link : all) {
            if (link.peer() == peer && !link.hasLeft()) {
                return false;
            }
            any |= link.peer() == peer;
        }
        return any;
    }

    void acknowledged(int lane, int send) {
        acks.acknowledged(lane, send);
    }

    /// Why the communicator has failed, or null.
    public @Nullable Failure failure() {
        return failure;
    }

    /// Ends the communicator at all ranks.
    public void fail(int culprit, String why) {
        if (failure == null) {
            failure = new Failure(culprit, why);
            all.forEach(link -> link.sendFailure(culprit));
        }
    }

    /// A peer reports that the communicator has failed.
    void reported(int culprit, int by) {
        int named = culprit < members.size() ? culprit : by;
        fail(named, "rank %d has reported it".formatted(by));
    }

    /// Tells all peers that this rank leaves.
    public void leave() {
        all.forEach(Link::leave);
    }

    /// Whether no request is under way, but to the rank that has failed: what it does not
    /// acknowledge is of no use to anyone.
    public boolean isQuiet() {
        int culprit = failure == null ? -1 : failure.rank();
        return all.stream().allMatch(link -> link.isQuiet() || link.peer() == culprit);
    }

    @Override
    public void close() {
        receptions.forEach(it -> it.remove(communicator));
        all.forEach(Link::close);
        devices.forEach(RankDevice::close);
    }
}
