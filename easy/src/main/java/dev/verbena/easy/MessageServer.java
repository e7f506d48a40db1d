package dev.verbena.easy;

import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Accepts peers at a port. Threads may share it.
public final class MessageServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(MessageServer.class.getName());
    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    private final RdmaNode node;
    private final Gate gate;
    private final @Nullable Listener listener;
    private final @Nullable ServerSocketChannel tcp;
    private final int port;

    /// Peers that are connected, and that the program has not taken; at most as many as a node has
    /// channels.
    private final ArrayDeque<MessageChannel> arrived = new ArrayDeque<>();

    private final ArrayDeque<Thread> takers = new ArrayDeque<>();

    /// Peers that are being connected; no more than a node has channels.
    private int underWay;

    private boolean isClosed;

    MessageServer(
            RdmaNode node, @Nullable Listener listener, @Nullable InetAddress tcpAt, int asked)
            throws IOException {
        this.node = node;
        this.listener = listener;
        gate = new Gate(node.waits());
        int wanted = listener == null ? asked : listener.port();
        try {
            tcp = tcpAt == null ? null : open(tcpAt, wanted);
        } catch (IOException | RuntimeException refused) {
            if (listener != null) {
                listener.close();
            }
            throw refused;
        }
        port = tcp == null ? wanted : tcp.socket().getLocalPort();
        if (listener != null) {
            node.tasks().start(this::acceptRdma);
        }
        if (tcp != null) {
            node.tasks().start(this::acceptTcp);
        }
    }

    private static ServerSocketChannel open(InetAddress at, int port) throws IOException {
        ServerSocketChannel opened = ServerSocketChannel.open();
        try {
            return opened.bind(new InetSocketAddress(at, port));
        } catch (IOException | RuntimeException refused) {
            opened.close();
            throw refused;
        }
    }

    public int port() {
        return port;
    }

    /// Waits for a peer, without a limit.
    public MessageChannel accept() throws IOException {
        return accept(FOREVER);
    }

    /// Waits for a peer.
    public MessageChannel accept(Duration limit) throws IOException {
        gate.lock();
        try {
            boolean isHere =
                    gate.await(
                            takers, gate.waits.after(limit), () -> isClosed || !arrived.isEmpty());
            if (isClosed) {
                throw new ChannelException(this + " was closed");
            }
            if (!isHere) {
                throw new SocketTimeoutException(
                        "%s: no peer within %d ms".formatted(this, limit.toMillis()));
            }
            return arrived.removeFirst();
        } finally {
            gate.unlock();
        }
    }

    /// Answers the requests of all peers, one thread for each, until the server is closed.
    public void serve(RequestHandler handler) throws IOException {
        while (true) {
            MessageChannel channel;
            try {
                channel = accept();
            } catch (ChannelException over) {
                return;
            }
            node.tasks().start(() -> serve(channel, handler));
        }
    }

    private static void serve(MessageChannel channel, RequestHandler handler) {
        try (channel) {
            channel.serve(handler);
        } catch (IOException | VerbsException ended) {
            LOG.log(Level.DEBUG, "{0}: {1}", channel, ended.getMessage());
        }
    }

    private void acceptRdma() {
        Listener from = listener;
        try {
            while (from != null && !isClosed()) {
                ConnectionRequest request = from.await(FOREVER);
                if (request == null) {
                    boolean _ = Thread.interrupted();
                } else if (begin()) {
                    node.tasks().start(() -> finish(() -> node.accept(request)));
                } else {
                    request.reject();
                }
            }
        } catch (VerbsException closed) {
            LOG.log(Level.DEBUG, "{0}: {1}", this, closed.getMessage());
        }
    }

    private void acceptTcp() {
        ServerSocketChannel from = tcp;
        try {
            while (from != null) {
                SocketChannel socket = from.accept();
                if (begin()) {
                    node.tasks().start(() -> finish(() -> overTcp(socket)));
                } else {
                    socket.close();
                }
            }
        } catch (IOException closed) {
            LOG.log(Level.DEBUG, "{0}: {1}", this, closed.getMessage());
        }
    }

    private MessageChannel overTcp(SocketChannel socket) throws IOException {
        try {
            return node.overTcp(socket, node.settings().timeout());
        } catch (IOException | RuntimeException failure) {
            socket.close();
            throw failure;
        }
    }

    /// A peer that connects; a slow one does not keep others waiting.
    private interface Meeting {
        MessageChannel meet() throws IOException;
    }

    private boolean begin() {
        gate.lock();
        try {
            if (isClosed || underWay >= node.settings().channels()) {
                return false;
            }
            underWay++;
            return true;
        } finally {
            gate.unlock();
        }
    }

    private void finish(Meeting meeting) {
        MessageChannel channel = null;
        try {
            channel = meeting.meet();
        } catch (IOException | VerbsException refused) {
            LOG.log(Level.DEBUG, "{0}: a peer was not accepted: {1}", this, refused.getMessage());
        }
        gate.lock();
        try {
            underWay--;
            if (channel != null && !isClosed) {
                arrived.addLast(channel);
                channel = null;
                gate.wake(takers);
            }
        } finally {
            gate.unlock();
        }
        if (channel != null) {
            channel.close();
        }
    }

    private boolean isClosed() {
        gate.lock();
        try {
            return isClosed;
        } finally {
            gate.unlock();
        }
    }

    /// Refuses further peers, and those that [#accept] has not returned. Channels stay open.
    @Override
    public void close() {
        ArrayDeque<MessageChannel> left;
        gate.lock();
        try {
            if (isClosed) {
                return;
            }
            isClosed = true;
            left = new ArrayDeque<>(arrived);
            arrived.clear();
            gate.wake(takers);
        } finally {
            gate.unlock();
        }
        if (listener != null) {
            listener.close();
        }
        if (tcp != null) {
            try {
                tcp.close();
            } catch (IOException unclean) {
                LOG.log(Level.DEBUG, "{0}: {1}", this, unclean.getMessage());
            }
        }
        left.forEach(MessageChannel::close);
        node.closed(this);
    }

    @Override
    public String toString() {
        return "server of " + node + " at port " + port;
    }
}
