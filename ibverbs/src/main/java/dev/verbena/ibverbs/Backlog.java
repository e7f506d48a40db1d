package dev.verbena.ibverbs;

import dev.verbena.verbs.spi.ConnectionRules;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Requests for a port that wait until the program takes them, up to a limit; at every address of
/// the device, since peers may use any of them.
abstract class Backlog<R> extends Awaited implements CmUser {
    final Connections home;
    final int port;
    private final int most;
    private final List<CmId> ids = new ArrayList<>();
    private final ArrayDeque<R> requests = new ArrayDeque<>();
    private boolean isClosed;

    Backlog(Connections home, int port, int most) {
        super(home.device);
        this.home = home;
        this.port = port;
        this.most = most;
    }

    /// Begins to listen; with the device's lock held.
    final void listen(int portSpace) {
        int last = Errno.EADDRNOTAVAIL;
        try {
            for (SocketAddress own : home.addresses(port)) {
                int reason = listen(portSpace, own);
                last = ids.isEmpty() ? reason : 0;
                if (reason == Errno.EADDRINUSE) {
                    throw portSpace == CmStructs.Id.UDP
                            ? ConnectionRules.datagramPortTaken(device.name(), port)
                            : ConnectionRules.portTaken(device.name(), port);
                }
            }
            if (last != 0) {
                throw Errno.refusal(device.name(), "to listen at port " + port, last);
            }
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    /// An address that the machine has lost meanwhile is left out.
    private int listen(int portSpace, SocketAddress own) {
        CmId id = home.id(portSpace, this);
        int reason = id.bind(own);
        try {
            if (reason == 0) {
                id.requireOwnDevice();
                reason = id.listen(most);
            }
        } finally {
            if (reason == 0) {
                ids.add(id);
            } else {
                id.end();
            }
        }
        return reason;
    }

    @Override
    public final void happened(CmEvent event) {
        if (event.type() != CmEvent.REQUEST) {
            return;
        }
        CmId id = home.adopt(event.id());
        if (isClosed || event.status() != 0 || requests.size() >= most) {
            // The kernel cannot report that there is no room: this is a plain refusal.
            id.reject();
            id.end();
            return;
        }
        requests.add(request(id, event));
        rouse();
    }

    public final int port() {
        return port;
    }

    public final @Nullable R poll() {
        device.context.lock.lock();
        try {
            device.requireOpen();
            return requests.poll();
        } finally {
            device.context.lock.unlock();
        }
    }

    public final @Nullable R await(Duration timeout) {
        // With the lock from the end of the wait on: each request goes to one thread, and the
        // others
        // wait for the next.
        device.context.lock.lock();
        try {
            return await(timeout, () -> !requests.isEmpty() || isClosed) ? poll() : null;
        } finally {
            device.context.lock.unlock();
        }
    }

    public final void close() {
        device.context.lock.lock();
        try {
            if (!isClosed) {
                isClosed = true;
                ids.forEach(CmId::end);
                while (!requests.isEmpty()) {
                    reject(requests.remove());
                }
                rouse();
            }
        } finally {
            device.context.lock.unlock();
        }
    }

    @Override
    public final void deviceCloses() {
        close();
    }

    abstract R request(CmId id, CmEvent event);

    /// The program did not take it.
    abstract void reject(R request);
}
