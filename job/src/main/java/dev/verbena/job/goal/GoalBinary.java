package dev.verbena.job.goal;

import dev.verbena.job.replay.Budget;
import dev.verbena.job.replay.Job;
import dev.verbena.job.replay.Schedule;
import dev.verbena.job.replay.ScheduleBuilder;
import dev.verbena.job.replay.TraceException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/// Reads the binary form of GOAL: little endian, packed.
///
/// A header has the magic number, the number of ranks, the largest cpu and NIC, and where the block
/// of each rank starts and ends, counted from behind the magic number. A block has the indexes of
/// the nodes that wait for nothing, the nodes, and an appendix of indexes: each node has a part of
/// it for those that wait for its finish, and one for those that wait for its start.
///
/// All of it is checked: the blocks follow each other and fill the file, and every number agrees
/// with those that can be counted.
public final class GoalBinary {
    static final long MAGIC = 4223;

    /// LogGOPSim writes it into a file in which it has counted dependencies down.
    static final long MAGIC_SPOILED = 2342;

    static final int MAGIC_BYTES = 8;
    static final int FIXED_BYTES = 6;
    static final int RANK_BYTES = 16;
    static final int NODE_BYTES = 39;

    private static final int PEER = 5;
    private static final int SIZE = 9;
    private static final int TAG = 17;
    private static final int CPU = 21;
    private static final int NIC = 22;
    private static final int FINISH = 23;
    private static final int START = 31;
    private static final int INDEX_BYTES = 4;

    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final String file;
    private final MemorySegment bytes;
    private final Budget budget = new Budget();
    private int ranks;
    private int cpuMax;
    private int nicMax;

    private GoalBinary(String file, MemorySegment bytes) {
        this.file = file;
        this.bytes = bytes;
    }

    /// Whether bytes are a binary form, whole or not: a text begins with eight characters, none of
    /// which is zero.
    public static boolean isBinary(MemorySegment bytes) {
        for (long i = 0; i < Math.min(MAGIC_BYTES, bytes.byteSize()); i++) {
            if (bytes.get(ValueLayout.JAVA_BYTE, i) == 0) {
                return true;
            }
        }
        return false;
    }

    /// Reads a job.
    ///
    /// @param file its name, for messages
    /// @throws TraceException with the rank and node of what is malformed
    public static Job read(String file, MemorySegment bytes) {
        return new GoalBinary(file, bytes).job();
    }

    private TraceException wrong(String problem) {
        return new TraceException(file + ": " + problem);
    }

    private TraceException wrong(int rank, String problem) {
        return new TraceException("%s, rank %d: %s".formatted(file, rank, problem));
    }

