package dev.verbena.transport;

import dev.verbena.transport.cm.SidrInquiry;
import dev.verbena.verbs.DatagramRequest;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.WrongStateException;
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
        TransportDevice device = listener.device;
        Engine engine = device.engine();
        try (var _ = engine.door.enter()) {
            if (!inquiry.isOpen()) {
                throw new WrongStateException(
                        toString(), "it is over, or was answered", "wait for the next request");
            }
            TransportQueuePair pair = device.own(queuePair);
            if (pair.type() != QueuePairType.UD) {
                throw new InvalidRequestException(
                        toString(),
                        "it is for datagrams, and " + pair + " is " + pair.type(),
                        "make a queue pair of type UD");
            }
            if (!pair.state().answers()) {
                throw new WrongStateException(
                        pair.toString(),
                        "it is in " + pair.state().symbol() + " and receives nothing",
                        "activate it before naming it to peers");
            }
            Payload data = data(privateData);
            engine.services.now();
            inquiry.accept(pair.number(), pair.queueKey, data);
            device.managedByProgram();
        }
    }

    @Override
    public void reject(byte... privateData) {
        Engine engine = listener.device.engine();
        try (var _ = engine.door.enter()) {
            Payload data = data(privateData);
            engine.services.now();
            inquiry.reject(data);
            listener.device.managedByProgram();
        }
    }

    private Payload data(byte[] privateData) {
        return ConnectionSetup.privateData(this, CmSidrRep.PRIVATE_DATA_LENGTH, privateData);
    }

    @Override
    public String toString() {
        return "request of " + peer() + " for " + listener;
    }
}
