package dev.verbena.collectives;

import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.collectives.plan.Collective;
import dev.verbena.collectives.plan.Plans;
import dev.verbena.testkit.Choices;
import dev.verbena.testkit.Seed;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Live over sockets and on both kinds of simulated fabrics: every two of carrier, number of ranks,
/// operation with algorithm, type, reduction, length and place meet in some case.
class CarriersTest {
    private static final int[] RANKS = {2, 3, 4, 7, 8};
    private static final int[] COUNTS = {1, 300, 5000, 0};

    private static final List<ElementType> TYPES = List.of(ElementType.values());
    private static final List<Reduction> REDUCTIONS = List.of(Reduction.values());
    private static final List<Carrier> CARRIERS = List.of(Carrier.values());

    private enum Carrier {
        SOCKETS,
        ROCE_FABRIC,
        INFINIBAND_FABRIC;

        Device open(int size, int rank) {
            if (this == SOCKETS) {
                // Addresses of loopback that no other test at the same time has.
                long place = ProcessHandle.current().pid() % 250 + 1;
                return Devices.open("roce://127.27.%d.%d".formatted(place, rank + 1));
            }
            String kind = this == ROCE_FABRIC ? "roce" : "ib";
            return Devices.open(
                    "fabric://coll-%s-%d/host-%d?hosts=%2$d&kind=%1$s&radix=8"
                            .formatted(kind, size, rank));
        }
    }

    private record Way(Collective operation, Algorithm algorithm) {}

    @TestFactory
    List<DynamicTest> isRight() {
        Seed seed = Seed.forTest("CarriersTest", 251);
        List<Way> ways = new ArrayList<>();
        for (Collective operation : Collective.values()) {
            for (Algorithm algorithm : Algorithm.values()) {
                if (Plans.supports(operation, algorithm)) {
                    ways.add(new Way(operation, algorithm));
                }
            }
        }
        int[] levels = {
            CARRIERS.size(),
            RANKS.length,
            ways.size(),
            TYPES.size(),
            REDUCTIONS.size(),
            COUNTS.length,
            2
        };
        List<int[]> rows = Pairs.cover(levels, Choices.from(seed));
        System.out.printf("CarriersTest: %d cases%n", rows.size());
        List<DynamicTest> tests = new ArrayList<>();
        for (Carrier carrier : CARRIERS) {
            for (int i = 0; i < RANKS.length; i++) {
                int size = i;
                List<int[]> chosen =
                        rows.stream()
                                .filter(row -> CARRIERS.get(row[0]) == carrier && row[1] == size)
                                .toList();
                tests.add(
                        DynamicTest.dynamicTest(
                                "%s, %d ranks, %d cases"
                                        .formatted(carrier, RANKS[i], chosen.size()),
                                () -> run(carrier, RANKS[size], ways, chosen)));
            }
        }
        return tests;
    }

    private static void run(Carrier carrier, int size, List<Way> ways, List<int[]> rows) {
        List<Device> devices = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            devices.add(carrier.open(size, rank));
        }
        // Hierarchical plans want two hosts or more.
        int onHost = size % 2 == 0 && size > 2 ? 2 : 1;
        try (Ranks ranks = new Ranks(devices, onHost, it -> it.withPieceBytes(8192))) {
            for (Algorithm algorithm : Algorithm.values()) {
                List<Communicator> by =
                        ranks.with(it -> it.withChoice(it.choice().prefer(algorithm)));
                for (int[] row : rows) {
                    Way way = ways.get(row[2]);
                    if (way.algorithm == algorithm) {
                        Exercise.run(ranks, by, task(way.operation, size, row));
                    }
                }
                by.forEach(Communicator::close);
            }
        }
        devices.forEach(Device::close);
    }

    private static Task task(Collective operation, int size, int[] row) {
        return new Task(
                operation,
                TYPES.get(row[3]),
                REDUCTIONS.get(row[4]),
                COUNTS[row[5]],
                (row[2] + row[3]) % size,
                operation != Collective.ALL_TO_ALL && row[6] == 1,
                row[2] * 100L + row[3]);
    }
}
