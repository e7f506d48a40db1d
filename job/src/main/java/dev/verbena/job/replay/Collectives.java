package dev.verbena.job.replay;

import dev.verbena.collectives.Communicator;
import dev.verbena.collectives.CommunicatorSettings;
import dev.verbena.collectives.Work;
import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.link.Failure;
import dev.verbena.collectives.link.LinkSettings;
import dev.verbena.collectives.link.Member;
import dev.verbena.collectives.link.Reception;
import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.memory.Span;
import dev.verbena.collectives.plan.Collective;
import dev.verbena.fabric.Fabric;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Notification;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/// The collective operations of a job: a communicator for each rank of each group, which carries
/// them out for real.
///
/// The ranks of a group call the same operations in the same order; a rank that calls another one
/// than the rest ends the run.
final class Collectives {
    private static final int PORT = 7000;
    private static final long ASK_PS = 10_000_000;
    private static final int ELEMENT_BYTES = 4;

    /// Receives events of operations.
    interface Listener {
        void over(int host, int node);

        void problem(String text);

        /// What a node of a host is called.
        String name(int host, int node);
    }

    private record Begun(Work work, int node) {}

    /// One rank in one group.
    private static final class Place {
        private final Group group;
        private final int host;
        private final Communicator communicator;
        private final RankMemory memory;
        private final ArrayDeque<Begun> begun = new ArrayDeque<>();
        private int calls;
        private boolean isTold;

        Place(Group group, int host, Communicator communicator) {
            this.group = group;
            this.host = host;
            this.communicator = communicator;
            memory = communicator.allocate(2 * group.longest);
        }
    }

    /// Ranks that work together.
    private static final class Group {
        private final List<Integer> hosts;
        private final List<Place> places = new ArrayList<>();
        private final Map<Integer, Place> byHost = new HashMap<>();

        /// The calls of all ranks so far, in their order, and which node called each first.
        private final List<CollectiveCall> calls = new ArrayList<>();

        private final List<String> callers = new ArrayList<>();

        /// Different calls of all schedules.
        private final Set<CollectiveCall> kinds = new LinkedHashSet<>();

        private long longest;

        Group(List<Integer> hosts) {
            this.hosts = hosts;
        }
    }

    private final Fabric fabric;
    private final Hosts devices;
    private final Listener listener;
    private final CommunicatorSettings settings;
    private final Map<Integer, Reception> receptions = new HashMap<>();
    private final List<Group> groups = new ArrayList<>();
    private final Map<Integer, Integer> firstOfJob = new HashMap<>();
    private final ArrayDeque<Place> told = new ArrayDeque<>();

    Collectives(
            Fabric fabric,
            Hosts devices,
            UnaryOperator<CommunicatorSettings> changes,
            Listener listener) {
        this.fabric = fabric;
        this.devices = devices;
        this.listener = listener;
        LinkSettings links = LinkSettings.DEFAULT.withKeepAlive(Duration.ZERO);
        settings =
                changes.apply(
                        CommunicatorSettings.of(() -> fabric.nowPs() / 1000)
                                .withLinks(links)
                                .withTimeout(Duration.ZERO));
    }

    /// Takes the groups of a job whose first rank is on a host.
    void add(int number, Job job, int firstHost) {
        firstOfJob.put(number, groups.size());
        for (List<Integer> ranks : job.groups()) {
            groups.add(new Group(ranks.stream().map(it -> firstHost + it).toList()));
        }
        for (Schedule schedule : job.ranks()) {
            for (CollectiveCall call : schedule.calls()) {
                Group group = groups.get(firstOfJob.get(number) + call.group());
                group.kinds.add(call);
                group.longest =
                        Math.max(group.longest, Vectors.of(call, group.hosts.size()).longest());
            }
        }
    }

    /// Makes the communicators, and carries each kind of operation out once, so that connections
    /// are there when the job starts.
    void connect() {
        for (Group group : groups) {
            if (group.hosts.size() > 1) {
                join(group);
            }
        }
        for (Group group : groups) {
            for (CollectiveCall call : group.kinds) {
                List<Work> works = new ArrayList<>();
                for (Place place : group.places) {
                    works.add(begin(place, call));
                    tell(place);
                }
                runUntilOver(group, works);
            }
        }
    }

    private void join(Group group) {
        List<Member> members = new ArrayList<>();
        for (int host : group.hosts) {
            receptions.computeIfAbsent(host, it -> new Reception(devices.device(it), PORT));
            members.add(new Member(List.of(Member.addressOf(devices.device(host))), PORT, host));
        }
        long number = groups.indexOf(group) + 1L;
        for (int place = 0; place < members.size(); place++) {
            int host = group.hosts.get(place);
            Reception reception = receptions.get(host);
            if (reception == null) {
                throw new AssertionError("each host of a group has one");
            }
            add(
                    new Place(
                            group,
                            host,
                            new Communicator(
                                    number, place, members, List.of(reception), settings)));
        }
    }

    private void add(Place place) {
        place.group.places.add(place);
        place.group.byHost.put(place.host, place);
        for (CompletionQueue queue : place.communicator.completions()) {
            queue.onNotification(() -> tell(place));
        }
    }

