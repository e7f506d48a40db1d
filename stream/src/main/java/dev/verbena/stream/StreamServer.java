package dev.verbena.stream;

import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.WrongStateException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.channels.AsynchronousCloseException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Accepts streams on a port, of [StreamSocket] and of C programs that use rsocket.
public final class StreamServer implements AutoCloseable {
    private final Device device;
    private final StreamSettings settings;
    private final Listener listener;

    private StreamServer(Device device, StreamSettings settings, Listener listener) {
        this.device = device;
        this.settings = settings;
        this.listener = listener;
    }

    /// Listens with the usual settings; up to 128 peers wait for [#accept].
    ///
    /// @param port 0 for any free one, which [#port] tells
    public static StreamServer listen(Device device, int port) {
        return listen(device, port, 128, StreamSettings.DEFAULT);
    }

    /// Listens; `backlog` peers may wait, others are refused.
    public static StreamServer listen(
            Device device, int port, int backlog, StreamSettings settings) {
        return new StreamServer(device, settings, device.listen(port, backlog));
    }

    public int port() {
        return listener.port();
    }

    /// Waits for a peer; returns null when the timeout passes first. Several threads may wait. A
    /// peer that does not speak the protocol is refused, and the wait goes on; so it does when a
    /// peer gives up before it is accepted.
    ///
    /// @throws IOException also when the device has no room for another stream
    public @Nullable StreamSocket accept(Duration timeout) throws IOException {
        try {
            while (true) {
                ConnectionRequest request = listener.await(timeout);
                if (request == null) {
                    return null;
                }
                StreamSocket accepted = accept(device, request, settings);
                if (accepted != null) {
                    return accepted;
                }
            }
        } catch (ClosedException closedMeanwhile) {
            AsynchronousCloseException closed = new AsynchronousCloseException();
            closed.initCause(closedMeanwhile);
            throw closed;
        }
    }

    /// Returns null for a peer that is none, or none any more.
    static @Nullable StreamSocket accept(
            Device device, ConnectionRequest request, StreamSettings settings) throws IOException {
        try {
            return StreamSocket.accept(device, request, settings);
        } catch (ProtocolException stranger) {
            // It was refused, and reads so in its own log.
            return null;
        } catch (WrongStateException gone) {
            // It has given up, or its time is over: a server must not end by that.
            return null;
        } catch (LimitExceededException full) {
            request.reject();
            throw new IOException("cannot accept a stream: " + full.getMessage(), full);
        }
    }

    /// Accepts no more streams; those that were accepted stay open.
    @Override
    public void close() {
        listener.close();
    }
}
