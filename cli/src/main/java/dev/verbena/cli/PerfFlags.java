package dev.verbena.cli;

import dev.verbena.verbs.QueuePairType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The flags of `verbena perf`, under perftest's names, with their defaults.
final class PerfFlags {
    /// 537 ms. perftest has 14, 67 ms: less than a process may wait for a processor on a busy
    /// machine, so that a run would be given up while acknowledgements are on the way.
    private static final int TIMEOUT = 17;

    private static final int ALL_SIZES_LOG2 = 23;

    /// Longer messages get a completion each, as in perftest.
    private static final int MODERATED_BYTES = 8192;

    private static final int INLINE_LATENCY_BYTES = 220;
    private static final int WARM_UP_MS = 2000;
    private static final int DATAGRAM_HEADER_BYTES = 40;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "Message size; K, M and G are binary (65536; lat 2; atomic " + "8).")
    private @Nullable Long size;

    @Option(
            names = {"-a", "--all"},
            description = "Runs every power of two from 2 to 2^23 bytes.")
    private boolean all;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "COUNT",
            description = "Messages per queue pair (1000; write bw 5000).")
    private @Nullable Long iterations;

    @Option(
            names = {"-D", "--duration"},
            paramLabel = "SECONDS",
            description = "Time to measure, in seconds, instead of a number of " + "messages.")
    private int durationSeconds;

    @Option(
            names = {"-q", "--qp"},
            paramLabel = "COUNT",
            description = "Number of queue pairs (1).")
    private int queuePairs = 1;

    @Option(
            names = {"-t", "--tx-depth"},
            paramLabel = "COUNT",
            description = "Requests in flight per queue pair (128; lat 1).")
    private int txDepth = 128;

    @Option(
            names = {"-r", "--rx-depth"},
            paramLabel = "COUNT",
            description = "Receives posted per queue pair, for send (512).")
    private int rxDepth = 512;

    @Option(
            names = {"-m", "--mtu"},
            paramLabel = "BYTES",
            converter = ByteCount.Small.class,
            description =
                    "Largest payload of a packet: 256 to 4096 (the smaller of " + "both ports).")
    private int mtu;

    @Option(
            names = {"-c", "--connection"},
            paramLabel = "TYPE",
            description = "Transport service: RC, UC or UD (RC).")
    private QueuePairType type = QueuePairType.RC;

    @Option(
            names = {"-b", "--bidirectional"},
            description = "Both sides send at the same time (bw).")
    private boolean bidirectional;

    @Option(
            names = {"-Q", "--cq-mod"},
            paramLabel = "COUNT",
            description = "Requests per completion (100; 1 above 8192 bytes).")
    private @Nullable Integer cqModeration;

    @Option(
            names = {"-l", "--post_list"},
            paramLabel = "COUNT",
            description = "Requests posted in one call (1).")
    private int postList = 1;

    @Option(
            names = {"-I", "--inline_size"},
            paramLabel = "BYTES",
            converter = ByteCount.Small.class,
            description = "Largest message that is copied when it is posted (0; lat " + "220).")
    private @Nullable Integer inlineBytes;

    @Option(
            names = {"-A", "--atomic_type"},
            paramLabel = "TYPE",
            description = "Atomic operation: CMP_AND_SWAP or FETCH_AND_ADD " + "(FETCH_AND_ADD).")
    private AtomicKind atomic = AtomicKind.FETCH_AND_ADD;

    @Option(
            names = {"-u", "--qp-timeout"},
            paramLabel = "CODE",
            description = "Timeout of an acknowledgement: 4 us * 2^CODE (17).")
    private int timeout = TIMEOUT;

    @Option(
            names = "--retry_count",
            paramLabel = "COUNT",
            description = "Retries after the first attempt (7).")
    private int retryCount = 7;

    @Option(
            names = "--rotate",
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "Size of the memory that messages rotate through, such as " + "64M.")
    private long rotateBytes;

    @Option(
            names = "--perform_warm_up",
            description = "Warms up for at least 2 seconds; see --warm_up_ms.")
    private boolean warmUp;

    @Option(
            names = "--warm_up_ms",
            paramLabel = "MS",
            description =
                    "Time before the measurement in which the code is "
                            + "compiled, in milliseconds (2000).")
    private int warmUpMs = WARM_UP_MS;

    /// The sizes to run, one after the other.
    List<Integer> sizes(PerfVerb verb, PerfKind kind) {
        if (verb == PerfVerb.ATOMIC) {
            return List.of(Long.BYTES);
        }
        if (!all) {
            long one = size != null ? size : kind == PerfKind.BW ? 65536 : 2;
            require(one >= 1 && one <= 1 << 30, "-s", one, "1 to 1G");
            return List.of((int) one);
        }
        List<Integer> sizes = new ArrayList<>();
        for (int log2 = 1; log2 <= ALL_SIZES_LOG2; log2++) {
            if (type != QueuePairType.UD || 1 << log2 <= mtuOrLargest()) {
                sizes.add(1 << log2);
            }
        }
        return sizes;
    }

    private int mtuOrLargest() {
        return mtu == 0 ? 4096 : mtu;
    }

    PerfOptions resolve(PerfVerb verb, PerfKind kind, boolean isCaller) {
        List<Integer> sizes = sizes(verb, kind);
        check(verb, kind);
        return new PerfOptions(
                new PerfOptions.Measure(verb, kind, atomic, bidirectional),
                new PerfOptions.Pairs(type, queuePairs, mtu, timeout, retryCount),
                posting(verb, kind, sizes.getLast()),
                amount(verb, kind, sizes.getLast()),
                isCaller);
    }

    private PerfOptions.Posting posting(PerfVerb verb, PerfKind kind, int largest) {
        boolean isLatency = kind == PerfKind.LAT;
        int moderation = cqModeration != null ? cqModeration : 100;
        if (cqModeration == null && (largest > MODERATED_BYTES && !all)) {
            moderation = 1;
        }
        int inline = verb.isRoundTrip() || !isLatency ? 0 : INLINE_LATENCY_BYTES;
        return new PerfOptions.Posting(
                isLatency ? 1 : txDepth,
                rxDepth,
                Math.min(moderation, txDepth),
                postList,
                inlineBytes != null ? inlineBytes : inline);
    }

    private PerfOptions.Amount amount(PerfVerb verb, PerfKind kind, int largest) {
        long count = verb == PerfVerb.WRITE && kind == PerfKind.BW ? 5000 : 1000;
        return new PerfOptions.Amount(
                largest + (type == QueuePairType.UD ? DATAGRAM_HEADER_BYTES : 0),
                iterations != null ? iterations : count,
                durationSeconds,
                rotateBytes,
                warmUp ? Math.max(WARM_UP_MS, warmUpMs) : warmUpMs);
    }

    private void check(PerfVerb verb, PerfKind kind) {
        require(queuePairs >= 1 && queuePairs <= 65536, "-q", queuePairs, "1 to 65536");
        require(txDepth >= 1 && txDepth <= 16384, "-t", txDepth, "1 to 16384");
        require(rxDepth >= 1 && rxDepth <= 16384, "-r", rxDepth, "1 to 16384");
        require(postList >= 1 && postList <= txDepth, "-l", postList, "1 to the tx-depth");
        require(iterations == null || iterations >= 5, "-n", iterations, "5 or more");
        require(durationSeconds >= 0, "-D", durationSeconds, "1 or more");
        require(warmUpMs >= 0, "--warm_up_ms", warmUpMs, "0 or more");
        if (verb != PerfVerb.SEND && type == QueuePairType.UD) {
            throw new UsageException("-c UD: datagrams carry SEND only; use send, or -c RC");
        }
        if (verb.isRoundTrip() && type == QueuePairType.UC) {
            throw new UsageException("-c UC: it has no READ and no atomics; use -c RC");
        }
        if (bidirectional && kind == PerfKind.LAT) {
            throw new UsageException("-b: latency has both directions already; leave it out");
        }
    }

    private static void require(boolean isRight, String flag, @Nullable Object is, String range) {
        if (!isRight) {
            throw new UsageException(flag + " " + is + ": out of range; use " + range);
        }
    }
}
