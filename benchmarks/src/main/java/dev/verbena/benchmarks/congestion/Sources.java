package dev.verbena.benchmarks.congestion;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.Gid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/// All senders, and how much of each has arrived, tenth of a second by tenth.
final class Sources {
    private static final double SAMPLE_SECONDS = 0.1;
    private static final long PAUSE_NS = 200_000;
    private static final long WARM_NS = 6_000_000_000L;

    private Sources() {}

    static void run(String[] arguments) throws IOException, ConnectionFailedException {
        Address peer = Address.to(Gid.parse(arguments[1]));
        Path file = Path.of(arguments[2]);
        List<WritingHost> flows = new ArrayList<>();
        for (int i = 3; i < arguments.length; i++) {
            flows.add(new WritingHost(arguments[i], peer));
        }
        FlowRecord record = new FlowRecord(flows.size());
        warmUp(flows);
        send(flows, record);
        record.write(file);
        SortedMap<String, Long> counters = new TreeMap<>();
        for (WritingHost flow : flows) {
            flow.device().counters().forEach((name, n) -> counters.merge(name, n, Long::sum));
            flow.close();
        }
        counters.put(Run.GIVEN_UP, flows.stream().filter(WritingHost::hasGivenUp).count());
        FlowRecord.counters(file.resolveSibling(file.getFileName() + ".counters"), counters);
    }

    /// Some traffic of one after another, then a pause until the rates of all flows are full again.
    private static void warmUp(List<WritingHost> flows) {
        for (WritingHost flow : flows) {
            long endNs = System.nanoTime() + WARM_NS / flows.size();
            while (System.nanoTime() < endNs) {
                flow.warmUp();
                LockSupport.parkNanos(PAUSE_NS);
            }
            while (!flow.isIdle()) {
                flow.take();
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
        LockSupport.parkNanos(WARM_NS / 4);
    }

    private static void send(List<WritingHost> flows, FlowRecord record) {
        double end = flows.stream().mapToDouble(flow -> flow.toSeconds).max().orElse(0);
        long beginNs = System.nanoTime();
        double nextSeconds = SAMPLE_SECONDS;
        double seconds = 0;
        while (seconds < end) {
            for (WritingHost flow : flows) {
                flow.advance(seconds);
            }
            if (seconds >= nextSeconds) {
                record.add(seconds, flows.stream().mapToLong(flow -> flow.bytes).toArray());
                nextSeconds += SAMPLE_SECONDS;
            }
            LockSupport.parkNanos(PAUSE_NS);
            seconds = (System.nanoTime() - beginNs) / 1e9;
        }
    }
}
