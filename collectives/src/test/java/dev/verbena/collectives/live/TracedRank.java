package dev.verbena.collectives.live;

import dev.verbena.collectives.Communicator;
import dev.verbena.collectives.CommunicatorSettings;
import dev.verbena.collectives.RankFailedException;
import dev.verbena.collectives.TraceGathering;
import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.trace.RankTrace;
import dev.verbena.collectives.trace.StepTrace;
import dev.verbena.collectives.trace.Verdict;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/// The program of a [RankProcess] that adds vectors with others, of which one sleeps now and then;
/// rank 0 says how many steps it knows and what holds them up.
final class TracedRank {
    static final int SLEEPER = 2;

    private static final Duration WITHIN = Duration.ofSeconds(60);
    private static final Duration SLEEP = Duration.ofMillis(20);
    private static final int OPERATIONS = 60;
    private static final int BYTES = 40_000;

    private TracedRank() {}

    /// Takes the rank, the number of ranks, and the addresses with `%d` for the number of a rank.
    public static void main(String[] arguments)
            throws ConnectionFailedException, RankFailedException {
        int rank = Integer.parseInt(arguments[0]);
        int size = Integer.parseInt(arguments[1]);
        String addresses = arguments[2];
        CommunicatorSettings settings =
                CommunicatorSettings.live(System::nanoTime).withTimeout(WITHIN);
        InetSocketAddress root = new InetSocketAddress(addresses.formatted(1), 29_500);
        try (Device device = Devices.open("roce://" + addresses.formatted(rank + 1));
                CompletionQueue idle = device.completionQueue(1);
                Communicator ranks =
                        Communicator.join(device, rank, size, root, settings, WITHIN)) {
            StepTrace trace = new StepTrace(StepTrace.USUAL_STEPS, System::nanoTime);
            try (RankMemory memory = ranks.allocate(BYTES)) {
                add(ranks, memory);
                ranks.traceTo(trace);
                for (int i = 0; i < OPERATIONS; i++) {
                    if (rank == SLEEPER) {
                        idle.await(SLEEP, _ -> {});
                    }
                    add(ranks, memory);
                }
            }
            List<RankTrace> traces = TraceGathering.gather(ranks, trace);
            if (rank == 0) {
                boolean areAll = traces.stream().allMatch(TracedRank::isWhole);
                System.out.println(traces.size() + (areAll ? " whole" : " broken"));
                System.out.println(Verdict.of(traces).sentence());
            }
            ranks.barrier().await();
        }
    }

    private static void add(Communicator ranks, RankMemory memory) throws RankFailedException {
        ranks.allReduce(memory.span(), memory.span(), ElementType.FLOAT32, Reduction.SUM).await();
    }

    private static boolean isWhole(RankTrace trace) {
        long operations = trace.steps().stream().mapToInt(it -> it.operation()).distinct().count();
        return operations == OPERATIONS && trace.overwritten() == 0;
    }
}
