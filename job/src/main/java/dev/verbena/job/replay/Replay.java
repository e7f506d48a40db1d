package dev.verbena.job.replay;

import dev.verbena.fabric.Fabric;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Carries jobs out on a simulated fabric, a rank on each host; the ranks of a second job are on
/// the hosts after those of the first.
///
/// A message takes the time that the fabric needs for it, as an RDMA WRITE with immediate data. It
/// is sent whether its receiver waits for it or not. A send finishes when its last acknowledgement
/// is back, a receive when its message has arrived in whole.
public final class Replay implements AutoCloseable {
    private static final int NAMED = 4;

    private final Fabric fabric;
    private final List<Job> jobs;
    private final List<RankState> ranks = new ArrayList<>();
    private final ArrayDeque<RankState> ready = new ArrayDeque<>();
    private final boolean[] isReady;
    private final int[] firstOfJob;
    private final Hosts hosts;
    private final Messages messages;
    private final Collectives collectives;
    private final long startPs;
    private long left;
    private Optional<String> problem = Optional.empty();

    /// Jobs side by side.
    ///
    /// @throws TraceException when the fabric has too few hosts
    public Replay(Fabric fabric, List<Job> jobs, ReplaySettings settings) {
        this.fabric = fabric;
        this.jobs = List.copyOf(jobs);
        int needed = jobs.stream().mapToInt(it -> it.ranks().size()).sum();
        int there = fabric.topology().hosts();
        if (needed > there) {
            throw new TraceException(
                    "%s: %,d ranks, and the fabric has %,d hosts; use as many hosts"
                            .formatted(jobs.getFirst().name(), needed, there));
        }
        isReady = new boolean[there];
        firstOfJob = new int[jobs.size()];
        hosts = new Hosts(fabric, settings.options());
        messages = new Messages(fabric, hosts, settings.connections(), longest(), new Mail());
        collectives = new Collectives(fabric, hosts, settings.communicators(), new Calls());
        Around around = new Around();
        for (int job = 0; job < jobs.size(); job++) {
            firstOfJob[job] = ranks.size();
            add(job, settings.overheadNs(), around);
            left += jobs.get(job).nodes();
            collectives.add(job, jobs.get(job), firstOfJob[job]);
        }
        collectives.connect();
        startPs = fabric.nowPs();
        ranks.forEach(RankState::begin);
    }

    private void add(int job, long overheadNs, Around around) {
        Job of = jobs.get(job);
        for (int rank = 0; rank < of.ranks().size(); rank++) {
            Schedule schedule = of.ranks().get(rank);
            int host = ranks.size();
            ranks.add(new RankState(job, rank, host, schedule, of.rules(), overheadNs, around));
        }
    }

    private long longest() {
        long longest = 0;
        for (Job job : jobs) {
            for (Schedule schedule : job.ranks()) {
                for (int node = 0; node < schedule.nodes(); node++) {
                    if (schedule.kind(node) == NodeKind.SEND) {
                        longest = Math.max(longest, schedule.size(node));
                    }
                }
            }
        }
        return longest;
    }

    /// Runs until all nodes have finished, until that can no longer happen, or until a time;
    /// returns whether all have finished.
    ///
    /// @param untilPs on the clock of the fabric
    public boolean run(long untilPs) {
        serve();
        while (!isOver() && problem.isEmpty()) {
            if (!fabric.step(untilPs)) {
                if (fabric.isIdle()) {
                    problem = Optional.of(stuck());
                }
                break;
            }
            serve();
        }
        return isOver();
    }

    private void serve() {
        boolean isMore = true;
        while (isMore) {
            messages.serve();
            collectives.serve();
            isMore = !ready.isEmpty();
            while (!ready.isEmpty()) {
                RankState rank = ready.removeFirst();
                isReady[rank.host] = false;
                rank.proceed();
            }
        }
    }

    /// Whether all nodes have finished.
    public boolean isOver() {
        return left == 0;
    }

    /// Nodes that have not finished.
    public long left() {
        return left;
    }

