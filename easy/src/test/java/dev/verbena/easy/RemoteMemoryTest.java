package dev.verbena.easy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.Choices;
import dev.verbena.testkit.junit.RdmaTest;
import dev.verbena.testkit.junit.RdmaThreads;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.verbs.WrongStateException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Remote memory against an array, and buffers.
class RemoteMemoryTest {
    private static final int BYTES = 50_000;

    private static NodeSettings settings(RdmaThreads threads) {
        return NodeSettings.DEFAULT
                .withThreads(threads)
                .withKeepAlive(Duration.ZERO)
                .withMessageBytes(300);
    }

    @RdmaTest(loss = 0.01, reorder = 0.03, duplicate = 0.01, seeds = 10)
    void readsReturnWhatWasWritten(Device left, Device right, RdmaThreads threads, Choices choices)
            throws IOException {
        byte[] model = new byte[BYTES];
        try (Two two = new Two(left, right, settings(threads))) {
            two.rightNode.export("table", BYTES);
            RemoteMemory memory = two.left.memory("table");
            assertThat(memory.length()).isEqualTo(BYTES);
            for (int round = 0; round < 20; round++) {
                int at = choices.between(0, BYTES);
                int bytes = choices.between(0, BYTES - at);
                if (choices.between(0, 1) == 0) {
                    byte[] value = choices.bytes(bytes);
                    memory.write(at, MemorySegment.ofArray(value));
                    System.arraycopy(value, 0, model, at, bytes);
                } else {
                    byte[] value = new byte[bytes];
                    memory.read(at, MemorySegment.ofArray(value));
                    assertThat(value).isEqualTo(Arrays.copyOfRange(model, at, at + bytes));
                }
            }
        }
    }

    @RdmaTest(loss = 0.02, duplicate = 0.02, reorder = 0.05, seeds = 20)
    void atomicsOfManyThreadsCountOnce(Device left, Device right, RdmaThreads threads)
            throws IOException {
        try (Two two = new Two(left, right, settings(threads))) {
            ExportedMemory owned = two.rightNode.export("counters", 16);
            RemoteMemory memory = two.left.memory(owned.descriptor());
            List<Thread> workers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                workers.add(
                        threads.start(
                                "worker " + i,
                                () -> {
                                    for (int n = 0; n < 5; n++) {
                                        memory.getAndAdd(0, 1);
                                        long seen;
                                        do {
                                            seen = owned.segment().get(ValueLayout.JAVA_LONG, 8);
                                        } while (!memory.compareAndSet(8, seen, seen + 1));
                                    }
                                }));
            }
            workers.forEach(threads::join);
            assertThat(owned.segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(15);
            assertThat(owned.segment().get(ValueLayout.JAVA_LONG, 8)).isEqualTo(15);
            assertThat(memory.compareAndExchange(0, 0, 5)).isEqualTo(15);
            assertThat(memory.compareAndSet(0, 0, 5)).isFalse();
        }
    }

    @RdmaTest(loss = 0.01, seeds = 5)
    void aBatchRunsAllOfIt(Device left, Device right, RdmaThreads threads, Choices choices)
            throws IOException {
        int count = 150; // more than a channel has under way
        try (Two two = new Two(left, right, settings(threads));
                BufferPool pool = two.leftNode.pool(2, 8 * count)) {
            ExportedMemory owned = two.rightNode.export("table", 8L * count);
            RemoteMemory memory = two.left.memory("table");
            PooledBuffer from = pool.take(Two.LIMIT);
            PooledBuffer into = pool.take(Two.LIMIT);
            from.segment().copyFrom(MemorySegment.ofArray(choices.bytes(8 * count)));
            RemoteMemory.Batch writes = memory.batch();
            RemoteMemory.Batch reads = memory.batch();
            for (int i = 0; i < count; i++) {
                writes.write(8L * i, from, 8L * i, 8);
                reads.read(8L * i, into, 8L * i, 8);
            }
            writes.run();
            assertThat(owned.segment().mismatch(from.segment())).isEqualTo(-1);
            reads.run();
            assertThat(into.segment().mismatch(from.segment())).isEqualTo(-1);
            from.release();
            into.release();
            assertThat(pool.free()).isEqualTo(2);
        }
    }

