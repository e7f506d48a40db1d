package dev.verbena.manager;

import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.fabric.manage.MadEnvelope;
import dev.verbena.fabric.manage.ManagementPort;
import dev.verbena.subnet.DatagramSink;
import dev.verbena.subnet.ManagerSettings;
import dev.verbena.subnet.RouteRunner;
import dev.verbena.subnet.SubnetManager;
import dev.verbena.subnet.state.Command;
import dev.verbena.subnet.state.SubnetState;
import dev.verbena.wire.mad.Mad;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/// Takes over a small subnet in memory, some times. A manager does this before it waits: the
/// classes are loaded then, and compiled in part, so that a real takeover does not have to wait for
/// it.
final class Practice {
    private static final int HOSTS = 24;
    private static final int RADIX = 8;
    private static final int TERMS = 6;
    private static final int TURNS_MAX = 1_000_000;

    private record Incoming(int lid, int pair, MemorySegment mad) {}

    private final ArrayDeque<Incoming> inbox = new ArrayDeque<>();
    private final ManagementPort port;

    private Practice() {
        Fabric fabric =
                new Fabric(FatTree.ofRadix(HOSTS, RADIX, 1).topology(), FabricSettings.INFINIBAND);
        port = fabric.subnet().port(0);
        port.receiver(
                (envelope, mad) ->
                        inbox.add(
                                new Incoming(
                                        envelope.sourceLid(),
                                        envelope.sourceQueuePair(),
                                        MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL])
                                                .copyFrom(mad))));
    }

    /// Takes over, in terms one after the other.
    ///
    /// @return terms in which the subnet came up
    static int run(ManagerSettings settings, RouteRunner runner) {
        Practice practice = new Practice();
        SubnetState state = new SubnetState();
        int good = 0;
        for (int term = 1; term <= TERMS; term++) {
            state.apply(new Command.BeginTerm(term, term));
            SubnetManager manager =
                    new SubnetManager(
                            settings,
                            runner,
                            state,
                            (command, applied) -> applied.accept(state.apply(command)));
            manager.start(0);
            practice.exchange(manager);
            good += manager.pollReport().map(it -> it.failures() == 0).orElse(false) ? 1 : 0;
        }
        return good;
    }

    private void exchange(SubnetManager manager) {
        boolean hasMore = true;
        for (int turn = 0; hasMore && turn < TURNS_MAX; turn++) {
            hasMore = manager.transmit(0, this::send);
            while (!inbox.isEmpty()) {
                Incoming next = inbox.remove();
                manager.handle(0, next.lid, next.pair, next.mad);
                hasMore = true;
            }
        }
    }

    private void send(int lid, int pair, MemorySegment mad) {
        port.send(
                lid == DatagramSink.DIRECTED
                        ? MadEnvelope.DIRECTED
                        : new MadEnvelope(lid, 0, pair, pair == 0 ? 0 : 1),
                mad);
    }
}
