package dev.verbena.collectives;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.memory.Span;
import dev.verbena.collectives.plan.Counts;
import dev.verbena.testkit.Choices;
import dev.verbena.testkit.Seed;
import dev.verbena.verbs.Device;
import dev.verbena.virtual.VirtualNetwork;
import dev.verbena.virtual.VirtualSettings;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Messages between two ranks, and operations in which each rank has another number of bytes.
class MessagesTest {
    private static final long LIMIT_NS = 60_000_000_000L;
    private static final VirtualSettings FAULTY =
            VirtualSettings.DEFAULT.withLoss(0.01).withReorder(0.02).withDuplicate(0.01);

    private final List<RankMemory> memories = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8})
    void everyRankGetsItsShareOfUnequalBytes(int size) {
        Seed seed = Seed.forTest("MessagesTest, unequal " + size, size);
        Choices choices = Choices.from(seed);
        try (var network = new VirtualNetwork(FAULTY.withSeed(seed.value()));
                Ranks ranks = ranks(network, size)) {
            for (int round = 0; round < 20; round++) {
                allToAll(ranks, choices);
                allGather(ranks, choices);
            }
            memories.forEach(RankMemory::close);
        }
    }

    /// The byte that one rank sends to another at an index.
    private static byte value(int from, int to, long index) {
        return (byte) (from * 31 + to * 7 + index);
    }

    private static long bytes(Choices choices) {
        return choices.pick(0, 0, 1, 100, 4096, 5000, 40_000);
    }

    private void allToAll(Ranks ranks, Choices choices) {
        int size = ranks.all.size();
        long[][] parts = new long[size][size];
        for (long[] row : parts) {
            Arrays.setAll(row, i -> bytes(choices));
        }
        List<Work> works = new ArrayList<>();
        List<Span> outputs = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            int own = rank;
            Counts sent = Counts.of(parts[rank]);
            Counts received = Counts.of(Arrays.stream(parts).mapToLong(row -> row[own]).toArray());
            Span from = memory(ranks, rank, sent.total());
            for (int to = 0; to < size; to++) {
                fill(from, sent.offset(to), sent.count(to), rank, to);
            }
            Span to = memory(ranks, rank, received.total());
            outputs.add(to);
            works.add(ranks.rank(rank).allToAll(from, sent, to, received));
        }
        end(ranks, works);
        for (int rank = 0; rank < size; rank++) {
            long at = 0;
            for (int from = 0; from < size; from++) {
                check(outputs.get(rank), at, parts[from][rank], from, rank);
                at += parts[from][rank];
            }
        }
    }

    private void allGather(Ranks ranks, Choices choices) {
        int size = ranks.all.size();
        long[] parts = new long[size];
        Arrays.setAll(parts, i -> bytes(choices));
        Counts counts = Counts.of(parts);
        List<Work> works = new ArrayList<>();
        List<Span> outputs = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            Span from = memory(ranks, rank, parts[rank]);
            fill(from, 0, parts[rank], rank, 0);
            outputs.add(memory(ranks, rank, counts.total()));
            works.add(ranks.rank(rank).allGather(from, outputs.get(rank), counts));
        }
        end(ranks, works);
        for (Span output : outputs) {
            for (int from = 0; from < size; from++) {
                check(output, counts.offset(from), parts[from], from, 0);
            }
        }
    }

    @Test
    void ranksSendInACircleAndToOneAnother() {
        int size = 4;
        try (var network = new VirtualNetwork(FAULTY.withSeed(5));
                Ranks ranks = ranks(network, size)) {
            for (long bytes : new long[] {1, 4096, 4097, 300_000}) {
                List<Work> works = new ArrayList<>();
                List<Span> outputs = new ArrayList<>();
                for (int rank = 0; rank < size; rank++) {
                    int next = (rank + 1) % size;
                    Span out = memory(ranks, rank, bytes);
                    fill(out, 0, bytes, rank, next);
                    outputs.add(memory(ranks, rank, bytes));
                    int last = (rank + size - 1) % size;
                    Communicator own = ranks.rank(rank);
                    works.add(own.sendReceive(out, next, outputs.get(rank), last));
                }
                Span more = memory(ranks, 0, bytes);
                fill(more, 0, bytes, 0, 3);
                works.add(ranks.rank(0).send(more, 3));
                Span got = memory(ranks, 3, bytes);
                works.add(ranks.rank(3).receive(got, 0));
                end(ranks, works);
                for (int rank = 0; rank < size; rank++) {
                    check(outputs.get(rank), 0, bytes, (rank + size - 1) % size, rank);
                }
                check(got, 0, bytes, 0, 3);
            }
            memories.forEach(RankMemory::close);
        }
    }

    private static Ranks ranks(VirtualNetwork network, int size) {
        List<Device> devices = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            devices.add(network.open("rank" + i));
        }
        return new Ranks(devices, 1, it -> it.withPieceBytes(8192));
    }

    private Span memory(Ranks ranks, int rank, long bytes) {
        memories.add(ranks.rank(rank).allocate(bytes + 1));
        return memories.getLast().span(0, bytes);
    }

    private static void end(Ranks ranks, List<Work> works) {
        assertThat(ranks.run(() -> works.stream().allMatch(Work::isOver), LIMIT_NS)).isTrue();
        assertThat(works).allMatch(Work::isDone);
    }

    private static void fill(Span span, long at, long bytes, int from, int to) {
        for (long i = 0; i < bytes; i++) {
            span.memory()
                    .segment()
                    .set(ValueLayout.JAVA_BYTE, span.offset() + at + i, value(from, to, i));
        }
    }

    private static void check(Span span, long at, long bytes, int from, int to) {
        for (long i = 0; i < bytes; i++) {
            byte found = span.memory().segment().get(ValueLayout.JAVA_BYTE, span.offset() + at + i);
            if (found != value(from, to, i)) {
                throw new AssertionError(
                        "byte %d of %d from rank %d to rank %d is %d"
                                .formatted(i, bytes, from, to, found));
            }
        }
    }
}
