package dev.verbena.collectives;

import dev.verbena.collectives.element.Combiner;
import dev.verbena.collectives.element.ElementArithmetic;
import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.link.Failure;
import dev.verbena.collectives.link.Links;
import dev.verbena.collectives.link.Member;
import dev.verbena.collectives.link.Reception;
import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.memory.Span;
import dev.verbena.collectives.plan.Collective;
import dev.verbena.collectives.plan.Counts;
import dev.verbena.collectives.plan.Plan;
import dev.verbena.collectives.run.NetworkRun;
import dev.verbena.collectives.run.Run;
import dev.verbena.collectives.run.Running;
import dev.verbena.collectives.trace.StepTrace;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.spi.NetworkReduction;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A group of ranks that carry out collective operations together.
///
/// All ranks call the same operations with the same counts in the same order. An operation is begun
/// by a call that returns at once, and is carried out while the program waits for it or calls
/// [#progress]. Operations of one communicator are carried out one after the other.
///
/// A communicator, and all that is made from it, belongs to one thread at a time.
public final class Communicator implements AutoCloseable {
    /// Operations that may wait for their turn.
    public static final int PENDING_MAX = 1024;

    private static final Duration NAP = Duration.ofMillis(10);
    private static final Duration SHORT_NAP = Duration.ofMillis(1);
    private static final long LOOK_NS = 100_000_000;
    private static final long LEAVE_NS = 1_000_000_000;

    private final long number;
    private final int rank;
    private final List<Member> members;
    private final List<Reception> receptions;
    private final CommunicatorSettings settings;
    private final int ranksOnHost;
    private final Links links;
    private final Run run;
    private final NetworkGroup network;
    private final NetworkRun inNetwork;
    private final ArrayDeque<Work> pending = new ArrayDeque<>();
    private final Calls calls;
    private @Nullable Work current;
    private Running running;
    private @Nullable StepTrace trace;
    private long heardNs;
    private long lookNs;
    private long children;
    private boolean ownsReceptions;
    private boolean isClosed;

    /// A communicator whose ranks know of each other; see [#join] for programs.
    ///
    /// @param number the same at all ranks, and another one for each communicator
    /// @param receptions of the devices of this rank, in the order of [Member#addresses]
    public Communicator(
            long number,
            int rank,
            List<Member> members,
            List<Reception> receptions,
            CommunicatorSettings settings) {
        this.number = number;
        this.rank = rank;
        this.members = List.copyOf(members);
        ranksOnHost = ranksOnHost(this.members);
        this.receptions = List.copyOf(receptions);
        this.settings = settings;
        links =
                new Links(
                        number,
                        rank,
                        this.members,
                        this.receptions,
                        settings.memory(),
                        settings.links());
        run = new Run(links, settings.work());
        running = run;
        inNetwork = new NetworkRun(run);
        Device first = links.devices().getFirst().domain().device();
        network = new NetworkGroup(this, number, this.members, first);
        calls = new Calls(this, settings, network);
    }

    /// Joins the ranks of a job: rank 0 listens at an address, the others connect to it, and all
    /// get the list of all. Returns when every rank is there.
    ///
    /// @param root address of rank 0, which uses its own device's
    /// @param within how long to wait for the others
    /// @throws ConnectionFailedException when not all are there in time, or rank 0 refuses this one
    public static Communicator join(
            Device device,
            int rank,
            int size,
            InetSocketAddress root,
            CommunicatorSettings settings,
            Duration within)
            throws ConnectionFailedException {
        Address address = Address.to(Gid.of(root));
        Joining joining = new Joining(device, rank, size, settings, within);
        return joining.join(address, root.getPort(), rank);
    }

    /// It closes the receptions when it is closed.
    Communicator owning() {
        ownsReceptions = true;
        return this;
    }

    public int rank() {
        return rank;
    }

    public int size() {
        return members.size();
    }

    /// Where the ranks are.
    public List<Member> members() {
        return members;
    }

    /// Memory that operations may use.
    public RankMemory allocate(long bytes) {
        return Run.allocate(links.devices(), bytes);
    }

    /// Every rank gets the reduction of all inputs. `from` and `to` may be the same.
    public Work allReduce(Span from, Span to, ElementType type, Reduction reduction) {
        return calls.onVector(Collective.ALL_REDUCE, from, to, type, reduction, 0);
    }

    /// The root gets the reduction of all inputs; `to` is not used at other ranks, and has the same
    /// length.
    public Work reduce(Span from, Span to, ElementType type, Reduction reduction, int root) {
        return calls.onVector(Collective.REDUCE, from, to, type, reduction, root);
    }

