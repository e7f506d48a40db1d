package dev.verbena.transport;

import dev.verbena.transport.cm.CmConnection;
import dev.verbena.transport.cm.CmService;
import dev.verbena.transport.cm.CmUser;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Listener;
import dev.verbena.wire.Payload;
import dev.verbena.wire.Pkey;
import dev.verbena.wire.mad.CmReq;
import dev.verbena.wire.mad.RdmaCmHeader;
import dev.verbena.wire.mad.RejectReason;
import dev.verbena.wire.mad.ServiceId;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Keeps requests until the program takes them.
final class TransportListener extends Awaited implements Listener, CmService {
    private final int port;
    private final int backlog;
    private final ArrayDeque<TransportConnectionRequest> requests = new ArrayDeque<>();

    /// The same as the length of the queue, for threads without the guard.
    private volatile int count;

    private volatile boolean isClosed;

    TransportListener(TransportDevice device, int port, int backlog) {
        super(device);
        this.port = port;
        this.backlog = backlog;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public @Nullable CmUser requested(CmConnection connection, CmReq request) {
        RejectReason wrong = wrong(request);
        if (wrong != null) {
            connection.reject(wrong, Payload.EMPTY);
            return null;
        }
        if (isClosed || requests.size() == backlog) {
            return null;
        }
        TransportConnectionRequest wanted =
                new TransportConnectionRequest(this, connection, request);
        requests.add(wanted);
        count = requests.size();
        rouse();
        return wanted;
    }

    private @Nullable RejectReason wrong(CmReq request) {
        TransportOptions options = device.engine().options;
        if (request.transportServiceType() > CmReq.SERVICE_UC) {
            return RejectReason.INVALID_TRANSPORT_SERVICE_TYPE;
        }
        if (!RdmaCmHeader.of(request.privateData()).isSupported()) {
            return RejectReason.UNSUPPORTED;
        }
        // Both ends use what the request says; a REP cannot say less.
        int most = ConnectionSetup.mtuCode(options.port.activeMtu());
        if (request.pathMtu() < 1 || request.pathMtu() > most) {
            return RejectReason.INVALID_PATH_MTU;
        }
        boolean isPartition = Pkey.match(options.partitionKeys.getFirst(), request.pkey());
        return isPartition ? null : RejectReason.NO_RESOURCES;
    }

    /// The peer has given up, or the program has waited too long.
    void withdraw(TransportConnectionRequest request) {
        requests.remove(request);
        count = requests.size();
    }

    @Override
    boolean isDecided() {
        return count > 0 || isClosed;
    }

    @Override
    public @Nullable ConnectionRequest poll() {
        device.progress();
        return take();
    }

    private @Nullable ConnectionRequest take() {
        try (var _ = device.engine().door.enter()) {
            TransportConnectionRequest first = requests.poll();
            count = requests.size();
            return first;
        }
    }

    @Override
    public @Nullable ConnectionRequest await(Duration timeout) {
        return awaitDecision(timeout) ? take() : null;
    }

    @Override
    public void close() {
        try (var _ = device.engine().door.enter()) {
            if (isClosed) {
                return;
            }
            isClosed = true;
            device.engine().services.connections().unlisten(ServiceId.ofTcp(port));
            while (!requests.isEmpty()) {
                requests.remove().reject();
            }
            count = 0;
            rouse();
        }
    }

    @Override
    public String toString() {
        return device + " port " + port;
    }
}
