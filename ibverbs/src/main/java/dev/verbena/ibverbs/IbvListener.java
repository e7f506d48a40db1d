package dev.verbena.ibverbs;

import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Listener;

/// Keeps requests until the program takes them.
final class IbvListener extends Backlog<ConnectionRequest> implements Listener {
    IbvListener(Connections home, int port, int backlog) {
        super(home, port, backlog);
    }

    @Override
    ConnectionRequest request(CmId id, CmEvent event) {
        return new IbvConnectionRequest(this, id, event);
    }

    @Override
    void reject(ConnectionRequest request) {
        request.reject();
    }

    @Override
    public String toString() {
        return device.name() + " port " + port;
    }
}
