package dev.verbena.netty;

import io.netty.channel.ChannelPromise;
import io.netty.channel.ConnectTimeoutException;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The promise of a connection, and the time that it has.
@SuppressWarnings("FutureReturnValueIgnored") // promises return themselves
final class ConnectAttempt {
    private final RdmaSocketChannel channel;
    private @Nullable ChannelPromise promise;
    private @Nullable Future<?> timeout;

    ConnectAttempt(RdmaSocketChannel channel) {
        this.channel = channel;
    }

    boolean isPending() {
        return promise != null;
    }

    void begin(InetSocketAddress to, ChannelPromise of) {
        promise = of;
        int millis = channel.config().getConnectTimeoutMillis();
        if (millis > 0) {
            timeout =
                    channel.eventLoop()
                            .schedule(() -> expire(to, millis), millis, TimeUnit.MILLISECONDS);
        }
        of.addListener(this::done);
    }

    private void expire(InetSocketAddress to, int millis) {
        ChannelPromise pending = promise;
        if (pending != null
                && pending.tryFailure(
                        new ConnectTimeoutException(
                                "connection to %s not made within %d ms".formatted(to, millis)))) {
            channel.close();
        }
    }

    private void done(Future<? super Void> future) {
        end();
        if (future.isCancelled()) {
            channel.close();
        }
    }

    /// Returns false when the caller has given up.
    boolean succeed() {
        ChannelPromise pending = promise;
        boolean isWanted = pending == null || pending.trySuccess();
        end();
        return isWanted;
    }

    void fail(Throwable cause) {
        ChannelPromise pending = promise;
        end();
        if (pending != null) {
            pending.tryFailure(cause);
        }
    }

    private void end() {
        promise = null;
        Future<?> running = timeout;
        timeout = null;
        if (running != null) {
            running.cancel(false);
        }
    }
}
