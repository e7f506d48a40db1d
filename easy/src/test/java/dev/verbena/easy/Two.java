package dev.verbena.easy;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Device;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;

/// Two nodes, and a channel between them.
final class Two implements AutoCloseable {
    static final Duration LIMIT = Duration.ofSeconds(5);
    static final int PORT = 7000;

    final RdmaNode leftNode;
    final RdmaNode rightNode;
    final MessageServer server;
    final MessageChannel left;
    final MessageChannel right;
    private final Address address;

    Two(Device left, Device right, ThreadFactory threads) throws IOException {
        this(left, right, NodeSettings.DEFAULT.withThreads(threads).withKeepAlive(Duration.ZERO));
    }

    Two(Device left, Device right, NodeSettings settings) throws IOException {
        leftNode = RdmaNode.over(left, settings);
        rightNode = RdmaNode.over(right, settings);
        server = rightNode.listen(PORT);
        address = address(right);
        this.left = more();
        this.right = server.accept(LIMIT);
    }

    /// One more channel from left to right; its right end comes from [#server].
    MessageChannel more() throws IOException {
        return leftNode.connect(address, PORT, LIMIT);
    }

    /// By GID on Ethernet, by LID on InfiniBand.
    private static Address address(Device device) {
        Address byGid = Address.to(device.gids(1).getFirst());
        return new Address(
                device.port(1).lid(), byGid.gid(), 0, 0, 0, byGid.hopLimit(), 0, byGid.udpPort());
    }

    @Override
    public void close() {
        leftNode.close();
        rightNode.close();
    }
}
