package dev.verbena.netty;

import dev.verbena.stream.ByteStream;
import dev.verbena.stream.StreamGroup;
import dev.verbena.stream.StreamProtocol;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.UnsupportedException;
import dev.verbena.verbs.VerbsException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.AbstractChannel;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.FileRegion;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.SocketChannelConfig;
import io.netty.util.internal.StringUtil;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.UnresolvedAddressException;
import org.jspecify.annotations.Nullable;

/// A connected channel over RDMA, in the place of `NioSocketChannel`. Its peers are channels of
/// this class, `StreamSocket`s, and C programs that use rsocket.
///
/// Memory outside Netty's own buffers: the two rings of a stream, 128 KiB each unless the settings
/// of [RdmaIoHandler] say otherwise.
@SuppressWarnings("FutureReturnValueIgnored") // promises return themselves
public final class RdmaSocketChannel extends AbstractChannel implements SocketChannel {
    private static final ChannelMetadata METADATA = new ChannelMetadata(false, 16);

    private final RdmaSocketChannelConfig config = new RdmaSocketChannelConfig(this);
    private final Runnable readTask = this::readLater;
    private @Nullable ConnectionRequest request;
    private @Nullable IoRegistration registration;
    private @Nullable ByteStream stream;
    private @Nullable RegionChannel regionChannel;
    private volatile @Nullable InetSocketAddress local;
    private volatile @Nullable InetSocketAddress remote;
    private volatile boolean isOpen = true;
    private volatile boolean isActive;
    private volatile boolean inputShutdown;
    private volatile boolean outputShutdown;
    private boolean readPending;
    private boolean isReadScheduled;

    /// A channel to connect.
    public RdmaSocketChannel() {
        super(null);
    }

    /// A channel that answers a peer's request; it is accepted by the loop that the channel is
    /// registered with, where its queue pair then lives.
    RdmaSocketChannel(
            Channel parent, ConnectionRequest request, @Nullable InetSocketAddress local) {
        super(parent);
        this.request = request;
        this.local = local;
        remote = new InetSocketAddress(request.peer().toInetAddress(), request.peerPort());
    }

    @Override
    public ServerSocketChannel parent() {
        return (ServerSocketChannel) super.parent();
    }

    @Override
    public ChannelMetadata metadata() {
        return METADATA;
    }

    @Override
    public SocketChannelConfig config() {
        return config;
    }

    @Override
    public boolean isOpen() {
        return isOpen;
    }

    @Override
    public boolean isActive() {
        return isActive;
    }

