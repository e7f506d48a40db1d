package dev.verbena.benchmarks.congestion;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/// The receiver of all flows: memory that every peer may write, until its input ends.
final class Sink {
    private static final int FLOWS_MAX = 64;
    private static final Duration PATIENCE = Duration.ofMillis(20);

    private Sink() {}

    static void run(String[] arguments) throws IOException {
        try (Device device = Devices.open(arguments[1]);
                Listener listener = device.listen(Congestion.PORT, FLOWS_MAX)) {
            ProtectionDomain domain = device.protectionDomain();
            CompletionQueue completions = device.completionQueue(FLOWS_MAX);
            MemoryRegion region = domain.allocate(Congestion.MESSAGE, Access.REMOTE_WRITE);
            System.out.println("ready");
            while (System.in.available() == 0) {
                ConnectionRequest request = listener.poll();
                if (request != null) {
                    QueuePair pair =
                            domain.queuePair(
                                    QueuePairType.RC,
                                    it ->
                                            it.completions(completions)
                                                    .access(Set.of(Access.REMOTE_WRITE)));
                    request.accept(pair, region.remote().toBytes());
                }
                completions.await(PATIENCE, done -> {});
            }
            FlowRecord.counters(Path.of(arguments[2]), device.counters());
        }
    }
}
