package example.kv;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.verbena.easy.MessageChannel;
import dev.verbena.easy.NodeSettings;
import dev.verbena.easy.RdmaNode;
import dev.verbena.testkit.Choices;
import dev.verbena.testkit.junit.RdmaTest;
import dev.verbena.testkit.junit.RdmaThreads;
import dev.verbena.verbs.Device;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Clients on several threads, over a network that loses packets.
class StoreTest {
    @RdmaTest(hosts = 3, loss = 0.02, reorder = 0.05, seeds = 20)
    void noClientSeesAnOldValueAfterANewOne(
            Device host, Device first, Device second, RdmaThreads threads, Choices choices)
            throws IOException {
        NodeSettings settings = NodeSettings.DEFAULT.withThreads(threads);
        int[] written = new int[4];
        try (RdmaNode node = RdmaNode.over(host, settings);
                RdmaNode left = RdmaNode.over(first, settings);
                RdmaNode right = RdmaNode.over(second, settings)) {
            StoreServer server = new StoreServer(node, 7471);
            Thread serving = threads.newThread(() -> serve(server));
            serving.setDaemon(true);
            serving.start();
            StoreClient writer = client(left, host);
            StoreClient reader = client(right, host);
            assertNull(reader.get(key(0)));
            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                int own = i;
                clients.add(
                        threads.start(
                                "writer " + own,
                                () -> {
                                    for (int n = 1; n <= 5; n++) {
                                        writer.put(key(own), number(n));
                                        written[own] = n;
                                    }
                                }));
                clients.add(
                        threads.start(
                                "reader " + own,
                                () -> {
                                    int last = 0;
                                    for (int n = 0; n < 10; n++) {
                                        int atLeast = written[own];
                                        byte[] value = reader.get(key(own));
                                        int seen =
                                                value == null ? 0 : ByteBuffer.wrap(value).getInt();
                                        assertTrue(seen >= last && seen >= atLeast);
                                        last = seen;
                                    }
                                }));
            }
            clients.forEach(threads::join);
            assertArrayEquals(number(5), reader.get(key(3)));
        }
    }

    private static void serve(StoreServer server) {
        try {
            server.serve();
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static StoreClient client(RdmaNode node, Device host) throws IOException {
        MessageChannel channel =
                node.connect(new InetSocketAddress(host.gids(1).getFirst().toInetAddress(), 7471));
        return new StoreClient(channel);
    }

    private static byte[] key(int number) {
        return new byte[] {(byte) number, 'k'};
    }

    private static byte[] number(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }
}
