package dev.verbena.easy;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.NoDeviceException;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.verbs.UnsupportedException;
import dev.verbena.verbs.spi.VirtualTime;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A program's place on the network: it listens, connects, and exports memory. Threads may share
/// it.
///
/// ```
/// try (RdmaNode node = RdmaNode.open("roce://192.0.2.10");
///         MessageServer server = node.listen(7471)) {
///     server.serve(request -> answer(request));
/// }
/// ```
///
/// It has one device and one thread that waits for completions; a program needs one node.
public final class RdmaNode implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(RdmaNode.class.getName());

    /// Memory that a node exports under different names.
    private static final int EXPORTS_MAX = 1024;

    private final String name;
    private final NodeSettings settings;
    private final Tasks tasks;
    private final Waits waits;
    private final @Nullable Rdma rdma;
    private final boolean ownsDevice;
    private final Map<String, ExportedMemory> exports = new ConcurrentHashMap<>();
    private final Set<AutoCloseable> parts = new LinkedHashSet<>();
    private final ReentrantLock lock = new ReentrantLock();
    private int channels;
    private boolean isClosed;

    /// What a node with a device has.
    record Rdma(Device device, ProtectionDomain domain, CompletionLoop loop) {}

    private RdmaNode(
            String name, NodeSettings settings, @Nullable Device device, boolean ownsDevice) {
        this.name = name;
        this.settings = settings;
        this.ownsDevice = ownsDevice;
        tasks = new Tasks(settings.threads());
        waits = device == null ? new Waits.Parked() : Waits.of(device);
        rdma = device == null ? null : start(device);
    }

    private Rdma start(Device device) {
        // One channel more: completions of one that was closed may be in the queue still.
        int completions = (settings.channels() + 1) * RdmaLane.completions(Slab.of(settings));
        if (completions > device.limits().completions()) {
            throw new LimitExceededException(
                    name,
                    "its channels need a queue of %d completions, and the device has %d"
                            .formatted(completions, device.limits().completions()),
                    "lower NodeSettings.channels or window");
        }
        CompletionQueue queue = device.completionQueue(completions);
        CompletionLoop loop = new CompletionLoop(queue, settings.channels());
        tasks.startPoller(loop::run);
        return new Rdma(device, device.protectionDomain(), loop);
    }

    /// Opens a device, such as `roce://192.0.2.10` or `ibverbs://mlx5_0`, with the usual settings.
    public static RdmaNode open(String uri) {
        return open(uri, NodeSettings.DEFAULT);
    }

    /// Opens a device. Where it cannot be opened, a node with [Fallback#TCP] uses TCP and logs that
    /// once.
    ///
    /// @throws NoDeviceException when it cannot be opened, and there is no fallback
    public static RdmaNode open(String uri, NodeSettings settings) {
        Device device;
        try {
            device = Devices.open(uri);
        } catch (NoDeviceException absent) {
            if (settings.fallback() == Fallback.NONE) {
                throw absent;
            }
            String why = String.valueOf(absent.getMessage());
            LOG.log(Level.WARNING, "channels run over TCP, without remote memory: {0}", why);
            return new RdmaNode(uri, settings, null, false);
        }
        try {
            return new RdmaNode(uri, settings, device, true);
        } catch (RuntimeException refused) {
            device.close();
            throw refused;
        }
    }

    /// Uses a device that is open, and stays open when the node is closed.
    public static RdmaNode over(Device device, NodeSettings settings) {
        return new RdmaNode(device.name(), settings, device, false);
    }

    /// Whether it has a device, and does not run over TCP.
    public boolean isRdma() {
        return rdma != null;
    }

    public NodeSettings settings() {
        return settings;
    }

    Tasks tasks() {
        return tasks;
    }

    Waits waits() {
        return waits;
    }

    // ---- channels

    /// Listens for peers; with [Fallback#TCP] for those that have no device, too.
    ///
    /// @param port 0 for any free one, which [MessageServer#port] tells
    public MessageServer listen(int port) throws IOException {
        Rdma own = rdma;
        // A thread that waits for a socket would keep virtual time from moving.
        boolean isTcp =
                own == null
                        || (settings.fallback() == Fallback.TCP
                                && VirtualTime.of(own.device).isEmpty());
        MessageServer server =
                new MessageServer(
                        this,
                        own == null ? null : own.device.listen(port, settings.channels()),
                        isTcp ? tcpAddress() : null,
                        port);
        if (!add(server)) {
            server.close();
            throw closed();
        }
        return server;
    }

    /// Where to listen for TCP: at the address of the URI, or at any when it names a device.
    private InetAddress tcpAddress() {
        try {
            String host = URI.create(name).getHost();
            if (host != null) {
                return InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", ""));
            }
        } catch (IllegalArgumentException noAddress) {
            // A name of a device.
        }
        return new InetSocketAddress(0).getAddress();
    }

    /// Connects to a node that listens, within the node's timeout.
    public MessageChannel connect(InetSocketAddress peer) throws IOException {
        return connect(peer, settings.timeout());
    }

    /// Connects to a node that listens.
    ///
    /// @throws dev.verbena.verbs.ConnectionFailedException when the peer refuses, with its reason
    /// @throws SocketTimeoutException when it does not answer in time
    public MessageChannel connect(InetSocketAddress peer, Duration limit) throws IOException {
        Rdma own = rdma;
        if (own == null) {
            SocketChannel socket = SocketChannel.open();
            try {
                socket.socket().connect(peer, (int) Math.max(1, limit.toMillis()));
                return overTcp(socket, limit);
            } catch (IOException | RuntimeException failure) {
                socket.close();
                throw failure;
            }
        }
        return connect(own, Address.to(Gid.of(peer)), peer.getPort(), limit);
    }

    /// Connects to a node that listens, where an IP address does not find it: on InfiniBand a peer
    /// is found by its LID.
    public MessageChannel connect(Address peer, int port, Duration limit) throws IOException {
        return connect(requireRdma(), peer, port, limit);
    }

    private MessageChannel connect(Rdma own, Address peer, int port, Duration limit)
            throws IOException {
        Making making = new Making(own);
        try {
            byte[] greeting = Greeting.of(settings).toBytes();
            Connection connection = own.device.connect(making.lane.pair(), peer, port, greeting);
            making.lane.connected(connection, connection.peer() + " port " + port);
            return established(making, connection, limit, null);
        } catch (IOException | RuntimeException failure) {
            making.lane.end();
            throw failure;
        }
    }

    /// Accepts a peer; waits until the connection is established.
    MessageChannel accept(ConnectionRequest request) throws IOException {
        Rdma own = rdma;
        if (own == null) {
            throw new AssertionError("a node without a device has no such requests");
        }
        Greeting greeting = Greeting.of(request.privateData());
        if (greeting == null) {
            request.reject();
            throw foreign(request.peer().toString());
        }
        Making making;
        try {
            making = new Making(own);
        } catch (RuntimeException full) {
            request.reject();
            throw full;
        }
        try {
            Connection connection =
                    request.accept(making.lane.pair(), Greeting.of(settings).toBytes());
            making.lane.connected(connection, request.peer() + " port " + request.peerPort());
            return established(making, connection, settings.timeout(), greeting);
        } catch (IOException | RuntimeException failure) {
            making.lane.end();
            // Of a request that could not be accepted, such as one of another type.
            request.reject();
            throw failure;
        }
    }

    /// A channel that is not connected yet: it can take messages, since a peer may send as soon as
    /// it is connected.
    private final class Making {
        final Protocol protocol;
        final RdmaLane lane;

        Making(Rdma own) {
            Slab slab = Slab.of(settings);
            Gate gate = new Gate(waits);
            protocol = new Protocol(gate, settings, slab, RdmaNode.this::exported);
            gate.lock();
            try {
                // No completion is looked at before the lane is the protocol's.
                lane = new RdmaLane(gate, own.loop, own.domain, slab, protocol);
                protocol.attach(lane);
            } finally {
                gate.unlock();
            }
        }
    }

    private MessageChannel established(
            Making making, Connection connection, Duration limit, @Nullable Greeting known)
            throws IOException {
        if (!connection.await(limit)) {
            throw new SocketTimeoutException(
                    "%s: no connection within %d ms".formatted(connection, limit.toMillis()));
        }
        Greeting greeting = known == null ? Greeting.of(connection.privateData()) : known;
        if (greeting == null) {
            throw foreign(connection.peer().toString());
        }
        if (!settings.keepAlive().isZero()) {
            try {
                connection.keepAlive(settings.keepAlive());
            } catch (UnsupportedException none) {
                LOG.log(Level.DEBUG, "{0}", none.getMessage());
            }
        }
        return opened(making.protocol, making.lane, making.lane.remote(), greeting);
    }

    private static ChannelException foreign(String peer) {
        return new ChannelException(peer + " is no node of this library, or of another version");
    }

    MessageChannel overTcp(SocketChannel socket, Duration limit) throws IOException {
        Slab slab = Slab.of(settings);
        Gate gate = new Gate(waits);
        Protocol protocol = new Protocol(gate, settings, slab, _ -> null);
        Greeting greeting = TcpLane.greet(socket, Greeting.of(settings), limit);
        if (greeting == null) {
            throw foreign(TcpLane.text((InetSocketAddress) socket.getRemoteAddress()));
        }
        TcpLane lane = new TcpLane(gate, slab, protocol, socket);
        protocol.attach(lane);
        MessageChannel channel = opened(protocol, lane, null, greeting);
        lane.start(tasks);
        return channel;
    }

    private MessageChannel opened(
            Protocol protocol, Lane lane, @Nullable RemoteOps remote, Greeting greeting)
            throws IOException {
        protocol.gate.lock();
        try {
            protocol.begin(greeting);
        } finally {
            protocol.gate.unlock();
        }
        MessageChannel channel = new MessageChannel(this, protocol, lane, remote);
        lock.lock();
        try {
            if (channels >= settings.channels()) {
                throw new LimitExceededException(
                        name,
                        "%d channels are open, and it has room for no more".formatted(channels),
                        "close some, or raise NodeSettings.channels");
            }
            if (!add(channel)) {
                throw closed();
            }
            channels++;
        } finally {
            lock.unlock();
        }
        return channel;
    }

    void closed(MessageChannel channel) {
        lock.lock();
        try {
            if (parts.remove(channel)) {
                channels--;
            }
        } finally {
            lock.unlock();
        }
    }

    void closed(MessageServer server) {
        lock.lock();
        try {
            parts.remove(server);
        } finally {
            lock.unlock();
        }
    }

    private boolean add(AutoCloseable part) {
        lock.lock();
        try {
            return !isClosed && parts.add(part);
        } finally {
            lock.unlock();
        }
    }

    private ChannelException closed() {
        return new ChannelException(this + " was closed");
    }

    // ---- memory

    /// Allocates memory and lets all peers use it under a name, until it is closed.
    ///
    /// @throws UnsupportedException when the node runs over TCP
    public ExportedMemory export(String memoryName, long bytes) {
        ExportedMemory.nameBytes(memoryName);
        if (exports.size() >= EXPORTS_MAX) {
            throw new LimitExceededException(
                    name, "it exports %d memories".formatted(EXPORTS_MAX), "take some back");
        }
        ExportedMemory made =
                new ExportedMemory(
                        this,
                        memoryName,
                        requireRdma()
                                .domain
                                .allocate(
                                        bytes,
                                        Access.LOCAL_WRITE,
                                        Access.REMOTE_READ,
                                        Access.REMOTE_WRITE,
                                        Access.REMOTE_ATOMIC));
        if (exports.putIfAbsent(memoryName, made) != null) {
            made.close();
            throw new InvalidRequestException(
                    "memory '" + memoryName + "'",
                    "another one of this name is exported",
                    "use another name, or take the other back");
        }
        return made;
    }

    private @Nullable RemoteSlice exported(String memoryName) {
        ExportedMemory memory = exports.get(memoryName);
        return memory == null ? null : memory.descriptor();
    }

    void withdraw(ExportedMemory memory) {
        exports.remove(memory.name(), memory);
    }

    /// Makes registered buffers for [RemoteMemory] without copies.
    ///
    /// @throws UnsupportedException when the node runs over TCP
    public BufferPool pool(int buffers, int bytes) {
        if (buffers < 1 || buffers > 1 << 20 || bytes < 1) {
            throw new InvalidRequestException(
                    "pool",
                    "%d buffers of %d bytes".formatted(buffers, bytes),
                    "use 1 to 1048576 buffers of at least 1 byte");
        }
        long all = buffers * BufferPool.stride(bytes);
        return new BufferPool(
                this,
                waits,
                requireRdma().domain.allocate(all, Access.LOCAL_WRITE),
                buffers,
                bytes);
    }

    private Rdma requireRdma() {
        if (rdma == null) {
            throw new UnsupportedException(
                    name,
                    "it runs over TCP, which has no remote memory",
                    "use requests, or open an RDMA device");
        }
        return rdma;
    }

    /// Closes its servers and channels, then its device if it has opened it.
    @Override
    public void close() {
        List<AutoCloseable> left;
        lock.lock();
        try {
            if (isClosed) {
                return;
            }
            isClosed = true;
            left = new ArrayList<>(parts);
        } finally {
            lock.unlock();
        }
        for (AutoCloseable part : left) {
            if (part instanceof MessageServer server) {
                server.close();
            } else if (part instanceof MessageChannel channel) {
                channel.close();
            }
        }
        for (ExportedMemory memory : List.copyOf(exports.values())) {
            memory.close();
        }
        Rdma own = rdma;
        if (own != null) {
            own.loop.queue().close();
            own.domain.close();
            if (ownsDevice) {
                own.device.close();
            }
        }
    }

    @Override
    public String toString() {
        return "node " + name;
    }
}
