package dev.verbena.ibverbs;

import dev.verbena.verbs.DatagramListener;
import dev.verbena.verbs.DatagramRequest;
import dev.verbena.verbs.spi.ObjectNames;

/// Keeps questions for a datagram queue pair until the program takes them.
final class IbvDatagramListener extends Backlog<DatagramRequest> implements DatagramListener {
    IbvDatagramListener(Connections home, int port, int backlog) {
        super(home, port, backlog);
    }

    @Override
    DatagramRequest request(CmId id, CmEvent event) {
        return new IbvDatagramRequest(this, id, event);
    }

    @Override
    void reject(DatagramRequest request) {
        request.reject();
    }

    @Override
    public String toString() {
        return ObjectNames.datagramPort(device.name(), port);
    }
}
