package dev.verbena.transport.connect;

import dev.verbena.transport.cm.CmConnection;
import dev.verbena.transport.cm.CmFailure;
import dev.verbena.transport.cm.CmState;
import dev.verbena.transport.cm.CmUser;
import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.spi.ConnectionRules;
import dev.verbena.verbs.spi.ObjectNames;
import dev.verbena.wire.Payload;
import dev.verbena.wire.mad.CmRej;
import dev.verbena.wire.mad.CmRep;
import dev.verbena.wire.mad.CmReq;
import dev.verbena.wire.mad.RdmaCmHeader;
import dev.verbena.wire.mad.RejectReason;
import org.jspecify.annotations.Nullable;

/// A request that waits for the decision of the program; then it passes events to the connection
/// that it became.
final class TransportConnectionRequest implements ConnectionRequest, CmUser {
    private final TransportListener listener;
    private final CmConnection connection;
    private final CmReq request;
    private @Nullable TransportConnection accepted;

    TransportConnectionRequest(TransportListener listener, CmConnection connection, CmReq request) {
        this.listener = listener;
        this.connection = connection;
        this.request = request;
    }

    @Override
    public Gid peer() {
        return connection.to().gid();
    }

    @Override
    public int peerPort() {
        return RdmaCmHeader.of(request.privateData()).sourcePort();
    }

    @Override
    public QueuePairType type() {
        return request.transport().serviceType() == CmReq.SERVICE_UC
                ? QueuePairType.UC
                : QueuePairType.RC;
    }

    @Override
    public byte[] privateData() {
        return RdmaCmHeader.consumerData(request.privateData()).toArray();
    }

    @Override
    public Connection accept(QueuePair queuePair, byte... privateData) {
        Connections connections = listener.connections;
        try (var _ = connections.device.entry.enter()) {
            boolean isOpen = connection.state() == CmState.REQ_RECEIVED;
            ConnectionRules.requireUnanswered(this, isOpen);
            QueuePairCore pair = connections.own(queuePair);
            ConnectionRules.requireType(this, type(), pair);
            Payload data =
                    ConnectionSetup.privateData(this, CmRep.PRIVATE_DATA_LENGTH, privateData);
            TransportConnection made =
                    new TransportConnection(connections, pair, connection, privateData());
            ConnectionSetup setup = new ConnectionSetup(connections.settings, pair);
            setup.join(connection.to(), request);
            connections.now();
            accepted = made;
            pair.isFor(made);
            connection.accept(setup.reply(request).privateData(data));
            connections.managedByProgram();
            return made;
        }
    }

    @Override
    public void reject(byte... privateData) {
        Connections connections = listener.connections;
        try (var _ = connections.device.entry.enter()) {
            connections.now();
            Payload data =
                    ConnectionSetup.privateData(this, CmRej.PRIVATE_DATA_LENGTH, privateData);
            connection.reject(RejectReason.CONSUMER_DEFINED, data);
            connections.managedByProgram();
        }
    }

    @Override
    public void replied(CmRep reply) {
        throw new AssertionError("the passive side gets no reply");
    }

    @Override
    public void established() {
        if (accepted != null) {
            accepted.established();
        }
    }

    @Override
    public void failed(CmFailure why) {
        if (accepted != null) {
            accepted.failed(why);
        } else {
            listener.withdraw(this);
        }
    }

    @Override
    public void keepAliveDue() {
        if (accepted != null) {
            accepted.keepAliveDue();
        }
    }

    @Override
    public void disconnected() {
        if (accepted != null) {
            accepted.disconnected();
        }
    }

    @Override
    public String toString() {
        return ObjectNames.request(peer(), listener);
    }
}