    private Job job() {
        long header = MAGIC_BYTES + FIXED_BYTES;
        requireBytes(header);
        long magic = bytes.get(LONG, 0);
        if (magic == MAGIC_SPOILED) {
            throw wrong(
                    "magic number 2342: a simulator has run on this file and has changed its"
                            + " dependencies in place; convert the text form again");
        }
        if (magic != MAGIC) {
            throw wrong(
                    "magic number %s where GOAL has 4223".formatted(Long.toUnsignedString(magic)));
        }
        long count = Integer.toUnsignedLong(bytes.get(INT, MAGIC_BYTES));
        if (count < 1 || count > Budget.RANKS_MAX) {
            throw wrong("%d ranks: use 1 to %,d".formatted(count, Budget.RANKS_MAX));
        }
        ranks = (int) count;
        cpuMax = unsigned(MAGIC_BYTES + INDEX_BYTES);
        nicMax = unsigned(MAGIC_BYTES + INDEX_BYTES + 1);
        long end = header + (long) ranks * RANK_BYTES;
        requireBytes(end);
        List<Schedule> schedules = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            long from = bytes.get(LONG, header + (long) rank * RANK_BYTES);
            long until = bytes.get(LONG, header + (long) rank * RANK_BYTES + 8);
            // Compared before they are added to, so that no sum overflows.
            long left = bytes.byteSize() - MAGIC_BYTES;
            if (from != end - MAGIC_BYTES || until < from || until > left) {
                throw wrong(
                        rank,
                        "its block from %s to %s does not follow %,d, or leaves the file of %,d"
                                .formatted(
                                        Long.toUnsignedString(from),
                                        Long.toUnsignedString(until),
                                        end - MAGIC_BYTES,
                                        left));
            }
            schedules.add(block(rank, end, until + MAGIC_BYTES));
            end = until + MAGIC_BYTES;
        }
        if (end != bytes.byteSize()) {
            throw wrong("%,d bytes after the last rank".formatted(bytes.byteSize() - end));
        }
        return new Job(file, schedules, List.of(), Job.Rules.CPUS);
    }

    private void requireBytes(long needed) {
        if (bytes.byteSize() < needed) {
            throw wrong(
                    "%,d bytes, and the header alone has %,d: the file is cut off"
                            .formatted(bytes.byteSize(), needed));
        }
    }

    private int unsigned(long at) {
        return bytes.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
    }

    private long index(long at) {
        return Integer.toUnsignedLong(bytes.get(INT, at));
    }

    private Schedule block(int rank, long from, long until) {
        if (until - from < 2 * INDEX_BYTES) {
            throw wrong(rank, "a block of %,d bytes is too short".formatted(until - from));
        }
        long nodes = index(from);
        long roots = index(from + INDEX_BYTES);
        long firstNode = from + (2 + roots) * INDEX_BYTES;
        long appendix = firstNode + nodes * NODE_BYTES;
        if (roots > nodes || appendix > until || (until - appendix) % INDEX_BYTES != 0) {
            throw wrong(
                    rank,
                    "%,d nodes and %,d roots do not fit its block of %,d bytes"
                            .formatted(nodes, roots, until - from));
        }
        ScheduleBuilder builder = new ScheduleBuilder(file, rank, ranks, "node", budget);
        for (int node = 0; node < nodes; node++) {
            add(builder, node, firstNode + (long) node * NODE_BYTES);
        }
        long entries = (until - appendix) / INDEX_BYTES;
        long next = 0;
        for (int node = 0; node < nodes; node++) {
            long at = firstNode + (long) node * NODE_BYTES;
            next = edges(builder, node, at + FINISH, appendix, next, entries, true);
            next = edges(builder, node, at + START, appendix, next, entries, false);
        }
        if (next != entries) {
            throw wrong(
                    rank,
                    "%,d entries in its appendix, and its nodes use %,d".formatted(entries, next));
        }
        requireCounts(builder, rank, firstNode);
        requireRoots(builder, rank, from + 2 * INDEX_BYTES, (int) roots);
        return builder.build();
    }

    private void add(ScheduleBuilder builder, int node, long at) {
        int type = bytes.get(ValueLayout.JAVA_BYTE, at + INDEX_BYTES);
        long size = bytes.get(LONG, at + SIZE);
        int peer = bytes.get(INT, at + PEER);
        int tag = bytes.get(INT, at + TAG);
        int cpu = unsigned(at + CPU);
        int nic = unsigned(at + NIC);
        if (cpu > cpuMax || nic > nicMax) {
            throw builder.wrong(
                    node,
                    "cpu %d, nic %d: the header has %d and %d as the largest"
                            .formatted(cpu, nic, cpuMax, nicMax));
        }
        switch (type) {
            case 1 -> builder.send(size, peer, tag, cpu, nic, node);
            case 2 -> builder.receive(size, peer, tag, cpu, nic, node);
            case 3 -> builder.calc(size, cpu, node);
            default ->
                    throw builder.wrong(
                            node, "type %d: use 1 send, 2 recv, 3 calc".formatted(type));
        }
    }

    /// Reads those that wait for a node; returns the index behind them in the appendix.
    private long edges(
            ScheduleBuilder builder,
            int node,
            long at,
            long appendix,
            long next,
            long entries,
            boolean isFinish) {
        long count = index(at);
        if (count == 0) {
            return next;
        }
        long first = index(at + INDEX_BYTES);
        if (first != next || count > entries - first) {
            throw builder.wrong(
                    node,
                    "%,d entries from %,d on in the appendix: it has %,d, and %,d is the next"
                            .formatted(count, first, entries, next));
        }
        for (long i = first; i < first + count; i++) {
            long waiting = index(appendix + i * INDEX_BYTES);
            if (waiting >= builder.nodes()) {
                throw builder.wrong(
                        node,
                        "node %d waits for it, and the rank has %,d nodes"
                                .formatted(waiting, builder.nodes()));
            }
            if (isFinish) {
                builder.afterFinish((int) waiting, node);
            } else {
                builder.afterStart((int) waiting, node);
            }
        }
        return first + count;
    }

    private void requireCounts(ScheduleBuilder builder, int rank, long firstNode) {
        int[] waits = builder.waits();
        for (int node = 0; node < waits.length; node++) {
            long stored = index(firstNode + (long) node * NODE_BYTES);
            if (stored != waits[node]) {
                throw builder.wrong(
                        node,
                        "it counts %,d dependencies, and %,d nodes of rank %d name it"
                                .formatted(stored, waits[node], rank));
            }
        }
    }

    /// The roots are the nodes that wait for nothing, each once.
    private void requireRoots(ScheduleBuilder builder, int rank, long at, int count) {
        int[] waits = builder.waits();
        int seen = 0;
        for (int i = 0; i < count; i++) {
            long root = index(at + (long) i * INDEX_BYTES);
            if (root >= waits.length || waits[(int) root] != 0) {
                throw wrong(rank, "root %d is no node that waits for nothing".formatted(root));
            }
            waits[(int) root] = -1;
            seen++;
        }
        for (int wait : waits) {
            seen -= wait <= 0 ? 1 : 0;
        }
        if (seen != 0) {
            throw wrong(rank, "it has %d roots, and not all are listed".formatted(count));
        }
    }
}
