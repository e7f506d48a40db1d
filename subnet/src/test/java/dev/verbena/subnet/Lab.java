package dev.verbena.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fabric.manage.MadEnvelope;
import dev.verbena.fabric.manage.ManagementPort;
import dev.verbena.fabric.manage.Subnet;
import dev.verbena.fabric.manage.SubnetSettings;
import dev.verbena.wire.mad.Mad;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// A manager on host 0 of a network whose nodes have agents.
final class Lab {
    private static final int STEPS_MAX = 100_000;
    private static final long SENT_MAX = 1_000_000;

    private record Incoming(int sourceLid, int sourcePair, MemorySegment mad) {}

    final PlainPlane plane;
    final Subnet subnet;
    final ManagementPort port;
    SubnetManager manager;
    private final ArrayDeque<Incoming> inbox = new ArrayDeque<>();
    private UnaryOperator<MemorySegment> tamper = mad -> mad;
    private Consumer<MemorySegment> watch = _ -> {};
    private Optional<SweepReport> last = Optional.empty();
    private int reports;
    long sent;
    private long sentBefore;

    Lab(PlainPlane plane, ManagerSettings settings) {
        this.plane = plane;
        subnet = new Subnet(plane, SubnetSettings.DEFAULT);
        port = subnet.port(0);
        port.receiver(
                (envelope, mad) -> {
                    MemorySegment copy = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
                    copy.copyFrom(mad);
                    inbox.add(new Incoming(envelope.sourceLid(), envelope.sourceQueuePair(), copy));
                    return true;
                });
        manager = new SubnetManager(settings);
    }

    /// Changes, or drops by an empty segment, each datagram that comes to the manager.
    void tamper(UnaryOperator<MemorySegment> change) {
        tamper = change;
    }

    /// Sees each datagram of the manager.
    void onSent(Consumer<MemorySegment> watcher) {
        watch = watcher;
    }

    /// Another manager in the place of this one, which knows nothing.
    void replace(ManagerSettings settings) {
        manager = new SubnetManager(settings);
    }

    SweepReport bringUp() {
        manager.start(plane.nowNs());
        return settle();
    }

    /// Runs until the manager has no work, and returns its last report.
    SweepReport settle() {
        last = Optional.empty();
        reports = 0;
        plane.advance(plane.nowNs());
        exchange();
        for (int step = 0; !manager.isIdle(); step++) {
            assertThat(step).as("steps until there is no work").isLessThan(STEPS_MAX);
            long next = Math.min(manager.timeoutNs(), plane.nextActionNs());
            assertThat(next).as("time of the next step").isNotEqualTo(Long.MAX_VALUE);
            plane.advance(next);
            manager.handleTimeout(plane.nowNs());
            exchange();
        }
        return last.orElseThrow(() -> new AssertionError("a report"));
    }

    int reports() {
        return reports;
    }

    SweepReport last() {
        return last.orElseThrow(() -> new AssertionError("a report"));
    }

    /// Lets time pass, with traps and timeouts in it.
    void pass(long untilNs) {
        exchange();
        while (Math.min(manager.timeoutNs(), plane.nextActionNs()) <= untilNs) {
            plane.advance(Math.min(manager.timeoutNs(), plane.nextActionNs()));
            manager.handleTimeout(plane.nowNs());
            exchange();
        }
        plane.advance(untilNs);
    }

    void exchange() {
        boolean hasMore = true;
        sentBefore = sent;
        while (hasMore) {
            assertThat(sent - sentBefore).as("datagrams without a pause").isLessThan(SENT_MAX);
            hasMore = manager.transmit(plane.nowNs(), this::send);
            while (!inbox.isEmpty()) {
                hasMore = true;
                Incoming next = inbox.remove();
                MemorySegment mad = tamper.apply(next.mad);
                if (mad.byteSize() > 0) {
                    manager.handle(plane.nowNs(), next.sourceLid, next.sourcePair, mad);
                }
            }
        }
        for (Optional<SweepReport> next = manager.pollReport();
                next.isPresent();
                next = manager.pollReport()) {
            last = next;
            reports++;
        }
    }

    private void send(int lid, int pair, MemorySegment mad) {
        sent++;
        watch.accept(mad);
        port.send(
                lid == DatagramSink.DIRECTED
                        ? MadEnvelope.DIRECTED
                        : new MadEnvelope(lid, 0, pair, pair == 0 ? 0 : 1),
                mad);
    }

    /// Pulls a cable or plugs it in; agents send their traps when time passes.
    void plug(int cable, boolean isIn) {
        plane.plug(cable, isIn);
        int[] ends = plane.cables.get(cable);
        subnet.cableChanged(ends[0], ends[1]);
    }
}
