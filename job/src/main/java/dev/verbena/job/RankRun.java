package dev.verbena.job;

import dev.verbena.collectives.Communicator;
import dev.verbena.collectives.CommunicatorSettings;
import dev.verbena.collectives.Work;
import dev.verbena.collectives.link.Failure;
import dev.verbena.collectives.link.LinkSettings;
import dev.verbena.collectives.link.Reception;
import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.plan.Plan;
import dev.verbena.collectives.run.LocalWork;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.PhantomMemory;
import dev.verbena.transport.TransportDevice;
import dev.verbena.transport.TransportOptions;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Notification;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

/// The communicators of all ranks of a job on a simulated fabric, on one thread. [JobLayout] says
/// where the ranks are.
///
/// Ranks are asked only when something has happened to them, so that a thousand ranks take no
/// longer than their packets do.
public final class RankRun implements AutoCloseable {
    private static final long ASK_PS = 10_000_000;

    private record Wait(long atNs, int rank) {}

    private final Fabric fabric;
    private final List<TransportDevice> devices;
    private final List<List<Reception>> receptions;
    private final List<Communicator> ranks = new ArrayList<>();
    private final ArrayDeque<Integer> told = new ArrayDeque<>();
    private final boolean[] isTold;
    private final PriorityQueue<Wait> waits =
            new PriorityQueue<>((left, right) -> Long.compare(left.atNs, right.atNs));
    private final long[] waitsNs;

    /// Ranks that make connections, of which no completion tells.
    private final BitSet connecting = new BitSet();

    /// Ranks that have ended.
    private final BitSet gone = new BitSet();

    private long askedPs;

    /// A rank on each host, whose memory has a length alone.
    public RankRun(Fabric fabric) {
        this(fabric, _ -> {}, it -> it.withMemory(PhantomMemory::in));
    }

    /// @param options changes the options of each device
    /// @param changes changes the settings of each communicator
    public RankRun(
            Fabric fabric,
            Consumer<TransportOptions> options,
            UnaryOperator<CommunicatorSettings> changes) {
        this(fabric, JobLayout.flat(fabric.topology().hosts()), options, changes);
    }

    /// Ranks on the hosts of a layout, whose [JobLayout#topology] the fabric has.
    ///
    /// @param options changes the options of each NIC
    /// @param changes changes the settings of each communicator
    public RankRun(
            Fabric fabric,
            JobLayout layout,
            Consumer<TransportOptions> options,
            UnaryOperator<CommunicatorSettings> changes) {
        layout.check(fabric.topology());
        this.fabric = fabric;
        int size = layout.ranks();
        isTold = new boolean[size];
        waitsNs = new long[size];
        Doors doors = new Doors(fabric, layout, options);
        devices = doors.devices();
        receptions = doors.receptions();
        LinkSettings links = LinkSettings.DEFAULT;
        CommunicatorSettings settings =
                changes.apply(
                        CommunicatorSettings.of(() -> fabric.nowPs() / 1000)
                                .withLinks(links.withKeepAlive(Duration.ZERO)));
        HostCopies copies = new HostCopies(layout);
        for (int rank = 0; rank < size; rank++) {
            LocalWork work = copies.of(rank, settings.work().of(rank));
            CommunicatorSettings own = settings.withWork(work);
            add(new Communicator(1, rank, doors.members(), receptions.get(rank), own));
        }
    }

    private void add(Communicator communicator) {
        int rank = ranks.size();
        ranks.add(communicator);
        for (CompletionQueue queue : communicator.completions()) {
            queue.onNotification(() -> tell(rank));
        }
        communicator.onNews(() -> tell(rank));
    }

    public Fabric fabric() {
        return fabric;
    }

    /// A rank ends otherwise than by this run: it is asked for nothing any more.
    void forget(int rank) {
        gone.set(rank);
    }

    /// The device of a NIC.
    TransportDevice device(int nic) {
        return devices.get(nic);
    }

    public List<Communicator> ranks() {
        return ranks;
    }

    /// A rank has something to do: a completion, or an operation that was begun.
    public void tell(int rank) {
        if (!isTold[rank]) {
            isTold[rank] = true;
            told.addLast(rank);
        }
    }

