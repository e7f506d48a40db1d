package dev.verbena.easy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Real threads and real time, over UDP sockets of this machine.
@Timeout(120)
class EasyOnSocketsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /// Runs as many threads as it gets tasks, and rethrows the first failure.
    private static void together(List<Task> tasks) throws InterruptedException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (Task task : tasks) {
                all.add(
                        threads.submit(
                                () -> {
                                    task.run();
                                    return null;
                                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } catch (ExecutionException failed) {
            throw new AssertionError(failed.getCause());
        }
    }

    private interface Task {
        void run() throws IOException, InterruptedException;
    }

    @Test
    void virtualThreadsShareAChannel() throws IOException, InterruptedException {
        try (RdmaNode server = RdmaNode.open("roce://127.0.61.1");
                RdmaNode client = RdmaNode.open("roce://127.0.61.2")) {
            MessageServer listening = server.listen(0);
            CompletableFuture<Void> serving =
                    CompletableFuture.runAsync(() -> serve(listening, it -> it));
            MessageChannel channel =
                    client.connect(
                            new InetSocketAddress(
                                    InetAddress.ofLiteral("127.0.61.1"), listening.port()));
            List<Task> tasks = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                byte[] own = ByteBuffer.allocate(4).putInt(i).array();
                tasks.add(
                        () -> {
                            for (int n = 0; n < 20; n++) {
                                assertThat(channel.request(own, LIMIT)).isEqualTo(own);
                            }
                        });
            }
            together(tasks);
            listening.close();
            serving.join();
        }
    }

    private static void serve(MessageServer server, RequestHandler handler) {
        try {
            server.serve(handler);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void anInterruptEndsAWait() throws IOException, InterruptedException {
        try (Device left = Devices.open("roce://127.0.61.1");
                Device right = Devices.open("roce://127.0.61.2");
                Two two = new Two(left, right, NodeSettings.DEFAULT)) {
            CompletableFuture<Throwable> end = new CompletableFuture<>();
            Thread waiter =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            two.left.receive();
                                        } catch (IOException interrupted) {
                                            end.complete(interrupted);
                                        }
                                    });
            waiter.interrupt();
            assertThat(end.join()).isInstanceOf(InterruptedIOException.class);
            two.right.send(new byte[] {1});
            assertThat(two.left.receive(LIMIT)).containsExactly(1);
        }
    }

    @Test
    void aRequestForAnUnreliableConnectionIsRejected() throws IOException {
        try (RdmaNode server = RdmaNode.open("roce://127.0.61.1");
                MessageServer listening = server.listen(0);
                Device stranger = Devices.open("roce://127.0.61.2");
                ProtectionDomain domain = stranger.protectionDomain();
                CompletionQueue completions = stranger.completionQueue(16);
                QueuePair pair =
                        domain.queuePair(
                                QueuePairType.UC, options -> options.completions(completions))) {
            Gid there = Gid.of(InetAddress.ofLiteral("127.0.61.1"));
            byte[] greeting = Greeting.of(NodeSettings.DEFAULT).toBytes();
            Connection connection =
                    stranger.connect(pair, Address.to(there), listening.port(), greeting);
            assertThatThrownBy(() -> connection.await(LIMIT))
                    .isInstanceOf(ConnectionFailedException.class);
        }
    }

    @Test
    void closingADeviceUnderItsChannelsEndsThem() throws IOException {
        Device left = Devices.open("roce://127.0.61.1");
        Device right = Devices.open("roce://127.0.61.2");
        Two two = new Two(left, right, NodeSettings.DEFAULT);
        left.close();
        assertThatThrownBy(() -> two.left.receive(LIMIT)).isInstanceOf(ChannelException.class);
        two.close();
        right.close();
    }

    /// A writer and readers at the same time, on different processors: no reader sees a mixture.
    /// `-Dcell.reads=100000000` makes it longer. `-Dcell.together=16` reads so many neighbours by
    /// one READ, which costs a packet for all and checks each.
    @Test
    @Tag("long")
    @Tag("slow")
    @Timeout(36_000)
    void noReadIsTornUnderAWriter() throws IOException, InterruptedException {
        long reads = Long.getLong("cell.reads", 1_000_000);
        int words = 30;
        int together = Math.clamp(Integer.getInteger("cell.together", 1), 1, 16);
        int cells = 64 * together;
        long stride = VersionedCell.bytes(8 * words);
        AtomicBoolean isOver = new AtomicBoolean();
        try (RdmaNode server = RdmaNode.open("roce://127.0.61.1");
                RdmaNode client = RdmaNode.open("roce://127.0.61.2");
                MessageServer listening = server.listen(0);
                Arena arena = Arena.ofShared()) {
            ExportedMemory owned = server.export("cells", cells * stride);
            List<VersionedCell.Writer> writers = new ArrayList<>();
            for (int i = 0; i < cells; i++) {
                writers.add(VersionedCell.writer(owned, i * stride, 8 * words));
            }
            Thread owner =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        MemorySegment value =
                                                MemorySegment.ofArray(new long[words]);
                                        for (long version = 1; !isOver.get(); version++) {
                                            for (int i = 0; i < words; i++) {
                                                value.setAtIndex(ValueLayout.JAVA_LONG, i, version);
                                            }
                                            writers.forEach(it -> it.write(value));
                                            Thread.onSpinWait();
                                        }
                                    });
            MessageChannel channel =
                    client.connect(
                            new InetSocketAddress(
                                    InetAddress.ofLiteral("127.0.61.1"), listening.port()));
            RemoteMemory memory = channel.memory("cells");
            MemorySegment copies = arena.allocate(cells * stride, 8);
            long made = 0;
            long whole = 0;
            try {
                for (; made < reads; made += cells) {
                    whole += readAll(memory, copies, stride, together, words);
                }
            } finally {
                isOver.set(true);
                owner.join();
            }
            System.out.printf(
                    "%,d READs of a cell under a writer: %,d whole, %,d mixtures noticed%n",
                    made, whole, made - whole);
            assertThat(whole).isPositive();
        }
    }

    /// Reads all cells at the same time; returns of how many the check fits.
    private static int readAll(
            RemoteMemory memory, MemorySegment copies, long stride, int together, int words)
            throws IOException {
        RemoteMemory.Batch batch = memory.batch();
        for (long at = 0; at < copies.byteSize(); at += together * stride) {
            batch.read(at, copies.asSlice(at, together * stride));
        }
        batch.run();
        int whole = 0;
        for (long at = 0; at < copies.byteSize(); at += stride) {
            whole += isWhole(copies.asSlice(at, stride), words) ? 1 : 0;
        }
        return whole;
    }

    /// Whether the check of a copy fits; then its value must be that of its version.
    private static boolean isWhole(MemorySegment cell, int words) {
        long version = VersionedCell.version(cell);
        for (int word = 0; version > 0 && word < words; word++) {
            long found = cell.get(ValueLayout.JAVA_LONG, VersionedCell.HEADER + 8L * word);
            if (found != version) {
                throw new AssertionError("version %d has a word of %d".formatted(version, found));
            }
        }
        return version >= 0;
    }
}
