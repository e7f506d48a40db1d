package dev.verbena.samples;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.verbena.collectives.Communicator;
import dev.verbena.collectives.CommunicatorSettings;
import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import java.net.InetSocketAddress;
import java.time.Duration;

/// All-reduce: every rank has a vector, and gets the sum of all of them. Start it once for each
/// rank: device, rank, number of ranks, address of rank 0.
final class AllReduce {
    public static void main(String[] args) throws Exception {
        int rank = Integer.parseInt(args[1]);
        int size = Integer.parseInt(args[2]);
        InetSocketAddress root = new InetSocketAddress(args[3], 7777);
        CommunicatorSettings settings = CommunicatorSettings.live(System::nanoTime);
        try (Device device = Devices.open(args[0]);
                Communicator ranks =
                        Communicator.join(
                                device, rank, size, root, settings, Duration.ofMinutes(1));
                RankMemory vector = ranks.allocate(1 << 20)) {
            for (long i = 0; i < vector.length() / 4; i++) {
                vector.segment().setAtIndex(JAVA_FLOAT, i, rank + 1);
            }
            ranks.allReduce(vector.span(), vector.span(), ElementType.FLOAT32, Reduction.SUM)
                    .await();
            System.out.printf("rank %d: %s%n", rank, vector.segment().get(JAVA_FLOAT, 0));
        }
    }
}
