package dev.verbena.ibverbs;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.spi.AddressRules;
import dev.verbena.verbs.spi.ObjectRules;
import java.lang.foreign.Arena;

/// An address handle for datagrams; destroyed when the datagrams posted with it are done.
final class IbvAddressHandle implements AddressHandle, Lingering.Thing {
    private final IbvDomain domain;
    private final Address way;
    private final long handle;
    private volatile boolean closed;

    IbvAddressHandle(IbvDomain domain, Address way) {
        this.domain = domain;
        this.way = way;
        IbvContext context = domain.context;
        AddressRules.requireWay(domain, context.link, way, context.gids.size());
        try (Arena arena = Arena.ofConfined()) {
            long attr = arena.allocate(Structs.AhAttr.SIZE, Structs.POINTER).address();
            QueuePairCodec.write(attr, way, context);
            handle =
                    context.verbs.createAh(
                            domain.toString(),
                            IbvContext.ofAtMost(
                                    "an address handle for " + way.gid(),
                                    context.limits.addressHandles()),
                            domain.address,
                            attr);
        }
        domain.handles.add(this);
    }

    @Override
    public ProtectionDomain domain() {
        return domain;
    }

    @Override
    public Address address() {
        return way;
    }

    /// `struct ibv_ah`.
    long structure() {
        return handle;
    }

    @Override
    public boolean isBusy() {
        for (IbvQueuePair pair : domain.pairs) {
            if (pair.holds(this)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        domain.context.lock.lock();
        try {
            if (!closed) {
                closed = true;
                domain.context.lingering.end(this);
            }
        } finally {
            domain.context.lock.unlock();
        }
    }

    @Override
    public void end() {
        domain.context.verbs.destroyAh(handle);
        domain.handles.remove(this);
        domain.endIfEmpty();
    }

    void requireOpen() {
        if (closed) {
            throw ObjectRules.closed(this);
        }
    }

    @Override
    public String toString() {
        return "address handle for " + way.gid();
    }
}