    /// Why the jobs will never be over, or nothing.
    public Optional<String> problem() {
        return problem;
    }

    /// Names receives that never get a message, and collective operations that a rank never calls.
    private String stuck() {
        List<String> named = new ArrayList<>(collectives.stuck());
        int waiting = 0;
        for (RankState rank : ranks) {
            int node = rank.matching.firstPosted();
            waiting += rank.left() > 0 ? 1 : 0;
            if (node >= 0 && named.size() < NAMED) {
                named.add(
                        "%s: %s never gets one"
                                .formatted(name(rank, node), rank.schedule.text(node)));
            }
        }
        return "deadlock: %s; %,d nodes on %,d ranks wait for ever"
                .formatted(String.join("; ", named), left(), waiting);
    }

    private String name(RankState rank, int node) {
        String place = rank.schedule.place(node);
        return jobs.size() == 1 ? place : jobs.get(rank.job).name() + ", " + place;
    }

    public Fabric fabric() {
        return fabric;
    }

    public List<Job> jobs() {
        return jobs;
    }

    /// What each rank did.
    public List<RankTimes> times() {
        return ranks.stream().map(it -> it.times(startPs)).toList();
    }

    /// Time from the start to now, or to the end of the last rank when all are over.
    public long spanPs() {
        return isOver()
                ? times().stream().mapToLong(RankTimes::endPs).max().orElse(0)
                : fabric.nowPs() - startPs;
    }

    /// Messages that have arrived and that no receive has taken.
    public long kept() {
        return ranks.stream().mapToLong(it -> it.matching.kept()).sum();
    }

    @Override
    public void close() {
        hosts.close();
    }

    private void tell(String text) {
        if (problem.isEmpty()) {
            problem = Optional.of(text);
        }
    }

    /// Ranks and hosts have the same numbers here, and places of a job begin at its first host.
    private final class Mail implements Messages.Listener {
        @Override
        public void arrived(Messages.Message message) {
            RankState rank = ranks.get(message.destination());
            int source = message.source() - firstOfJob[rank.job];
            rank.arrived(source, message.tag(), message.bytes());
        }

        @Override
        public void sent(Messages.Message message) {
            ranks.get(message.source()).over(message.node());
        }

        @Override
        public void failed(Messages.Message message, String why) {
            RankState rank = ranks.get(message.source());
            tell(
                    "%s: %s failed: %s"
                            .formatted(
                                    name(rank, message.node()),
                                    rank.schedule.text(message.node()),
                                    why));
        }
    }

    private final class Calls implements Collectives.Listener {
        @Override
        public void over(int host, int node) {
            ranks.get(host).over(node);
        }

        @Override
        public void problem(String text) {
            tell(text);
        }

        @Override
        public String name(int host, int node) {
            RankState rank = ranks.get(host);
            return Replay.this.name(rank, node) + ": " + rank.schedule.text(node);
        }
    }

    private final class Around implements RankState.Surroundings {
        @Override
        public long nowPs() {
            return fabric.nowPs();
        }

        @Override
        public void later(long durationPs, RankState rank, int node) {
            if (durationPs == 0) {
                rank.handled(node);
            } else {
                fabric.at(fabric.nowPs() + durationPs, () -> rank.handled(node));
            }
        }

        @Override
        public void send(RankState rank, int node) {
            Schedule schedule = rank.schedule;
            int to = firstOfJob[rank.job] + schedule.peer(node);
            messages.send(
                    new Messages.Message(
                            rank.host,
                            to,
                            schedule.nic(node),
                            schedule.tag(node),
                            schedule.size(node),
                            node));
        }

        @Override
        public void collective(RankState rank, int node) {
            collectives.begin(rank.job, rank.host, node, rank.schedule.call(node));
        }

        @Override
        public void ready(RankState rank) {
            if (!isReady[rank.host]) {
                isReady[rank.host] = true;
                ready.addLast(rank);
            }
        }

        @Override
        public void finished() {
            left--;
        }

        @Override
        public void problem(String text) {
            tell(text);
        }
    }
}
