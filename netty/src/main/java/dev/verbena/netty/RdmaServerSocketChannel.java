package dev.verbena.netty;

import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.VerbsException;
import io.netty.channel.AbstractServerChannel;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.ServerSocketChannelConfig;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Accepts channels on a port, in the place of `NioServerSocketChannel`. The address that it is
/// bound to must be that of the device or the wildcard: the device is chosen by [RdmaIoHandler].
///
/// A virtual thread waits for requests, since a listener has no way to wake an event loop. It takes
/// at most 16 ahead of the loop; others wait in the listener's backlog.
@SuppressWarnings({
    "FutureReturnValueIgnored",
    "deprecation"
}) // Netty has no other handle; promises return themselves
public final class RdmaServerSocketChannel extends AbstractServerChannel
        implements ServerSocketChannel {
    private static final int AHEAD_MAX = 16;
    private static final Duration SLICE = Duration.ofSeconds(1);

    private final RdmaServerSocketChannelConfig config = new RdmaServerSocketChannelConfig(this);
    private final BlockingQueue<ConnectionRequest> waiting = new ArrayBlockingQueue<>(AHEAD_MAX);
    private final Runnable accept = this::acceptWaiting;
    private @Nullable IoRegistration registration;
    private volatile @Nullable Listener listener;
    private volatile @Nullable InetSocketAddress local;
    private volatile boolean isOpen = true;
    private boolean readPending;

    /// A channel that is not bound yet; a bootstrap makes it.
    public RdmaServerSocketChannel() {}

    @Override
    public ServerSocketChannelConfig config() {
        return config;
    }

    @Override
    public boolean isOpen() {
        return isOpen;
    }

    @Override
    public boolean isActive() {
        return isOpen && listener != null;
    }

    @Override
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) super.localAddress();
    }

    @Override
    @SuppressWarnings("NullAway") // a server has none, as Netty has it
    public InetSocketAddress remoteAddress() {
        return null;
    }

    @Override
    protected @Nullable SocketAddress localAddress0() {
        return local;
    }

    @Override
    protected AbstractUnsafe newUnsafe() {
        return new ServerUnsafe();
    }

    @Override
    protected boolean isCompatible(EventLoop loop) {
        return loop instanceof IoEventLoop io && io.isCompatible(ServerUnsafe.class);
    }

    @Override
    protected void doRegister(ChannelPromise promise) {
        ((IoEventLoop) eventLoop())
                .register((ServerUnsafe) unsafe())
                .addListener(
                        done -> {
                            if (done.isSuccess()) {
                                registration = (IoRegistration) done.getNow();
                                promise.setSuccess();
                            } else {
                                promise.setFailure(done.cause());
                            }
                        });
    }

    @Override
    protected void doDeregister() {
        IoRegistration present = registration;
        if (present != null) {
            registration = null;
            present.cancel();
        }
    }

    @Override
    protected void doBind(SocketAddress address) throws Exception {
        IoRegistration present = registration;
        if (present == null) {
            throw new IllegalStateException("the channel is not registered");
        }
        RdmaIoHandler handler = present.attachment();
        Device device = handler.group().device();
        InetSocketAddress wanted = (InetSocketAddress) address;
        InetAddress here = device.gids(1).getFirst().toInetAddress();
        InetAddress asked = wanted.getAddress();
        if (asked == null || !(asked.isAnyLocalAddress() || asked.equals(here))) {
            throw new BindException(
                    "%s is not the address of %s, which is %s"
                            .formatted(wanted, device.name(), here.getHostAddress()));
        }
        Listener made;
        try {
            made = device.listen(wanted.getPort(), config.getBacklog());
        } catch (VerbsException taken) {
            BindException failed = new BindException(taken.getMessage());
            failed.initCause(taken);
            throw failed;
        }
        listener = made;
        local = new InetSocketAddress(here, made.port());
        Thread.ofVirtual().name("rdma-accept-" + made.port()).start(() -> await(made));
    }

    private void await(Listener from) {
        try {
            while (isOpen) {
                ConnectionRequest request = from.await(SLICE);
                if (request != null) {
                    waiting.put(request);
                    eventLoop().execute(accept);
                }
            }
        } catch (ClosedException | InterruptedException | RejectedExecutionException over) {
            // The channel, its loop or the device has ended.
        }
        // A request that was taken while the channel closed has no other answer.
        rejectWaiting();
    }

    private void rejectWaiting() {
        for (ConnectionRequest request = waiting.poll();
                request != null;
                request = waiting.poll()) {
            request.reject();
        }
    }

    @Override
    protected void doBeginRead() {
        readPending = true;
        if (!waiting.isEmpty()) {
            eventLoop().execute(accept);
        }
    }

    private void acceptWaiting() {
        if (!readPending || !isOpen || waiting.isEmpty()) {
            return;
        }
        ChannelPipeline pipeline = pipeline();
        RecvByteBufAllocator.Handle sizes = unsafe().recvBufAllocHandle();
        sizes.reset(config);
        readPending = false;
        do {
            ConnectionRequest request = waiting.poll();
            if (request == null) {
                break;
            }
            sizes.incMessagesRead(1);
            pipeline.fireChannelRead(new RdmaSocketChannel(this, request, local));
        } while (sizes.continueReading());
        sizes.readComplete();
        pipeline.fireChannelReadComplete();
    }

    @Override
    protected void doClose() {
        isOpen = false;
        Listener open = listener;
        if (open != null) {
            open.close();
        }
        rejectWaiting();
    }

    private final class ServerUnsafe extends AbstractUnsafe implements RdmaIoHandle {
        @Override
        public void close() {
            close(voidPromise());
        }

        @Override
        public void handle(IoRegistration of, IoEvent event) {
            throw new UnsupportedOperationException("the listener calls the channel");
        }

        @Override
        public void connect(
                SocketAddress to, @Nullable SocketAddress from, ChannelPromise promise) {
            safeSetFailure(promise, new UnsupportedOperationException("a server does not connect"));
        }
    }
}