    /// Every rank gets its part of the reduction of all inputs: `from` has a part for each rank.
    public Work reduceScatter(Span from, Span to, ElementType type, Reduction reduction) {
        ElementArithmetic arithmetic = new ElementArithmetic(type, reduction);
        Collective operation = Collective.REDUCE_SCATTER;
        return calls.onParts(operation, from, to, from, to, type.bytes(), arithmetic, 0);
    }

    /// Every rank gets the bytes of all, in the order of ranks.
    public Work allGather(Span from, Span to) {
        return calls.onParts(Collective.ALL_GATHER, from, to, to, from, 1, null, 0);
    }

    /// The same with a number of bytes for each rank.
    public Work allGather(Span from, Span to, Counts counts) {
        return calls.unequal(Collective.ALL_GATHER, from, to, counts, 0);
    }

    /// Every rank gets the bytes of the root.
    public Work broadcast(Span bytes, int root) {
        return calls.bytes(Collective.BROADCAST, bytes, bytes, root);
    }

    /// Every rank gets the bytes of the root; `from` is used there alone.
    public Work broadcast(Span from, Span to, int root) {
        return calls.bytes(Collective.BROADCAST, from, to, root);
    }

    /// The root gets the bytes of all, in the order of ranks; other ranks hand in any span as `to`.
    public Work gather(Span from, Span to, int root) {
        Collective operation = Collective.GATHER;
        return rank == root
                ? calls.onParts(operation, from, to, to, from, 1, null, root)
                : calls.part(operation, from, to, from, root);
    }

    /// Every rank gets its part of the bytes of the root; other ranks hand in any span as `from`.
    public Work scatter(Span from, Span to, int root) {
        Collective operation = Collective.SCATTER;
        return rank == root
                ? calls.onParts(operation, from, to, from, to, 1, null, root)
                : calls.part(operation, from, to, to, root);
    }

    /// Every rank gets its part of the bytes of each: both spans have a part for each rank.
    public Work allToAll(Span from, Span to) {
        return calls.allToAll(from, to);
    }

    /// The same with numbers of bytes, and places, for each rank.
    public Work allToAll(Span from, Counts sent, Span to, Counts received) {
        return calls.unequal(from, sent, to, received);
    }

    /// No rank is over before all have begun.
    public Work barrier() {
        return calls.barrier();
    }

    /// Sends bytes to a rank that calls [#receive]. Two ranks that send to each other call
    /// [#sendReceive], because operations are carried out one after the other.
    public Work send(Span bytes, int to) {
        requirePeer(to);
        return calls.message(bytes, to, bytes, -1);
    }

    /// Receives as many bytes from a rank as it sends.
    public Work receive(Span bytes, int from) {
        requirePeer(from);
        return calls.message(bytes, -1, bytes, from);
    }

    /// Sends bytes to a rank while it receives from the same one or another.
    public Work sendReceive(Span out, int to, Span in, int from) {
        requirePeer(to);
        requirePeer(from);
        return calls.message(out, to, in, from);
    }

    private void requirePeer(int peer) {
        if (peer < 0 || peer >= size() || peer == rank) {
            throw new InvalidRequestException(
                    toString(),
                    "rank %d is not another rank".formatted(peer),
                    "use 0 to %d without %d".formatted(size() - 1, rank));
        }
    }

    /// Ranks on each host, where ranks of a host are neighbours and all hosts have as many;
    /// otherwise 1.
    int ranksOnHost() {
        return ranksOnHost;
    }

    private static int ranksOnHost(List<Member> members) {
        int group = 1;
        while (group < members.size() && members.get(group).host() == members.getFirst().host()) {
            group++;
        }
        for (int i = 0; i < members.size(); i++) {
            int first = i - i % group;
            boolean isNeighbour = members.get(i).host() == members.get(first).host();
            boolean isOther =
                    first == 0 || members.get(first).host() != members.get(first - 1).host();
            if (!isNeighbour || !isOther) {
                return 1;
            }
        }
        return members.size() % group == 0 ? group : 1;
    }

    /// Begins an operation by its plan.
    ///
    /// @param combiner null where the plan combines nothing
    /// @param longest elements of the longest message of the plan
    public Work begin(
            Plan plan,
            Span from,
            Span to,
            int elementBytes,
            @Nullable Combiner combiner,
            long longest) {
        return begin(new Work(this, null, plan, from, to, elementBytes, combiner, longest));
    }

    Work begin(Work work) {
        if (isClosed) {
            throw new InvalidRequestException(toString(), "it is closed", "make another one");
        }
        if (pending.size() == PENDING_MAX) {
            throw new LimitExceededException(
                    toString(),
                    "%,d operations wait already".formatted(PENDING_MAX),
                    "wait for one of them");
        }
        pending.addLast(work);
        return work;
    }

