package dev.verbena.transport.connect;

import dev.verbena.transport.cm.CmConnection;
import dev.verbena.transport.cm.CmService;
import dev.verbena.transport.cm.CmUser;
import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.verbs.Listener;
import dev.verbena.wire.Payload;
import dev.verbena.wire.Pkey;
import dev.verbena.wire.mad.CmReq;
import dev.verbena.wire.mad.RdmaCmHeader;
import dev.verbena.wire.mad.RejectReason;
import dev.verbena.wire.mad.ServiceId;
import org.jspecify.annotations.Nullable;

/// Keeps requests until the program takes them.
final class TransportListener extends Backlog<TransportConnectionRequest>
        implements Listener, CmService {
    TransportListener(Connections connections, int port, int backlog) {
        super(connections, port, backlog);
    }

    @Override
    public @Nullable CmUser requested(CmConnection connection, CmReq request) {
        RejectReason wrong = wrong(request);
        if (wrong != null) {
            connection.reject(wrong, Payload.EMPTY);
            return null;
        }
        if (!hasRoom()) {
            return null;
        }
        TransportConnectionRequest wanted =
                new TransportConnectionRequest(this, connection, request);
        add(wanted);
        return wanted;
    }

    private @Nullable RejectReason wrong(CmReq request) {
        DeviceSettings settings = connections.settings;
        if (request.transport().serviceType() > CmReq.SERVICE_UC) {
            return RejectReason.INVALID_TRANSPORT_SERVICE_TYPE;
        }
        if (!RdmaCmHeader.of(request.privateData()).isSupported()) {
            return RejectReason.UNSUPPORTED;
        }
        // Both ends use the MTU of the request; a REP cannot reduce it.
        int most = ConnectionSetup.mtuCode(settings.port.now().attributes().activeMtu());
        if (request.paths().mtu() < 1 || request.paths().mtu() > most) {
            return RejectReason.INVALID_PATH_MTU;
        }
        boolean isPartition =
                Pkey.match(settings.port.now().partitionKey(0), request.paths().pkey());
        return isPartition ? null : RejectReason.NO_RESOURCES;
    }

    /// The peer has given up, or the program has waited too long.
    void withdraw(TransportConnectionRequest request) {
        forget(request::equals);
    }

    @Override
    void unlisten() {
        connections.machine().unlisten(ServiceId.ofTcp(port));
        connections.settings.driver.released(ServiceId.ofTcp(port));
        connections.device.reach(-1);
    }

    @Override
    void reject(TransportConnectionRequest request) {
        request.reject();
    }

    @Override
    public String toString() {
        return connections.device.name + " port " + port;
    }
}