    @RdmaTest
    void whatIsNotExportedIsRefused(Device left, Device right, RdmaThreads threads)
            throws IOException {
        try (Two two = new Two(left, right, settings(threads))) {
            assertThatThrownBy(() -> two.left.memory("table"))
                    .isInstanceOf(ChannelException.class)
                    .hasMessageContaining("exports no memory 'table'");
            two.rightNode.export("table", 64);
            RemoteMemory memory = two.left.memory("table");
            assertThatThrownBy(() -> memory.read(60, MemorySegment.ofArray(new byte[5])))
                    .isInstanceOf(InvalidRequestException.class);
            assertThatThrownBy(() -> memory.getAndAdd(4, 1))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("use a multiple of 8");
            assertThatThrownBy(() -> two.rightNode.export("table", 64))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("another one of this name");
        }
    }

    /// Memory of the caller that cannot be used is the caller's mistake, and takes no place away.
    @RdmaTest
    void closedMemoryOfTheCallerChangesNothing(Device left, Device right, RdmaThreads threads)
            throws IOException {
        try (Two two = new Two(left, right, settings(threads))) {
            ExportedMemory owned = two.rightNode.export("table", 64);
            RemoteMemory memory = two.left.memory("table");
            MemorySegment closed;
            try (Arena arena = Arena.ofConfined()) {
                closed = arena.allocate(8);
            }
            for (int i = 0; i < RemoteOps.SLOTS + 1; i++) {
                assertThatThrownBy(() -> memory.write(0, closed))
                        .isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> two.left.send(closed, Two.LIMIT))
                        .isInstanceOf(IllegalStateException.class);
            }
            two.left.send(new byte[] {1});
            assertThat(two.right.receive(Two.LIMIT)).containsExactly(1);
            memory.write(0, MemorySegment.ofArray(new long[] {7}));
            assertThat(owned.segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(7);
        }
    }

    @RdmaTest
    void aForgedKeyEndsTheChannelWithItsExplanation(Device left, Device right, RdmaThreads threads)
            throws IOException {
        try (Two two = new Two(left, right, settings(threads))) {
            RemoteSlice slice = two.rightNode.export("table", 64).descriptor();
            RemoteMemory forged =
                    two.left.memory(
                            new RemoteSlice(slice.address(), slice.length(), slice.key() ^ 1));
            assertThatThrownBy(() -> forged.getAndAdd(0, 1))
                    .isInstanceOf(ChannelException.class)
                    .hasMessageContaining("REMOTE_ACCESS_ERROR")
                    .hasMessageContaining("the remote key is wrong");
        }
    }

    @RdmaTest
    void aSecondReleaseIsRefused(Device left, Device right, RdmaThreads threads)
            throws IOException {
        try (Two two = new Two(left, right, settings(threads));
                BufferPool pool = two.leftNode.pool(1, 100)) {
            PooledBuffer first = pool.take(Two.LIMIT);
            assertThat(pool.tryTake()).isNull();
            assertThatThrownBy(() -> pool.take(Duration.ofMillis(5)))
                    .isInstanceOf(SocketTimeoutException.class);
            first.release();
            PooledBuffer second = pool.take(Two.LIMIT);
            // The memory is another's by now.
            assertThatThrownBy(first::release)
                    .isInstanceOf(WrongStateException.class)
                    .hasMessageContaining("it was released already");
            assertThatThrownBy(first::segment).isInstanceOf(WrongStateException.class);
            assertThat(pool.tryTake()).isNull();
            second.release();
            assertThat(pool.free()).isEqualTo(1);
        }
    }

    @RdmaTest
    void aBufferInUseComesBackWhenItsOperationIsOver(Device left, Device right, RdmaThreads threads)
            throws IOException {
        try (Two two = new Two(left, right, settings(threads));
                BufferPool pool = two.leftNode.pool(1, 100)) {
            two.rightNode.export("table", 100);
            RemoteMemory memory = two.left.memory("table").withLimit(Duration.ZERO);
            PooledBuffer buffer = pool.take(Two.LIMIT);
            assertThatThrownBy(() -> memory.read(0, buffer, 0, 100))
                    .isInstanceOf(SocketTimeoutException.class);
            buffer.release();
            assertThat(pool.tryTake()).as("the READ is under way").isNull();
            PooledBuffer again = pool.take(Two.LIMIT);
            again.release();
        }
    }
}