    /// Keeps the steps of operations that begin from now on, or of none where it is null, as at
    /// first. Call it while no operation is under way.
    public void traceTo(@Nullable StepTrace steps) {
        if (!pending.isEmpty() || current != null) {
            throw new InvalidRequestException(
                    toString(), "an operation is under way", "wait for it first");
        }
        trace = steps;
        run.traceTo(steps);
    }

    /// The number of the queue pair to a peer in a lane, or 0 where there is none yet.
    public int pairNumber(int peer, int lane) {
        return links.pairNumber(peer, lane);
    }

    /// Does what can be done now, without waiting; returns whether anything happened.
    ///
    /// @param nowNs the time on the clock of the settings
    public boolean progress(long nowNs) {
        if (isClosed) {
            return false;
        }
        return goOn(links.poll(nowNs), nowNs);
    }

    /// Goes on with operations after completions were taken; returns whether anything happened.
    private boolean goOn(boolean hasHeard, long nowNs) {
        boolean any = hasHeard;
        if (hasFailed()) {
            return any;
        }
        while (current != null || !pending.isEmpty()) {
            Work work = current == null ? start(pending.removeFirst(), nowNs) : current;
            boolean isDone = running.advance(nowNs);
            any |= running == inNetwork && inNetwork.hasMoved();
            if (!isDone || hasFailed()) {
                break;
            }
            work.ended(nowNs);
            if (trace != null) {
                trace.ended(trace.nowNs());
            }
            current = null;
            any = true;
        }
        watch(any, nowNs);
        return any;
    }

    /// Whether it has failed: a failure of the links is one of the network's group, and the other
    /// way around.
    private boolean hasFailed() {
        Failure failure = links.failure();
        if (failure == null) {
            failure = network.failure();
            if (failure != null) {
                links.fail(failure.rank(), failure.reason());
            }
        } else {
            network.fail(failure);
        }
        return failure != null;
    }

    private Work start(Work work, long nowNs) {
        current = work;
        work.begun(nowNs);
        heardNs = nowNs;
        if (trace != null) {
            trace.begun(nowNs);
        }
        Plan plan = work.plan;
        if (plan == null) {
            running = inNetwork;
            startInNetwork(work);
        } else {
            running = run;
            run.begin(plan, work.from, work.to, work.elementBytes, work.combiner, work.longest);
        }
        return work;
    }

    private void startInNetwork(Work work) {
        NetworkReduction.Member member =
                Objects.requireNonNull(network.member(), "asked when it was chosen");
        int elementBytes = work.elementBytes;
        inNetwork.begin(
                member,
                work.hasBytes ? work.from : null,
                work.hasBytes && work.hasResult ? work.to : null,
                work.arithmetic,
                (long) Math.max(1, settings.pieceBytes() / elementBytes) * elementBytes);
    }

    /// A peer that is gone, or that does nothing, must not be waited for without end.
    private void watch(boolean any, long nowNs) {
        if (any || current == null) {
            heardNs = nowNs;
        }
        if (nowNs - lookNs > LOOK_NS) {
            lookNs = nowNs;
            links.look();
            int needed = current == null ? -1 : running.awaited();
            if (needed >= 0 && links.hasLeft(needed)) {
                links.fail(needed, "it has closed its end, and another rank still waits for it");
            }
        }
        long limitNs = settings.timeout().toNanos();
        if (limitNs > 0 && nowNs - heardNs > limitNs) {
            int awaited = running.awaited();
            links.fail(
                    awaited < 0 ? rank : awaited,
                    "nothing has arrived from it for " + settings.timeout().toMillis() + " ms");
        }
        hasFailed();
    }

    /// When [#progress] has something to do though nothing arrives, or `Long.MAX_VALUE`.
    public long nextNs() {
        return current == null ? Long.MAX_VALUE : running.nextNs();
    }

    /// Whether connections are being made, of whose progress no completion tells: call [#progress]
    /// now and then.
    public boolean isConnecting() {
        return links.isConnecting();
    }

    /// Sets the listener that is called when [#progress] has something to do of which no completion
    /// tells: the network has a result, or another rank has failed. It is called in the middle of
    /// the network's work, and only takes a note.
    public void onNews(Runnable listener) {
        network.onDone(listener);
    }

    /// What the network offers for reductions: the algorithm `in-network`. The first call takes
    /// resources of the network, as does the first operation that asks for it.
    public NetworkOffer network() {
        return network.offer();
    }

    /// What has not gone as the program may expect, once for each reason; rank 0 logs it too.
    public List<String> notes() {
        return network.notes();
    }

    /// The completion queues of its devices, for programs that wait for several communicators.
    public List<CompletionQueue> completions() {
        return links.completions();
    }

