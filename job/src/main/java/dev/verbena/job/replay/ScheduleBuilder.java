package dev.verbena.job.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Makes the [Schedule] of one rank, and refuses what cannot be carried out.
public final class ScheduleBuilder {
    private static final int FIRST_ROOM = 16;

    final List<CollectiveCall> calls = new ArrayList<>();
    NodeKind[] kinds = new NodeKind[FIRST_ROOM];
    byte[] units = new byte[FIRST_ROOM];
    byte[] nics = new byte[FIRST_ROOM];
    int[] peers = new int[FIRST_ROOM];
    int[] tags = new int[FIRST_ROOM];
    long[] sizes = new long[FIRST_ROOM];

    private final String file;
    private final int rank;
    private final int ranks;
    private final String word;
    private final Budget budget;
    private long[] places = new long[FIRST_ROOM];
    private int nodes;

    /// Pairs of a node and the one that it waits for.
    private int[] finishes = new int[2 * FIRST_ROOM];

    private int[] starts = new int[2 * FIRST_ROOM];
    private int finishCount;
    private int startCount;

    /// @param file its name, for messages
    /// @param ranks in the job
    /// @param word before the number of a place: `line` or `node`
    public ScheduleBuilder(String file, int rank, int ranks, String word, Budget budget) {
        this.file = file;
        this.rank = rank;
        this.ranks = ranks;
        this.word = word;
        this.budget = budget;
    }

    /// Ranks of the job.
    public int ranks() {
        return ranks;
    }

    public int nodes() {
        return nodes;
    }

    /// Says what is wrong at a place.
    public TraceException wrong(long place, String problem) {
        return new TraceException(
                "%s, rank %d, %s %s: %s"
                        .formatted(file, rank, word, Long.toUnsignedString(place), problem));
    }

    String place(int node) {
        return "rank %d, %s %s".formatted(rank, word, Long.toUnsignedString(places[node]));
    }

    /// Adds a calculation; returns its index.
    public int calc(long durationNs, int unit, long place) {
        if (durationNs < 0 || durationNs > Budget.CALC_MAX_NS) {
            throw wrong(
                    place,
                    "a calc of %s ns is too long: %,d is the most"
                            .formatted(Long.toUnsignedString(durationNs), Budget.CALC_MAX_NS));
        }
        return add(NodeKind.CALC, durationNs, 0, 0, unit, 0, place);
    }

    /// Adds a message to another rank; returns its index.
    public int send(long bytes, int to, int tag, int unit, int nic, long place) {
        requirePeer(to, place);
        requireBytes(bytes, place);
        if (tag == Schedule.ANY) {
            throw wrong(place, "a send has a tag of its own, not any");
        }
        return add(NodeKind.SEND, bytes, to, tag, unit, nic, place);
    }

    /// Adds a message of another rank; returns its index.
    ///
    /// @param from or [Schedule#ANY]
    /// @param tag or [Schedule#ANY]
    public int receive(long bytes, int from, int tag, int unit, int nic, long place) {
        if (from != Schedule.ANY) {
            requirePeer(from, place);
        }
        requireBytes(bytes, place);
        return add(NodeKind.RECEIVE, bytes, from, tag, unit, nic, place);
    }

    /// Adds a part of a collective operation; returns its index.
    public int collective(CollectiveCall call, int unit, long place) {
        requireBytes(call.bytes(), place);
        calls.add(call);
        return add(NodeKind.COLLECTIVE, call.bytes(), calls.size() - 1, 0, unit, 0, place);
    }

    private void requirePeer(int peer, long place) {
        if (peer < 0 || peer >= ranks) {
            throw wrong(
                    place,
                    "there is no rank %s: the job has %d, from 0 on"
                            .formatted(Integer.toUnsignedString(peer), ranks));
        }
    }

    private void requireBytes(long bytes, long place) {
        if (bytes < 0 || bytes > Budget.BYTES_MAX) {
            throw wrong(
                    place,
                    "%s bytes are too many: %,d is the most"
                            .formatted(Long.toUnsignedString(bytes), Budget.BYTES_MAX));
        }
    }

    private int add(NodeKind kind, long size, int peer, int tag, int unit, int nic, long place) {
        if (!budget.nodes(1)) {
            throw wrong(
                    place,
                    "the job has more than the limit of %,d nodes".formatted(Budget.NODES_MAX));
        }
        if (unit < 0 || unit > 255 || nic < 0 || nic > 255) {
            throw wrong(place, "cpu %d, nic %d: use 0 to 255".formatted(unit, nic));
        }
        if (nodes == sizes.length) {
            grow();
        }
        kinds[nodes] = kind;
        sizes[nodes] = size;
        peers[nodes] = peer;
        tags[nodes] = tag;
        units[nodes] = (byte) unit;
        nics[nodes] = (byte) nic;
        places[nodes] = place;
        return nodes++;
    }