    @Override
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) super.localAddress();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return (InetSocketAddress) super.remoteAddress();
    }

    @Override
    protected @Nullable SocketAddress localAddress0() {
        return local;
    }

    @Override
    protected @Nullable SocketAddress remoteAddress0() {
        return remote;
    }

    @Override
    protected AbstractUnsafe newUnsafe() {
        return new RdmaUnsafe();
    }

    @Override
    protected boolean isCompatible(EventLoop loop) {
        return loop instanceof IoEventLoop io && io.isCompatible(RdmaUnsafe.class);
    }

    private StreamGroup group() {
        IoRegistration present = registration;
        if (present == null) {
            throw new IllegalStateException("the channel is not registered");
        }
        RdmaIoHandler handler = present.attachment();
        return handler.group();
    }

    @Override
    protected void doRegister(ChannelPromise promise) {
        ((IoEventLoop) eventLoop())
                .register((RdmaUnsafe) unsafe())
                .addListener(
                        done -> {
                            if (done.isSuccess()) {
                                registration = (IoRegistration) done.getNow();
                                accept(promise);
                            } else {
                                promise.setFailure(done.cause());
                            }
                        });
    }

    private void accept(ChannelPromise promise) {
        ConnectionRequest waiting = request;
        if (waiting == null) {
            promise.setSuccess();
            return;
        }
        request = null;
        try {
            use(group().accept(waiting));
            promise.setSuccess();
        } catch (IOException | VerbsException refused) {
            promise.setFailure(refused);
        }
    }

    private void use(ByteStream made) {
        stream = made;
        made.onChange(((RdmaUnsafe) unsafe())::changed);
    }

    @Override
    protected void doDeregister() {
        IoRegistration present = registration;
        if (present != null) {
            registration = null;
            present.cancel();
        }
    }

    /// The device decides about the address; what is bound is only reported.
    @Override
    protected void doBind(SocketAddress address) {
        local = (InetSocketAddress) address;
    }

    @Override
    protected void doDisconnect() {
        doClose();
    }

    @Override
    protected void doClose() {
        isOpen = false;
        isActive = false;
        inputShutdown = true;
        outputShutdown = true;
        ((RdmaUnsafe) unsafe()).endConnect();
        ConnectionRequest waiting = request;
        request = null;
        if (waiting != null) {
            waiting.reject();
        }
        ByteStream ended = stream;
        if (ended != null) {
            if (config.getSoLinger() == 0) {
                ended.reset();
            } else {
                ended.close();
            }
        }
    }

    @Override
    protected void doBeginRead() {
        readPending = true;
        ByteStream present = stream;
        if (isActive && present != null && hasInput(present) && !isReadScheduled) {
            isReadScheduled = true;
            eventLoop().execute(readTask);
        }
    }

    private static boolean hasInput(ByteStream of) {
        return of.available() > 0 || of.isInputEnded();
    }

    private void readLater() {
        isReadScheduled = false;
        if (readPending && isOpen) {
            ((RdmaUnsafe) unsafe()).read();
        }
    }

    void clearReadPending() {
        if (!isRegistered() || eventLoop().inEventLoop()) {
            readPending = false;
        } else {
            eventLoop().execute(() -> readPending = false);
        }
    }

    @Override
    protected Object filterOutboundMessage(Object message) {
        if (message instanceof ByteBuf || message instanceof FileRegion) {
            return message;
        }
        throw new UnsupportedOperationException(
                "unsupported message type: %s; write a ByteBuf or a FileRegion"
                        .formatted(StringUtil.simpleClassName(message)));
    }

    /// Moves what fits into the ring; the rest stays in Netty's buffer until the peer has read.
    @Override
    protected void doWrite(ChannelOutboundBuffer from) throws Exception {
        ByteStream to = stream;
        if (to == null) {
            throw new NotYetConnectedException();
        }
        try {
            for (Object message = from.current(); message != null; message = from.current()) {
                boolean isWhole =
                        message instanceof ByteBuf bytes
                                ? write(from, to, bytes)
                                : write(from, to, (FileRegion) message);
                if (!isWhole) {
                    return;
                }
                from.remove();
            }
        } finally {
            to.flush();
        }
    }

    private static boolean write(ChannelOutboundBuffer from, ByteStream to, ByteBuf bytes)
            throws IOException {
        if (!bytes.isReadable()) {
            return true;
        }
        int count = 0;
        if (bytes.nioBufferCount() == 1) {
            count = to.append(bytes.internalNioBuffer(bytes.readerIndex(), bytes.readableBytes()));
        } else {
            for (ByteBuffer part : bytes.nioBuffers()) {
                count += to.append(part);
                if (part.hasRemaining()) {
                    break;
                }
            }
        }
        bytes.skipBytes(count);
        from.progress(count);
        return !bytes.isReadable();
    }

    private boolean write(ChannelOutboundBuffer from, ByteStream to, FileRegion region)
            throws IOException {
        RegionChannel channel = regionChannel;
        if (channel == null) {
            channel = new RegionChannel(to);
            regionChannel = channel;
        }
        while (region.transferred() < region.count() && to.room() > 0) {
            long count = region.transferTo(channel, region.transferred());
            if (count <= 0) {
                throw new IOException(
                        "the file ended after %d of %d bytes"
                                .formatted(region.transferred(), region.count()));
            }
            from.progress(count);
        }
        return region.transferred() >= region.count();
    }

    @Override
    protected void doShutdownOutput() {
        ByteStream present = stream;
        if (present == null || !isActive) {
            throw new NotYetConnectedException();
        }
        outputShutdown = true;
        present.endOutput();
    }

    @Override
    public boolean isInputShutdown() {
        return inputShutdown || !isOpen;
    }

    @Override
    public boolean isOutputShutdown() {
        return outputShutdown || !isOpen;
    }

    @Override
    public boolean isShutdown() {
        return isInputShutdown() && isOutputShutdown();
    }

    @Override
    public ChannelFuture shutdownInput() {
        return shutdownInput(newPromise());
    }

    @Override
    public ChannelFuture shutdownInput(ChannelPromise promise) {
        onLoop(
                () -> {
                    if (isOpen && !isActive) {
                        promise.tryFailure(new NotYetConnectedException());
                        return;
                    }
                    inputShutdown = true;
                    promise.trySuccess();
                });
        return promise;
    }

    @Override
    public ChannelFuture shutdownOutput() {
        return shutdownOutput(newPromise());
    }

    @Override
    public ChannelFuture shutdownOutput(ChannelPromise promise) {
        onLoop(
                () -> {
                    if (isWithoutHalfClose()) {
                        // Netty gives up the outbound buffer before it asks the channel.
                        promise.tryFailure(
                                new UnsupportedException(
                                        toString(),
                                        "Valkey's protocol ends both directions together",
                                        "close the channel"));
                    } else {
                        ((AbstractUnsafe) unsafe()).shutdownOutput(promise);
                    }
                });
        return promise;
    }

    private boolean isWithoutHalfClose() {
        return registration != null && group().settings().protocol() == StreamProtocol.VALKEY;
    }

    @Override
    public ChannelFuture shutdown() {
        return shutdown(newPromise());
    }

    @Override
    public ChannelFuture shutdown(ChannelPromise promise) {
        shutdownOutput()
                .addListener(
                        output -> {
                            if (output.isSuccess()) {
                                shutdownInput(promise);
                            } else {
                                shutdownInput();
                                promise.tryFailure(output.cause());
                            }
                        });
        return promise;
    }

    private void onLoop(Runnable task) {
        if (eventLoop().inEventLoop()) {
            task.run();
        } else {
            eventLoop().execute(task);
        }
    }

    private final class RdmaUnsafe extends AbstractUnsafe implements RdmaIoHandle {
        private final ReadLoop reads = new ReadLoop(RdmaSocketChannel.this);
        private final ConnectAttempt attempt = new ConnectAttempt(RdmaSocketChannel.this);

        @Override
        public void close() {
            close(voidPromise());
        }

        @Override
        public void handle(IoRegistration of, IoEvent event) {
            throw new UnsupportedOperationException("streams call their channel");
        }

        @Override
        public void connect(
                SocketAddress to, @Nullable SocketAddress from, ChannelPromise promise) {
            if (promise.isDone() || !ensureOpen(promise)) {
                return;
            }
            if (attempt.isPending()) {
                throw new ConnectionPendingException();
            }
            if (isActive) {
                promise.tryFailure(new AlreadyConnectedException());
                return;
            }
            try {
                InetSocketAddress there = (InetSocketAddress) to;
                if (there.isUnresolved()) {
                    throw new UnresolvedAddressException();
                }
                StreamGroup group = group();
                Gid here = group.device().gids(1).getFirst();
                ByteStream made = group.connect(there);
                use(made);
                local = new InetSocketAddress(here.toInetAddress(), made.localPort());
                remote = there;
                attempt.begin(there, promise);
            } catch (RuntimeException refused) {
                ConnectException cause = new ConnectException("cannot connect to " + to);
                cause.initCause(refused);
                promise.tryFailure(refused instanceof UnresolvedAddressException ? refused : cause);
                closeIfClosed();
            }
        }

        /// What is written to an accepted channel before its connection is established waits for
        /// it: with sockets, an accepted channel is connected from the start.
        @Override
        protected void flush0() {
            boolean isBeingAccepted = parent() != null && isOpen && !isActive;
            if (!isBeingAccepted) {
                super.flush0();
            }
        }

        void endConnect() {
            attempt.fail(new ClosedChannelException());
        }

        void read() {
            ByteStream from = stream;
            if (from != null) {
                reads.run(from);
            }
        }

        /// Called by the stream: bytes, room or the state may have changed.
        void changed(ByteStream of) {
            if (!isOpen) {
                return;
            }
            if (!isActive) {
                settle(of);
                if (!isActive) {
                    return;
                }
            }
            if (readPending && hasInput(of)) {
                read();
            }
            // The end needs no read of the program, and has two events.
            for (int i = 0; i < 2 && isOpen && of.available() == 0 && of.isInputEnded(); i++) {
                reads.runToEnd(of);
            }
            ChannelOutboundBuffer rest = outboundBuffer();
            if (rest != null && !rest.isEmpty() && (of.room() > 0 || of.failure() != null)) {
                flush0();
            }
        }

        private void settle(ByteStream of) {
            if (of.isConnected()) {
                isActive = true;
                boolean wasCancelled = !attempt.succeed();
                pipeline().fireChannelActive();
                if (wasCancelled) {
                    close(voidPromise());
                }
            } else if (of.failure() != null) {
                attempt.fail(connectException(of));
                close(voidPromise());
            }
        }

        private Throwable connectException(ByteStream of) {
            IOException reason = of.failure();
            ConnectException failed =
                    new ConnectException(
                            "%s: %s".formatted(remote, reason == null ? "" : reason.getMessage()));
            failed.initCause(reason);
            return failed;
        }
    }

    void readDone() {
        readPending = false;
    }

    boolean isReadPending() {
        return readPending;
    }

    void endInput() {
        inputShutdown = true;
    }
}
