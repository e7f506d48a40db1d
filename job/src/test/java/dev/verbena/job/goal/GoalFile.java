package dev.verbena.job.goal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Writes the same schedules in both forms of GOAL.
public final class GoalFile {
    private record Node(int type, long size, int peer, int tag, int cpu, int nic) {}

    private record Edge(int node, int other) {}

    private static final class Rank {
        private final List<Node> nodes = new ArrayList<>();
        private final List<Edge> finishes = new ArrayList<>();
        private final List<Edge> starts = new ArrayList<>();
    }

    private final List<Rank> ranks = new ArrayList<>();

    public GoalFile(int ranks) {
        for (int i = 0; i < ranks; i++) {
            this.ranks.add(new Rank());
        }
    }

    private int add(int rank, Node node) {
        ranks.get(rank).nodes.add(node);
        return ranks.get(rank).nodes.size() - 1;
    }

    public int calc(int rank, long ns, int cpu) {
        return add(rank, new Node(3, ns, 0, 0, cpu, 0));
    }

    public int send(int rank, long bytes, int to, int tag, int cpu, int nic) {
        return add(rank, new Node(1, bytes, to, tag, cpu, nic));
    }

    /// Adds a receive.
    ///
    /// @param from or -1
    /// @param tag or -1
    public int receive(int rank, long bytes, int from, int tag, int cpu, int nic) {
        return add(rank, new Node(2, bytes, from, tag, cpu, nic));
    }

    public void requires(int rank, int node, int other) {
        ranks.get(rank).finishes.add(new Edge(node, other));
    }

    public void irequires(int rank, int node, int other) {
        ranks.get(rank).starts.add(new Edge(node, other));
    }

    public String text() {
        StringBuilder out = new StringBuilder("num_ranks " + ranks.size() + "\n");
        for (int i = 0; i < ranks.size(); i++) {
            Rank rank = ranks.get(i);
            out.append("rank ").append(i).append(" {\n");
            for (int node = 0; node < rank.nodes.size(); node++) {
                out.append('l').append(node).append(": ").append(text(rank.nodes.get(node)));
            }
            rank.finishes.forEach(
                    it -> out.append("l%d requires l%d\n".formatted(it.node, it.other)));
            rank.starts.forEach(
                    it -> out.append("l%d irequires l%d\n".formatted(it.node, it.other)));
            out.append("}\n");
        }
        return out.toString();
    }

    private static String text(Node node) {
        return switch (node.type) {
            case 1, 2 ->
                    "%s %db %s %d tag %d cpu %d nic %d%n"
                            .formatted(
                                    node.type == 1 ? "send" : "recv",
                                    node.size,
                                    node.type == 1 ? "to" : "from",
                                    node.peer,
                                    node.tag,
                                    node.cpu,
                                    node.nic);
            default -> "calc %d cpu %d%n".formatted(node.size, node.cpu);
        };
    }

    public byte[] binary() {
        List<byte[]> blocks = ranks.stream().map(GoalFile::block).toList();
        int header = 8 + 6 + 16 * ranks.size();
        int size = header + blocks.stream().mapToInt(it -> it.length).sum();
        ByteBuffer out = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(4223).putInt(ranks.size());
        out.put((byte) largest(true)).put((byte) largest(false));
        long start = header - 8L;
        for (byte[] block : blocks) {
            out.putLong(start).putLong(start + block.length);
            start += block.length;
        }
        blocks.forEach(out::put);
        return out.array();
    }

    private int largest(boolean isCpu) {
        return ranks.stream()
                .flatMap(it -> it.nodes.stream())
                .mapToInt(it -> isCpu ? it.cpu : it.nic)
                .max()
                .orElse(0);
    }

    private static byte[] block(Rank rank) {
        int[] open = new int[rank.nodes.size()];
        Map<Integer, List<Integer>> finish = new TreeMap<>();
        Map<Integer, List<Integer>> start = new TreeMap<>();
        for (Edge edge : rank.finishes) {
            open[edge.node]++;
            finish.computeIfAbsent(edge.other, _ -> new ArrayList<>()).add(edge.node);
        }
        for (Edge edge : rank.starts) {
            open[edge.node]++;
            start.computeIfAbsent(edge.other, _ -> new ArrayList<>()).add(edge.node);
        }
        List<Integer> roots = new ArrayList<>();
        for (int i = 0; i < open.length; i++) {
            if (open[i] == 0) {
                roots.add(i);
            }
        }
        int appendix = rank.finishes.size() + rank.starts.size();
        ByteBuffer out =
                ByteBuffer.allocate(8 + 4 * roots.size() + 39 * open.length + 4 * appendix)
                        .order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(open.length).putInt(roots.size());
        roots.forEach(out::putInt);
        List<Integer> entries = new ArrayList<>();
        for (int i = 0; i < open.length; i++) {
            Node node = rank.nodes.get(i);
            out.putInt(open[i]).put((byte) node.type).putInt(node.peer).putLong(node.size);
            out.putInt(node.tag).put((byte) node.cpu).put((byte) node.nic);
            for (Map<Integer, List<Integer>> edges : List.of(finish, start)) {
                List<Integer> waiting = edges.getOrDefault(i, List.of());
                // Without edges the index means nothing; LogGOPSim leaves 999 or -1 there.
                out.putInt(waiting.size()).putInt(waiting.isEmpty() ? 999 : entries.size());
                entries.addAll(waiting);
            }
        }
        entries.forEach(out::putInt);
        return out.array();
    }
}
