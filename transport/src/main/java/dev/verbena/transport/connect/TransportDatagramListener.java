package dev.verbena.transport.connect;

import dev.verbena.transport.cm.SidrInquiry;
import dev.verbena.transport.cm.SidrService;
import dev.verbena.verbs.DatagramListener;
import dev.verbena.verbs.spi.ObjectNames;
import dev.verbena.wire.Pkey;
import dev.verbena.wire.mad.CmSidrReq;
import dev.verbena.wire.mad.RdmaCmHeader;
import dev.verbena.wire.mad.ServiceId;
import dev.verbena.wire.mad.SidrStatus;

/// Keeps questions for a datagram queue pair until the program takes them.
final class TransportDatagramListener extends Backlog<TransportDatagramRequest>
        implements DatagramListener, SidrService {
    TransportDatagramListener(Connections connections, int port, int backlog) {
        super(connections, port, backlog);
    }

    @Override
    public boolean asked(SidrInquiry inquiry, CmSidrReq request) {
        if (!RdmaCmHeader.of(request.privateData()).isSupported()) {
            inquiry.refuse(SidrStatus.UNSUPPORTED_VERSION);
            return false;
        }
        int partition = connections.settings.port.now().partitionKey(0);
        if (!Pkey.match(partition, request.pkey()) || !hasRoom()) {
            return false;
        }
        add(new TransportDatagramRequest(this, inquiry, request));
        return true;
    }

    @Override
    public void withdrawn(SidrInquiry inquiry) {
        forget(it -> it.isOf(inquiry));
    }

    @Override
    void unlisten() {
        connections.machine().datagrams().unlisten(ServiceId.ofUdp(port));
        connections.settings.driver.released(ServiceId.ofUdp(port));
        connections.device.reach(-1);
    }

    @Override
    void reject(TransportDatagramRequest request) {
        request.reject();
    }

    @Override
    public String toString() {
        return ObjectNames.datagramPort(connections.device.name, port);
    }
}