    /// Runs until something is so, until a time, or until nothing is left to happen; returns
    /// whether it is so.
    public boolean run(BooleanSupplier isOver, long untilPs) {
        for (int rank = 0; rank < ranks.size(); rank++) {
            tell(rank);
        }
        while (true) {
            serve();
            if (isOver.getAsBoolean()) {
                return true;
            }
            long nextPs = Math.min(untilPs, nextPs());
            if (!fabric.step(nextPs)) {
                if (nextPs == Long.MAX_VALUE || fabric.nowPs() >= untilPs) {
                    return false;
                }
                fabric.run(nextPs);
            }
            due();
        }
    }

    /// Begins an operation at all ranks at once and runs until it is over everywhere; returns the
    /// nanoseconds from the begin to the last end.
    ///
    /// @throws IllegalStateException when a rank fails, or nothing is left to happen before that
    public long measure(Function<Communicator, Work> operation) {
        List<Work> works = new ArrayList<>();
        for (Communicator rank : ranks) {
            works.add(operation.apply(rank));
        }
        long startNs = fabric.nowPs() / 1000;
        int[] over = {0};
        run(
                () -> {
                    while (over[0] < works.size() && works.get(over[0]).isOver()) {
                        over[0]++;
                    }
                    return over[0] == works.size();
                },
                Long.MAX_VALUE);
        long endNs = startNs;
        for (int rank = 0; rank < works.size(); rank++) {
            if (!works.get(rank).isDone()) {
                Failure failure = ranks.get(rank).failure();
                String why = failure == null ? "no event is left" : failure.reason();
                throw new IllegalStateException("rank %d is not over: %s".formatted(rank, why));
            }
            endNs = Math.max(endNs, works.get(rank).endedNs());
        }
        return endNs - startNs;
    }

    /// Makes the connections that plans need, by a message of one byte over each; otherwise they
    /// are made when they are first used, in the middle of an operation.
    ///
    /// @param plans of each rank, such as [dev.verbena.job.flow.FlowCall#plan] gives
    /// @throws IllegalStateException when a rank fails
    public void connect(IntFunction<Plan> plans) {
        List<RankMemory> memories = new ArrayList<>();
        try {
            measure(
                    rank -> {
                        RankMemory memory = rank.allocate(2);
                        memories.add(memory);
                        Plan plan = new Opening(plans.apply(rank.rank()), rank.rank());
                        return rank.begin(plan, memory.span(0, 1), memory.span(1, 1), 1, null, 1);
                    });
        } finally {
            memories.forEach(RankMemory::close);
        }
    }

    /// When a rank wants to go on though nothing arrives, or is to be asked about its connections.
    private long nextPs() {
        long askPs = Long.MAX_VALUE;
        if (!connecting.isEmpty()) {
            askPs = askedPs + ASK_PS;
        }
        Wait first = waits.peek();
        return first == null ? askPs : Math.min(askPs, first.atNs * 1000);
    }

    private void due() {
        long nowNs = fabric.nowPs() / 1000;
        for (Wait wait = waits.peek(); wait != null && wait.atNs <= nowNs; wait = waits.peek()) {
            waits.remove();
            tell(wait.rank);
        }
        if (fabric.nowPs() >= askedPs + ASK_PS) {
            askedPs = fabric.nowPs();
            connecting.stream().forEach(this::tell);
        }
    }

    private void serve() {
        long nowNs = fabric.nowPs() / 1000;
        while (!told.isEmpty()) {
            int rank = told.removeFirst();
            isTold[rank] = false;
            if (gone.get(rank)) {
                continue;
            }
            Communicator communicator = ranks.get(rank);
            for (CompletionQueue queue : communicator.completions()) {
                queue.arm(Notification.ANY);
            }
            communicator.progress(nowNs);
            connecting.set(rank, communicator.isConnecting());
            long nextNs = communicator.nextNs();
            if (nextNs != Long.MAX_VALUE && waitsNs[rank] != nextNs) {
                waitsNs[rank] = nextNs;
                waits.add(new Wait(nextNs, rank));
            }
        }
    }

    @Override
    public void close() {
        for (int rank = 0; rank < ranks.size(); rank++) {
            if (!gone.get(rank)) {
                ranks.get(rank).close();
                receptions.get(rank).forEach(Reception::close);
            }
        }
        devices.forEach(TransportDevice::close);
    }
}