    private void tell(Place place) {
        if (!place.isTold) {
            place.isTold = true;
            told.addLast(place);
        }
    }

    private void runUntilOver(Group group, List<Work> works) {
        int over = 0;
        long askPs = fabric.nowPs();
        while (over < works.size()) {
            serve();
            while (over < works.size() && works.get(over).isOver()) {
                over++;
            }
            if (over < works.size() && !fabric.step(askPs)) {
                // No completion tells of connections.
                group.places.forEach(this::tell);
                askPs += ASK_PS;
                fabric.run(askPs);
            }
        }
        for (Place place : group.places) {
            failed(place);
        }
    }

    private void failed(Place place) {
        Failure failure = place.communicator.failure();
        if (failure != null) {
            listener.problem(
                    "%s failed: rank %d of its group: %s"
                            .formatted(place.communicator, failure.rank(), failure.reason()));
        }
    }

    /// A rank calls an operation.
    ///
    /// @param host of the rank
    void begin(int job, int host, int node, CollectiveCall call) {
        Integer first = firstOfJob.get(job);
        Group group = groups.get((first == null ? 0 : first) + call.group());
        Place place = group.byHost.get(host);
        if (place == null) {
            // A rank alone waits for none.
            listener.over(host, node);
            return;
        }
        int number = place.calls++;
        if (number == group.calls.size()) {
            group.calls.add(call);
            group.callers.add(listener.name(host, node));
        } else if (!group.calls.get(number).equals(call)) {
            listener.problem(
                    "%s differs from the call of its group: %s"
                            .formatted(listener.name(host, node), group.callers.get(number)));
            return;
        }
        place.begun.addLast(new Begun(begin(place, call), node));
        tell(place);
    }

    private static Work begin(Place place, CollectiveCall call) {
        Communicator ranks = place.communicator;
        Vectors vectors = Vectors.of(call, ranks.size());
        Span from = place.memory.span(0, vectors.in());
        Span to = place.memory.span(place.group.longest, vectors.out());
        ElementType type = ElementType.FLOAT32;
        Reduction sum = Reduction.SUM;
        int root = call.root();
        return switch (call.operation()) {
            case ALL_REDUCE -> ranks.allReduce(from, to, type, sum);
            case REDUCE -> ranks.reduce(from, to, type, sum, root);
            case REDUCE_SCATTER -> ranks.reduceScatter(from, to, type, sum);
            case ALL_GATHER -> ranks.allGather(from, to);
            case GATHER -> ranks.gather(from, to, root);
            case SCATTER -> ranks.scatter(from, to, root);
            case BROADCAST -> ranks.broadcast(from, root);
            case ALL_TO_ALL -> ranks.allToAll(from, to);
            case BARRIER -> ranks.barrier();
        };
    }

    /// Lets the communicators go on of which something was heard.
    void serve() {
        long nowNs = fabric.nowPs() / 1000;
        while (!told.isEmpty()) {
            Place place = told.removeFirst();
            place.isTold = false;
            for (CompletionQueue queue : place.communicator.completions()) {
                queue.arm(Notification.ANY);
            }
            place.communicator.progress(nowNs);
            failed(place);
            while (!place.begun.isEmpty() && place.begun.getFirst().work.isDone()) {
                listener.over(place.host, place.begun.removeFirst().node);
            }
        }
    }

    /// Operations that wait for ranks which never call them.
    List<String> stuck() {
        List<String> texts = new ArrayList<>();
        for (Group group : groups) {
            Place waiting = null;
            Place missing = null;
            for (Place place : group.places) {
                boolean isLater = waiting == null || place.calls > waiting.calls;
                waiting = !place.begun.isEmpty() && isLater ? place : waiting;
                missing = missing == null || place.calls < missing.calls ? place : missing;
            }
            if (waiting != null && missing != null) {
                int node = waiting.begun.getFirst().node;
                texts.add(
                        "%s waits for rank %d of its group, on host %d"
                                .formatted(
                                        listener.name(waiting.host, node),
                                        missing.communicator.rank(),
                                        missing.host));
            }
        }
        return texts;
    }

    /// Bytes that a rank of a group hands in and gets.
    record Vectors(long in, long out) {
        static Vectors of(CollectiveCall call, int ranks) {
            long bytes = Math.max(1, call.bytes());
            long whole = whole(bytes);
            long part = Math.ceilDiv(bytes, ranks);
            Collective operation = call.operation();
            return switch (operation) {
                case ALL_REDUCE, REDUCE -> new Vectors(whole, whole);
                case REDUCE_SCATTER -> new Vectors(ranks * whole(part), whole(part));
                case ALL_GATHER, GATHER -> new Vectors(bytes, ranks * bytes);
                case SCATTER -> new Vectors(ranks * part, part);
                case ALL_TO_ALL -> new Vectors(ranks * part, ranks * part);
                case BROADCAST, BARRIER -> new Vectors(bytes, bytes);
            };
        }

        /// Sums are of whole elements.
        private static long whole(long bytes) {
            return Math.ceilDiv(bytes, ELEMENT_BYTES) * ELEMENT_BYTES;
        }

        long longest() {
            return Math.max(in, out);
        }
    }
}
