package dev.verbena.collectives;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.memory.Span;
import dev.verbena.testkit.Choices;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One operation of all ranks in real memory: inputs by seed, and the check of what comes out.
final class Exercise implements AutoCloseable {
    private static final byte POISON = 0x7F;
    private static final long LIMIT_NS = 60_000_000_000L;

    /// Bytes behind each span, which no operation may change.
    private static final long GUARD = 64;

    private final List<Communicator> ranks;
    private final Task task;
    private final int size;
    private final List<RankMemory> memories = new ArrayList<>();
    private final Span[] inputs;
    private final Span[] outputs;
    private final byte[][] original;
    private final @Nullable Work[] works;

    Exercise(List<Communicator> ranks, Task task) {
        this.ranks = ranks;
        this.task = task;
        size = ranks.size();
        inputs = new Span[size];
        outputs = new Span[size];
        original = new byte[size][];
        works = new @Nullable Work[size];
        Choices choices = Choices.from(task.seed());
        for (int rank = 0; rank < size; rank++) {
            place(rank);
            MemorySegment input = segment(inputs[rank]);
            Elements.fill(input, task.type(), choices);
            original[rank] = input.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private void place(int rank) {
        long in = task.inputBytes(size);
        long out = task.outputBytes(size);
        if (!task.inPlace()) {
            inputs[rank] = memory(rank, in);
            outputs[rank] = memory(rank, out);
            return;
        }
        Span whole = memory(rank, Math.max(in, out));
        long own = in == out ? 0 : rank * task.bytes();
        inputs[rank] = whole.slice(in < out ? own : 0, in);
        outputs[rank] = whole.slice(in < out ? 0 : own, out);
    }

    private Span memory(int rank, long bytes) {
        RankMemory memory = ranks.get(rank).allocate(bytes + GUARD);
        memories.add(memory);
        memory.segment().fill(POISON);
        return memory.span(0, bytes);
    }

    private static MemorySegment segment(Span span) {
        return span.memory().segment().asSlice(span.offset(), span.length());
    }

    void begin(int rank) {
        Communicator communicator = ranks.get(rank);
        Span from = inputs[rank];
        Span to = outputs[rank];
        int root = task.root();
        works[rank] =
                switch (task.operation()) {
                    case ALL_REDUCE ->
                            communicator.allReduce(from, to, task.type(), task.reduction());
                    case REDUCE ->
                            communicator.reduce(from, to, task.type(), task.reduction(), root);
                    case REDUCE_SCATTER ->
                            communicator.reduceScatter(from, to, task.type(), task.reduction());
                    case BROADCAST -> communicator.broadcast(from, to, root);
                    case ALL_GATHER -> communicator.allGather(from, to);
                    case GATHER -> communicator.gather(from, to, root);
                    case SCATTER -> communicator.scatter(from, to, root);
                    case ALL_TO_ALL -> communicator.allToAll(from, to);
                    case BARRIER -> communicator.barrier();
                };
    }

    /// Lets all ranks carry the task out, checks what they have got, and returns it.
    static List<byte[]> run(Ranks ranks, List<Communicator> by, Task task) {
        try (Exercise exercise = new Exercise(by, task)) {
            for (int rank = 0; rank < by.size(); rank++) {
                exercise.begin(rank);
            }
            assertThat(ranks.run(by, exercise::isOver, LIMIT_NS)).as("%s ends", task).isTrue();
            assertThat(by.getFirst().failure()).as("%s", task).isNull();
            exercise.check();
            return exercise.results();
        }
    }

    boolean isOver() {
        for (Work work : works) {
            if (work == null || !work.isOver()) {
                return false;
            }
        }
        return true;
    }

    /// What each rank has got.
    List<byte[]> results() {
        List<byte[]> results = new ArrayList<>();
        for (Span output : outputs) {
            results.add(segment(output).toArray(ValueLayout.JAVA_BYTE));
        }
        return results;
    }

    /// Fails when a rank has not got what it must.
    void check() {
        for (int rank = 0; rank < size; rank++) {
            Work work = works[rank];
            require(work != null && work.isDone(), rank, "is not over");
            byte[] result = segment(outputs[rank]).toArray(ValueLayout.JAVA_BYTE);
            switch (task.operation()) {
                case ALL_REDUCE -> requireReduced(rank, 0, result);
                case REDUCE_SCATTER -> requireReduced(rank, rank * task.count(), result);
                case REDUCE -> {
                    if (rank == task.root()) {
                        requireReduced(rank, 0, result);
                    }
                }
                case BROADCAST -> requireCopy(rank, result, 0, task.root(), 0);
                case SCATTER ->
                        requireCopy(rank, result, 0, task.root(), rank * (int) task.bytes());
                case ALL_GATHER -> requireAll(rank, result);
                case GATHER -> {
                    if (rank == task.root()) {
                        requireAll(rank, result);
                    }
                }
                case ALL_TO_ALL -> {
                    int part = (int) task.bytes();
                    for (int from = 0; from < size; from++) {
                        requireCopy(rank, result, from * part, from, rank * part);
                    }
                }
                case BARRIER -> {}
            }
        }
        memories.forEach(this::requireGuard);
    }

    private void requireGuard(RankMemory memory) {
        MemorySegment guard = memory.segment().asSlice(memory.length() - GUARD);
        for (byte value : guard.toArray(ValueLayout.JAVA_BYTE)) {
            require(value == POISON, -1, "wrote behind its memory");
        }
    }

    private void requireAll(int rank, byte[] result) {
        for (int from = 0; from < size; from++) {
            requireCopy(rank, result, from * (int) task.bytes(), from, 0);
        }
    }

    private void requireCopy(int rank, byte[] result, int at, int from, int offset) {
        int length = (int) task.bytes();
        int wrong =
                Arrays.mismatch(result, at, at + length, original[from], offset, offset + length);
        require(wrong < 0, rank, "has a wrong byte " + wrong + " of rank " + from);
    }

    private void requireReduced(int rank, long first, byte[] result) {
        for (long i = 0; i < task.count(); i++) {
            boolean isRight =
                    Elements.isRight(original, first + i, result, i, task.type(), task.reduction());
            require(isRight, rank, "has a wrong element " + i);
        }
    }

    private void require(boolean holds, int rank, String what) {
        if (!holds) {
            throw new AssertionError("rank %d %s: %s".formatted(rank, what, task));
        }
    }

    @Override
    public void close() {
        memories.forEach(RankMemory::close);
    }
}
