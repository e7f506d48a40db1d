package dev.verbena.transport;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.ProtectionDomain;

/// A hold on a path, for datagrams.
final class TransportAddressHandle implements AddressHandle {
    private final TransportDomain domain;
    private final Path path;
    private boolean closed;

    TransportAddressHandle(TransportDomain domain, Path path) {
        this.domain = domain;
        this.path = path;
    }

    @Override
    public ProtectionDomain domain() {
        return domain;
    }

    @Override
    public Address address() {
        return path.address();
    }

    int way() {
        return path.index();
    }

    void requireOpen() {
        if (closed) {
            throw new ClosedException(toString(), "it was closed", "use it before closing it");
        }
    }

    @Override
    public void close() {
        try (var _ = domain.engine().door.enter()) {
            if (!closed) {
                closed = true;
                PathTable paths = domain.engine().paths;
                paths.release(path.index());
                paths.removeHandle();
            }
        }
    }

    @Override
    public String toString() {
        Address to = path.address();
        return "address handle to lid %d, gid %s".formatted(to.lid(), to.gid());
    }
}
