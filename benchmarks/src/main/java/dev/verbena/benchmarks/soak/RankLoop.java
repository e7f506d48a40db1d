package dev.verbena.benchmarks.soak;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import com.sun.management.ThreadMXBean;
import dev.verbena.collectives.Communicator;
import dev.verbena.collectives.CommunicatorSettings;
import dev.verbena.collectives.RankFailedException;
import dev.verbena.collectives.Work;
import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.memory.Span;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

/// One rank of `bin/soak-ranks`: operation after operation by seed, every result checked, memory
/// and allocations recorded.
final class RankLoop {
    private static final int PORT = 29_800;
    private static final int COUNT_MAX = 1 << 18;
    private static final int ROUND = 50;

    /// Operations before allocations count: buffers grow, and code is not compiled yet.
    private static final long WARM = 20_000;

    private static final Duration JOIN_WITHIN = Duration.ofMinutes(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Communicator ranks;
    private final Random random;
    private final ProgressLog log;
    private final RankMemory in;
    private final RankMemory out;
    private final RankAllocation allocation = new RankAllocation();
    private long wrong;

    private RankLoop(Communicator ranks, long seed, ProgressLog log) {
        this.ranks = ranks;
        this.log = log;
        random = new Random(seed);
        in = ranks.allocate((long) COUNT_MAX * Integer.BYTES);
        out = ranks.allocate((long) COUNT_MAX * Integer.BYTES);
    }

    /// `rank URI RANK SIZE ROOT MINUTES SEED RECORD`.
    static boolean run(String[] arguments)
            throws IOException, ConnectionFailedException, RankFailedException {
        int rank = Integer.parseInt(arguments[2]);
        int size = Integer.parseInt(arguments[3]);
        InetSocketAddress root = new InetSocketAddress(arguments[4], PORT);
        long endNs = System.nanoTime() + (long) (Double.parseDouble(arguments[5]) * 60e9);
        Path record = Path.of(arguments[7]);
        CommunicatorSettings settings =
                CommunicatorSettings.of(System::nanoTime).withTimeout(TIMEOUT);
        try (Device device = Devices.open(arguments[1]);
                Communicator ranks =
                        Communicator.join(device, rank, size, root, settings, JOIN_WITHIN);
                ProgressLog log = new ProgressLog(device, record)) {
            RankLoop loop = new RankLoop(ranks, Long.parseLong(arguments[6]), log);
            loop.run(endNs);
            Files.writeString(Path.of(record + ".made"), loop.allocation.lines());
            return loop.wrong == 0 && log.isRight();
        }
    }

    /// All ranks draw the same numbers, so they call the same operations; the time of rank 0 is
    /// that of all.
    private void run(long endNs) throws IOException, RankFailedException {
        boolean isMore = true;
        while (isMore) {
            for (int i = 0; i < ROUND; i++) {
                operation();
            }
            isMore = agreed(System.nanoTime() < endNs);
            log.look();
        }
    }

    private boolean agreed(boolean isMore) throws RankFailedException {
        in.segment().setAtIndex(JAVA_INT, 0, isMore ? 1 : 0);
        ranks.broadcast(in.span(0, Integer.BYTES), 0).await();
        return in.segment().getAtIndex(JAVA_INT, 0) == 1;
    }

    private void operation() throws RankFailedException {
        int kind = random.nextInt(RankAllocation.KINDS.size());
        int each = drawCount();
        int salt = random.nextInt(1000);
        int root = random.nextInt(ranks.size());
        int given = kind == 2 || kind == 4 ? each * ranks.size() : each;
        int gotten = kind == 1 || kind == 4 ? each * ranks.size() : each;
        for (int i = 0; i < given; i++) {
            in.segment().setAtIndex(JAVA_INT, i, value(ranks.rank(), i, salt));
        }
        out.segment().asSlice(0, (long) gotten * Integer.BYTES).fill((byte) -1);
        Span from = in.span(0, (long) given * Integer.BYTES);
        Span to = out.span(0, (long) gotten * Integer.BYTES);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        begin(kind, from, to, root).await();
        long made = THREADS.getCurrentThreadAllocatedBytes() - before;
        if (log.messages >= WARM) {
            allocation.add(kind, (long) Math.max(given, gotten) * Integer.BYTES, made);
        }
        log.messages++;
        log.bytes += (long) Math.max(given, gotten) * Integer.BYTES;
        check(kind, each, gotten, salt, root);
    }

    /// As many short vectors as long ones.
    private int drawCount() {
        int most = COUNT_MAX / ranks.size();
        return random.nextInt(4) > 0 ? 1 + random.nextInt(2000) : 1 + random.nextInt(most);
    }

    private Work begin(int kind, Span from, Span to, int root) {
        return switch (kind) {
            case 0 -> ranks.allReduce(from, to, ElementType.INT32, Reduction.SUM);
            case 1 -> ranks.allGather(from, to);
            case 2 -> ranks.reduceScatter(from, to, ElementType.INT32, Reduction.SUM);
            case 3 -> ranks.broadcast(from, to, root);
            default -> ranks.allToAll(from, to);
        };
    }

    private static int value(int rank, int index, int salt) {
        return 31 * index + 7 * rank + salt;
    }

    private void check(int kind, int each, int gotten, int salt, int root) {
        int own = ranks.rank();
        for (int i = 0; i < gotten; i++) {
            int right =
                    switch (kind) {
                        case 0 -> sum(i, salt);
                        case 1 -> value(i / each, i % each, salt);
                        case 2 -> sum(own * each + i, salt);
                        case 3 -> value(root, i, salt);
                        default -> value(i / each, own * each + i % each, salt);
                    };
            if (out.segment().getAtIndex(JAVA_INT, i) != right) {
                wrong++;
                log.wrong(
                        "operation %d, %s of %d elements: wrong element %d"
                                .formatted(log.messages, RankAllocation.KINDS.get(kind), each, i));
                return;
            }
        }
    }

    private int sum(int index, int salt) {
        int sum = 0;
        for (int rank = 0; rank < ranks.size(); rank++) {
            sum += value(rank, index, salt);
        }
        return sum;
    }
}
