package dev.verbena.job.replay;

import java.util.List;

/// What one rank does: a graph of nodes, each of which starts when others have finished or started.
///
/// Made by a [ScheduleBuilder], which checks it: indexes and sizes are in range, and no node waits
/// for itself.
public final class Schedule {
    /// Any source, or any tag.
    public static final int ANY = -1;

    /// Edges from one node to those that wait for it.
    static final class Edges {
        private final int[] first;
        private final int[] to;

        /// @param first by node, where those that wait for it begin
        Edges(int[] first, int[] to) {
            this.first = first;
            this.to = to;
        }

        int count() {
            return to.length;
        }

        /// One that waits, by a number between [#from] and [#until].
        int to(int at) {
            return to[at];
        }

        int from(int node) {
            return first[node];
        }

        int until(int node) {
            return first[node + 1];
        }
    }

    private final ScheduleBuilder source;
    private final int[] waitsFor;
    private final Edges finish;
    private final Edges start;

    Schedule(ScheduleBuilder source, int[] waitsFor, Edges finish, Edges start) {
        this.source = source;
        this.waitsFor = waitsFor;
        this.finish = finish;
        this.start = start;
    }

    public int nodes() {
        return source.nodes();
    }

    public NodeKind kind(int node) {
        return source.kinds[node];
    }

    /// Bytes of a message, or nanoseconds of a calculation.
    public long size(int node) {
        return source.sizes[node];
    }

    /// The other rank of a message, or [#ANY] for a receive.
    public int peer(int node) {
        return source.peers[node];
    }

    /// The tag of a message, or [#ANY] for a receive.
    public int tag(int node) {
        return source.tags[node];
    }

    /// The unit that carries the node out; nodes of one unit follow each other.
    public int unit(int node) {
        return source.units[node] & 0xFF;
    }

    public int nic(int node) {
        return source.nics[node] & 0xFF;
    }

    /// The operation of a collective node.
    public CollectiveCall call(int node) {
        return source.calls.get(source.peers[node]);
    }

    /// All calls of collective operations.
    public List<CollectiveCall> calls() {
        return List.copyOf(source.calls);
    }

    /// Where in its file a node is, such as `rank 3, line 12`.
    public String place(int node) {
        return source.place(node);
    }

    /// Finishes and starts for which each node waits.
    int[] waitsFor() {
        return waitsFor.clone();
    }

    Edges onFinish() {
        return finish;
    }

    Edges onStart() {
        return start;
    }

    /// What a node does, in words.
    public String text(int node) {
        return switch (kind(node)) {
            case CALC -> "calc of %,d ns".formatted(size(node));
            case SEND ->
                    "send of %,d bytes to rank %d, tag %s"
                            .formatted(size(node), peer(node), number(tag(node)));
            case RECEIVE ->
                    "receive of %,d bytes from %s, tag %s"
                            .formatted(
                                    size(node),
                                    peer(node) == ANY ? "any rank" : "rank " + peer(node),
                                    tag(node) == ANY ? "any" : number(tag(node)));
            case COLLECTIVE -> call(node).text();
        };
    }

    private static String number(int tag) {
        return Integer.toUnsignedString(tag);
    }
}
