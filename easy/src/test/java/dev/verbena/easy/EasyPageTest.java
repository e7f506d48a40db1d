package dev.verbena.easy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.junit.RdmaTest;
import dev.verbena.testkit.junit.RdmaThreads;
import dev.verbena.verbs.Device;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The code of `docs/easy.md`, run, and compared with the page.
@Timeout(60)
class EasyPageTest {
    private static final Path ROOT = Path.of(System.getProperty("verbena.root", ".."));
    private static final Path CODE =
            ROOT.resolve("easy/src/test/java/dev/verbena/easy/EasyPageTest.java");
    private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @Test
    void everyBlockOfThePageIsHere() throws IOException {
        String code = withoutBlanks(Files.readString(CODE));
        List<String> blocks =
                BLOCK.matcher(Files.readString(ROOT.resolve("docs/easy.md")))
                        .results()
                        .map(it -> withoutBlanks(it.group(1)))
                        .toList();
        assertThat(blocks).hasSizeGreaterThan(8);
        assertThat(blocks).allSatisfy(it -> assertThat(code).contains(it));
    }

    private static String withoutBlanks(String text) {
        return text.replaceAll("\\s", "");
    }

    /// The store has no more lines than the page says.
    @Test
    void theStoreIsAsShortAsThePageSays() throws IOException {
        Path store = ROOT.resolve("examples/key-value/src/main/java/example/kv");
        long lines = lines(store.resolve("StoreServer.java"));
        lines += lines(store.resolve("StoreClient.java"));
        Matcher said =
                Pattern.compile("has (\\d+) lines")
                        .matcher(Files.readString(ROOT.resolve("docs/easy.md")));
        assertThat(said.find()).isTrue();
        assertThat(lines).isEqualTo(Long.parseLong(said.group(1))).isLessThanOrEqualTo(60);
    }

    private static long lines(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .map(String::strip)
                .filter(it -> !it.isEmpty() && !it.startsWith("//"))
                .filter(it -> !it.startsWith("import ") && !it.startsWith("package "))
                .count();
    }

    private static void serve(CompletableFuture<MessageServer> listening) throws IOException {
        try (RdmaNode node = RdmaNode.open("roce://127.0.0.1");
                MessageServer server = node.listen(7471)) {
            listening.complete(server);
            server.serve(request -> ("hello, " + new String(request, UTF_8)).getBytes(UTF_8));
        }
    }

    /// As the page has it, without the line that tells the test where the server is.
    @SuppressWarnings("unused")
    private static void serve() throws IOException {
        try (RdmaNode node = RdmaNode.open("roce://127.0.0.1");
                MessageServer server = node.listen(7471)) {
            server.serve(request -> ("hello, " + new String(request, UTF_8)).getBytes(UTF_8));
        }
    }

    @Test
    @SuppressWarnings("AddressSelection") // an address needs no name server
    void theServerGreets() throws IOException {
        CompletableFuture<MessageServer> listening = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                serve(listening);
                            } catch (IOException | RuntimeException failure) {
                                listening.completeExceptionally(failure);
                            }
                        });
        MessageServer started = listening.join();
        try (RdmaNode node = RdmaNode.open("roce://127.0.0.2");
                MessageChannel channel = node.connect(new InetSocketAddress("127.0.0.1", 7471))) {
            byte[] reply = channel.request("Ada".getBytes(UTF_8), Duration.ofSeconds(2));
            assertThat(new String(reply, UTF_8)).isEqualTo("hello, Ada");
        }
        started.close();
    }

    @RdmaTest
    void messagesAndMemory(Device left, Device right, RdmaThreads threads) throws IOException {
        try (Two two = new Two(left, right, threads)) {
            ExportedMemory exported = export(two.rightNode);
            remote(two.leftNode, two.left);
            cell(exported, two.left);
            messages(two.left, two.right);
        }
    }

    private static ExportedMemory export(RdmaNode node) {
        ExportedMemory table = node.export("table", 1 << 20);
        return table;
    }

    private static void remote(RdmaNode node, MessageChannel channel) throws IOException {
        RemoteMemory table = channel.memory("table");
        table.write(64, MemorySegment.ofArray(new byte[] {1, 2, 3}));
        byte[] copy = new byte[3];
        table.read(64, MemorySegment.ofArray(copy));
        assertThat(copy).containsExactly(1, 2, 3);

        assertThat(table.getAndAdd(0, 5)).isZero();
        assertThat(table.compareAndSet(0, 5, 6)).isTrue();

        RemoteMemory.Batch batch = table.batch();
        for (int i = 0; i < 100; i++) {
            batch.write(128 + 8 * i, MemorySegment.ofArray(new long[] {i}));
        }
        batch.run();
        try (BufferPool pool = node.pool(4, 1 << 16);
                PooledBuffer buffer = pool.take(Duration.ofSeconds(1))) {
            table.read(0, buffer, 0, 1 << 16);
            assertThat(buffer.segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(6);
        }
    }

    private static void cell(ExportedMemory exported, MessageChannel channel) throws IOException {
        VersionedCell.Writer writer = VersionedCell.writer(exported, 4096, 1000);
        writer.write(MemorySegment.ofArray(new byte[1000]));
        VersionedCell cell = new VersionedCell(channel.memory("table"), 4096, 1000);
        long version = cell.read(MemorySegment.ofArray(new byte[1000]), Duration.ofSeconds(1));
        assertThat(version).isEqualTo(1);
    }

    private static void messages(MessageChannel channel, MessageChannel peer) throws IOException {
        channel.send(new byte[] {1, 2, 3});
        byte[] message = peer.receive(Duration.ofSeconds(2));
        assertThat(message).containsExactly(1, 2, 3);
        channel.close();
        assertThat(peer.receive()).isNull();
    }

    @RdmaTest(loss = 0.02, seeds = 20)
    void theServerDoubles(Device left, Device right, RdmaThreads threads) throws IOException {
        NodeSettings settings = NodeSettings.DEFAULT.withThreads(threads);
        try (RdmaNode client = RdmaNode.over(left, settings);
                RdmaNode server = RdmaNode.over(right, settings)) {
            MessageServer listening = server.listen(7471);
            InetAddress address = right.gids(1).getFirst().toInetAddress();
            MessageChannel near = client.connect(new InetSocketAddress(address, 7471));
            MessageChannel far = listening.accept(Duration.ofSeconds(1));
            threads.start("server", () -> far.serve(it -> new byte[] {(byte) (2 * it[0])}));
            assertThat(near.request(new byte[] {21})).containsExactly(42);
        }
    }

    @Test
    void withoutADeviceItUsesTcp() {
        NodeSettings settings = NodeSettings.DEFAULT.withFallback(Fallback.TCP);
        try (RdmaNode node = RdmaNode.open("roce://203.0.113.1", settings)) {
            assertThat(node.isRdma()).isFalse();
        }
    }
}
