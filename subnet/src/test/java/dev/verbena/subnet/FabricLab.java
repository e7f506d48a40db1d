package dev.verbena.subnet;

import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.manage.MadEnvelope;
import dev.verbena.fabric.manage.ManagementPort;
import dev.verbena.wire.mad.Mad;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Optional;

/// A manager on a host of a simulated fabric, in which data flows.
final class FabricLab {
    private static final long PS_PER_NS = 1_000;

    private record Incoming(int lid, int pair, MemorySegment mad) {}

    final Fabric fabric;
    private final ManagementPort port;
    private final ArrayDeque<Incoming> inbox = new ArrayDeque<>();
    private final ArrayDeque<MemorySegment> free = new ArrayDeque<>();
    private SubnetManager manager;
    private long agentsNs;

    FabricLab(Fabric fabric, SubnetManager manager) {
        this(fabric, manager, 0);
    }

    FabricLab(Fabric fabric, SubnetManager manager, int host) {
        this.fabric = fabric;
        this.manager = manager;
        port = fabric.subnet().port(host);
        port.receiver(
                (envelope, mad) -> {
                    MemorySegment known = free.poll();
                    MemorySegment copy =
                            known == null
                                    ? MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL])
                                    : known;
                    copy.copyFrom(mad);
                    inbox.add(new Incoming(envelope.sourceLid(), envelope.sourceQueuePair(), copy));
                    return true;
                });
    }

    SubnetManager manager() {
        return manager;
    }

    void replace(SubnetManager other) {
        manager = other;
    }

    long nowNs() {
        return fabric.nowPs() / PS_PER_NS;
    }

    /// Time that agents and the ways to them took, by the clock of the machine.
    long agentsNs() {
        return agentsNs;
    }

    Optional<SweepReport> bringUp() {
        manager.start(nowNs());
        return exchange();
    }

    /// Sends and takes datagrams until there are none.
    Optional<SweepReport> exchange() {
        boolean hasMore = true;
        while (hasMore) {
            hasMore = manager.transmit(nowNs(), this::send);
            while (!inbox.isEmpty()) {
                Incoming next = inbox.remove();
                manager.handle(nowNs(), next.lid, next.pair, next.mad);
                free.add(next.mad);
                hasMore = true;
            }
        }
        return manager.pollReport();
    }

    /// Does what is due, and exchanges datagrams.
    void work() {
        if (manager.timeoutNs() <= nowNs()) {
            manager.handleTimeout(nowNs());
        }
        exchange();
    }

    private void send(int lid, int pair, MemorySegment mad) {
        long start = System.nanoTime();
        port.send(
                lid == DatagramSink.DIRECTED
                        ? MadEnvelope.DIRECTED
                        : new MadEnvelope(lid, 0, pair, pair == 0 ? 0 : 1),
                mad);
        agentsNs += System.nanoTime() - start;
    }
}
