package dev.verbena.transport.path;

import dev.verbena.transport.carrier.Path;
import dev.verbena.transport.common.GuardedEntry;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.spi.ObjectRules;

/// A hold on a path, for datagrams.
public final class TransportAddressHandle implements AddressHandle {
    private final ProtectionDomain domain;
    private final GuardedEntry entry;
    private final PathTable paths;
    private final Path path;
    private boolean closed;

    public TransportAddressHandle(
            ProtectionDomain domain, GuardedEntry entry, PathTable paths, Path path) {
        this.domain = domain;
        this.entry = entry;
        this.paths = paths;
        this.path = path;
    }

    @Override
    public ProtectionDomain domain() {
        return domain;
    }

    public boolean isIn(ProtectionDomain other) {
        return domain.equals(other);
    }

    @Override
    public Address address() {
        return path.address();
    }

    public int path() {
        return path.index();
    }

    public void requireOpen() {
        if (closed) {
            throw ObjectRules.closed(this);
        }
    }

    @Override
    public void close() {
        try (var _ = entry.enter()) {
            if (!closed) {
                closed = true;
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