    /// Sends first, and then looks for packets: what the device owes its peers leaves together with
    /// what is sent now.
    boolean await(Work work, long timeoutNs) throws RankFailedException {
        long startNs = settings.clock().getAsLong();
        long nowNs = startNs;
        boolean hasHeard = false;
        while (!isClosed) {
            goOn(hasHeard, nowNs);
            if (work.isDone()) {
                if (work.isLong(settings.links().shortBytes())) {
                    // The peer waits for the acknowledgement of its last message.
                    links.poll(nowNs);
                }
                return true;
            }
            requireWhole();
            if (nowNs - startNs >= timeoutNs) {
                return false;
            }
            hasHeard = nap(timeoutNs - (nowNs - startNs));
            nowNs = settings.clock().getAsLong();
            if (isShort()) {
                hasHeard |= links.poll(nowNs);
            }
        }
        throw new InvalidRequestException(toString(), "it is closed", "wait before you close it");
    }

    private void requireWhole() throws RankFailedException {
        Failure failure = links.failure();
        if (failure != null) {
            String text =
                    "rank %d: rank %d has failed: %s"
                            .formatted(rank, failure.rank(), failure.reason());
            throw new RankFailedException(failure.rank(), text);
        }
    }

    /// Waits for a completion, or for a result of the network; returns whether one came.
    private boolean nap(long atMostNs) {
        Duration longest = isShort() ? SHORT_NAP : NAP;
        Duration nap = longest.toNanos() < atMostNs ? longest : Duration.ofNanos(atMostNs);
        NetworkReduction.Member member = current == null ? null : network.joined();
        if (member == null || running != inNetwork) {
            return links.await(nap);
        }
        return member.await(nap);
    }

    /// Whether there is more to look at than completions of the first device, which alone can be
    /// waited for.
    private boolean isShort() {
        return links.isConnecting() || links.devices().size() > 1 || running == inNetwork;
    }

    /// Why it has failed, or null.
    public @Nullable Failure failure() {
        return links.failure();
    }

    /// Ends the communicator at all ranks; they name this one as the cause.
    public void abort(String reason) {
        links.fail(rank, reason);
        hasFailed();
    }

    /// A communicator of all ranks but some, also after it has failed. All remaining ranks call it
    /// with the same ranks, and close this one afterwards.
    public Communicator without(Collection<Integer> ranks) {
        List<Member> left = new ArrayList<>();
        int place = -1;
        long mixed = mix(number, ++children);
        for (int i = 0; i < members.size(); i++) {
            if (ranks.contains(i)) {
                mixed = mix(mixed, i);
                continue;
            }
            if (i == rank) {
                place = left.size();
            }
            left.add(members.get(i));
        }
        if (place < 0) {
            throw new IllegalArgumentException("rank " + rank + " cannot leave itself out");
        }
        return child(mixed, place, left);
    }

    private Communicator child(long childNumber, int place, List<Member> left) {
        return new Communicator(childNumber, place, left, receptions, settings);
    }

    /// Parts the ranks: those with the same colour get a communicator of their own, ordered by key
    /// and then by rank; with a negative colour a rank gets none. All ranks call it.
    public Split split(int color, int key) {
        return new Split(this, mix(number, ++children), color, key);
    }

    Communicator part(long splitNumber, int color, List<Integer> ranks) {
        List<Member> chosen = ranks.stream().map(members::get).toList();
        return child(mix(splitNumber, color), ranks.indexOf(rank), chosen);
    }

    /// A communicator of the same ranks with other settings. All ranks call it; both are closed.
    public Communicator with(UnaryOperator<CommunicatorSettings> change) {
        long childNumber = mix(number, ++children);
        return new Communicator(childNumber, rank, members, receptions, change.apply(settings));
    }

    static long mix(long seed, long value) {
        long mixed = (seed ^ value) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ mixed >>> 29) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ mixed >>> 32;
    }

    /// Tells the peers that it leaves, or which rank has failed, waits a little until they have
    /// that, and gives everything back. A second call does nothing.
    ///
    /// A peer that saw the connection end before it knew why would name this rank.
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        if (current != null || !pending.isEmpty()) {
            abort("it has closed its end during an operation");
        }
        if (links.failure() == null) {
            links.leave();
        }
        long endNs = settings.clock().getAsLong() + LEAVE_NS;
        while (!links.isQuiet() && settings.clock().getAsLong() < endNs) {
            links.await(SHORT_NAP);
        }
        hasFailed();
        network.close();
        links.close();
        run.close();
        calls.close();
        receptions.forEach(ownsReceptions ? Reception::closeAfterUse : Reception::left);
    }

    @Override
    public String toString() {
        return "communicator %016x, rank %d of %d".formatted(number, rank, members.size());
    }
}
