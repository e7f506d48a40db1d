package dev.verbena.transport.connect;

import dev.verbena.transport.cm.SidrInquiry;
import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.verbs.DatagramRequest;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.spi.ConnectionRules;
import dev.verbena.verbs.spi.ObjectNames;
import dev.verbena.wire.Payload;
import dev.verbena.wire.mad.CmSidrRep;
import dev.verbena.wire.mad.CmSidrReq;
import dev.verbena.wire.mad.RdmaCmHeader;

/// A question for a datagram queue pair that waits for the program's word.
final class TransportDatagramRequest implements DatagramRequest {
    private final TransportDatagramListener listener;
    private final SidrInquiry inquiry;
    private final CmSidrReq request;

    TransportDatagramRequest(
            TransportDatagramListener listener, SidrInquiry inquiry, CmSidrReq request) {
        this.listener = listener;
        this.inquiry = inquiry;
        this.request = request;
    }

    boolean isOf(SidrInquiry other) {
        return inquiry == other;
    }

    @Override
    public Gid peer() {
        return inquiry.to().gid();
    }

    @Override
    public int peerPort() {
        return RdmaCmHeader.of(request.privateData()).sourcePort();
    }

    @Override
    public byte[] privateData() {
        return RdmaCmHeader.consumerData(request.privateData()).toArray();
    }

    @Override
    public void accept(QueuePair queuePair, byte... privateData) {
        Connections connections = listener.connections;
        try (var _ = connections.device.entry.enter()) {
            ConnectionRules.requireUnanswered(this, inquiry.isOpen());
            QueuePairCore pair = connections.own(queuePair);
            ConnectionRules.requireDatagrams(this, pair);
            ConnectionRules.requireActive(pair);
            Payload data = data(privateData);
            connections.now();
            inquiry.accept(pair.number(), pair.settings().queueKey(), data);
            connections.managedByProgram();
        }
    }

    @Override
    public void reject(byte... privateData) {
        Connections connections = listener.connections;
        try (var _ = connections.device.entry.enter()) {
            Payload data = data(privateData);
            connections.now();
            inquiry.reject(data);
            connections.managedByProgram();
        }
    }

    private Payload data(byte[] privateData) {
        return ConnectionSetup.privateData(this, CmSidrRep.PRIVATE_DATA_LENGTH, privateData);
    }

    @Override
    public String toString() {
        return ObjectNames.request(peer(), listener);
    }
}