    private void grow() {
        int room = 2 * nodes;
        kinds = Arrays.copyOf(kinds, room);
        sizes = Arrays.copyOf(sizes, room);
        peers = Arrays.copyOf(peers, room);
        tags = Arrays.copyOf(tags, room);
        units = Arrays.copyOf(units, room);
        nics = Arrays.copyOf(nics, room);
        places = Arrays.copyOf(places, room);
    }

    /// A node starts after another has finished.
    public void afterFinish(int node, int other) {
        requireRoom(node);
        finishes = put(finishes, finishCount++, node, other);
    }

    /// A node starts after another has started.
    public void afterStart(int node, int other) {
        requireRoom(node);
        starts = put(starts, startCount++, node, other);
    }

    private void requireRoom(int node) {
        if (!budget.dependencies(1)) {
            throw wrong(
                    places[node],
                    "the job has more than the limit of %,d dependencies"
                            .formatted(Budget.DEPENDENCIES_MAX));
        }
    }

    private static int[] put(int[] pairs, int count, int node, int other) {
        int[] room = 2 * count < pairs.length ? pairs : Arrays.copyOf(pairs, 2 * pairs.length);
        room[2 * count] = node;
        room[2 * count + 1] = other;
        return room;
    }

    /// Finishes and starts for which each node waits.
    public int[] waits() {
        int[] waits = new int[nodes];
        for (int i = 0; i < finishCount; i++) {
            waits[finishes[2 * i]]++;
        }
        for (int i = 0; i < startCount; i++) {
            waits[starts[2 * i]]++;
        }
        return waits;
    }

    /// Makes the schedule.
    ///
    /// @throws TraceException for nodes that wait for each other
    public Schedule build() {
        Schedule.Edges finish = edges(finishes, finishCount);
        Schedule.Edges start = edges(starts, startCount);
        finishes = new int[0];
        starts = new int[0];
        int[] waits = new int[nodes];
        count(finish, waits);
        count(start, waits);
        requireNoCycle(waits.clone(), finish, start);
        return new Schedule(this, waits, finish, start);
    }

    private static void count(Schedule.Edges edges, int[] waits) {
        for (int at = 0; at < edges.count(); at++) {
            waits[edges.to(at)]++;
        }
    }

    /// Those that wait for a node stand together, the smallest index first.
    private Schedule.Edges edges(int[] pairs, int count) {
        int[] first = new int[nodes + 1];
        for (int i = 0; i < count; i++) {
            first[pairs[2 * i + 1] + 1]++;
        }
        for (int i = 0; i < nodes; i++) {
            first[i + 1] += first[i];
        }
        int[] next = first.clone();
        int[] to = new int[count];
        for (int i = 0; i < count; i++) {
            to[next[pairs[2 * i + 1]]++] = pairs[2 * i];
        }
        for (int i = 0; i < nodes; i++) {
            Arrays.sort(to, first[i], first[i + 1]);
        }
        return new Schedule.Edges(first, to);
    }

    /// Lets all nodes start, one after the other: those that wait for each other are left.
    private void requireNoCycle(int[] waits, Schedule.Edges finish, Schedule.Edges start) {
        int[] order = new int[nodes];
        int ready = 0;
        for (int i = 0; i < nodes; i++) {
            if (waits[i] == 0) {
                order[ready++] = i;
            }
        }
        for (int i = 0; i < ready; i++) {
            for (Schedule.Edges edges : List.of(finish, start)) {
                for (int at = edges.from(order[i]); at < edges.until(order[i]); at++) {
                    if (--waits[edges.to(at)] == 0) {
                        order[ready++] = edges.to(at);
                    }
                }
            }
        }
        if (ready < nodes) {
            int node = onCycle(waits, finish, start);
            throw wrong(places[node], "it waits for nodes that wait for it");
        }
    }

    /// A node that is left waits for another that is left: after as many steps back as there are
    /// nodes, the walk is on a cycle.
    private int onCycle(int[] waits, Schedule.Edges finish, Schedule.Edges start) {
        int[] before = new int[nodes];
        int left = 0;
        for (int i = 0; i < nodes; i++) {
            if (waits[i] > 0) {
                left = i;
                for (Schedule.Edges edges : List.of(finish, start)) {
                    for (int at = edges.from(i); at < edges.until(i); at++) {
                        before[edges.to(at)] = i;
                    }
                }
            }
        }
        int node = left;
        for (int i = 0; i < nodes; i++) {
            node = before[node];
        }
        int least = node;
        for (int at = before[node]; at != node; at = before[at]) {
            least = Math.min(least, at);
        }
        return least;
    }
}
