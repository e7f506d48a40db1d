package dev.verbena.cli.ibsim;

import dev.verbena.fabric.manage.ManagementPort;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/// An attached program, and the socket for its datagrams, which takes them from it alone.
final class Client implements AutoCloseable {
    private static final int BUFFER_BYTES = 4 << 20;

    private final int slot;
    private final SocketAddress control;
    private final ManagementPort port;
    private final DatagramChannel channel;
    private final InetSocketAddress own;
    private boolean isManager;

    private Client(
            int slot,
            SocketAddress control,
            InetSocketAddress own,
            ManagementPort port,
            DatagramChannel channel) {
        this.slot = slot;
        this.control = control;
        this.own = own;
        this.port = port;
        this.channel = channel;
    }

    /// @param control the address from which it asks
    /// @param dataPort of its other socket, at the same address
    static Client attach(
            int slot,
            InetSocketAddress server,
            InetSocketAddress control,
            int dataPort,
            ManagementPort port,
            Selector selector)
            throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
            channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER_BYTES);
            InetAddress here = server.getAddress();
            channel.bind(new InetSocketAddress(here, server.getPort() + 1 + slot));
            InetSocketAddress own = new InetSocketAddress(control.getAddress(), dataPort);
            channel.connect(own);
            channel.configureBlocking(false);
            Client made = new Client(slot, control, own, port, channel);
            channel.register(selector, SelectionKey.OP_READ, made);
            return made;
        } catch (IOException | RuntimeException failed) {
            channel.close();
            throw failed;
        }
    }

    int slot() {
        return slot;
    }

    SocketAddress control() {
        return control;
    }

    ManagementPort port() {
        return port;
    }

    boolean isManager() {
        return isManager;
    }

    void isManager(boolean is) {
        isManager = is;
    }

    /// Whether no socket is left at the program's address: it has ended without a word.
    boolean isGone() throws IOException {
        try (DatagramChannel probe = DatagramChannel.open()) {
            probe.bind(own);
            return true;
        } catch (BindException taken) {
            return false;
        }
    }

    /// Reads the next datagram into a buffer; false when there is none.
    ///
    /// @throws PortUnreachableException when the program has ended
    boolean read(ByteBuffer into) throws IOException {
        into.clear();
        boolean isThere = channel.receive(into) != null;
        into.flip();
        return isThere;
    }

    /// Sends a message; one that finds no room is lost, as on any network.
    ///
    /// @throws PortUnreachableException when the program has ended
    void write(ByteBuffer message) throws IOException {
        channel.write(message);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
