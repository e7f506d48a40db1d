package example.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.fabric.FlowRun;
import dev.verbena.fabric.Patterns;
import dev.verbena.fabric.RoundTrip;
import dev.verbena.fabric.Topology;
import dev.verbena.transport.TransportOptions;
import dev.verbena.transport.control.ControlChoice;
import dev.verbena.transport.control.ControlFacts;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// The same controller on sockets and on a simulated fabric.
class VegasTest {
    private static final int SENDERS = 8;
    private static final int BYTES = 16_000_000;
    private static final Topology NETWORK = FatTree.single(SENDERS + 1).topology();

    private static Fabric incast(Consumer<TransportOptions> options) {
        Fabric fabric = new Fabric(NETWORK, FabricSettings.ROCE);
        FlowRun run = new FlowRun(fabric, Patterns.incast(SENDERS + 1, SENDERS, BYTES), options);
        assertTrue(run.run(1_000_000_000_000L), "all flows are over");
        return fabric;
    }

    @Test
    void itKeepsTheLineBusyWithoutPausesInASimulatedIncast() {
        Fabric alone = incast(it -> it.windowPackets(1 << 20));
        ControlFacts line =
                new ControlFacts(
                        400_000_000_000L, 4096, RoundTrip.ns(NETWORK, FabricSettings.ROCE));
        ControlChoice vegas = ControlChoice.named("vegas", line, Map.of());
        Fabric controlled = incast(it -> it.control(vegas).windowPackets(1 << 20));

        assertTrue(alone.counts().pauses() > 0, "without control the switch pauses hosts");
        assertEquals(0, controlled.counts().pauses());
        assertTrue(controlled.nowPs() < alone.nowPs() * 1.1, "at most 10 % longer");
    }

    @Test
    void itControlsAQueuePairOverSockets() {
        long before = Vegas.ACKNOWLEDGEMENTS.get();
        String options = "?cc=vegas&rp_max_rate=10000&rtt=50&progress=caller";
        try (Device left = Devices.open("roce://127.0.0.1:14791" + options);
                Device right = Devices.open("roce://127.0.0.2:14791" + options)) {
            ProtectionDomain here = left.protectionDomain();
            ProtectionDomain there = right.protectionDomain();
            CompletionQueue done = left.completionQueue(16);
            QueuePair near = here.queuePair(QueuePairType.RC, it -> it.completions(done));
            QueuePair far =
                    there.queuePair(
                            QueuePairType.RC,
                            it ->
                                    it.completions(right.completionQueue(16))
                                            .access(Set.of(Access.REMOTE_WRITE)));
            near.connect(far.endpoint());
            far.connect(near.endpoint());
            MemoryRegion source = here.allocate(1 << 20);
            MemoryRegion target =
                    there.allocate(1 << 20, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            source.segment().set(ValueLayout.JAVA_BYTE, (1 << 20) - 1, (byte) 7);
            near.post(it -> it.write(source.slice(), target.remote()).signaled());
            long endNs = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (done.poll(1, it -> assertTrue(it.isSuccess(), it.toString())) == 0) {
                right.progress();
                assertTrue(System.nanoTime() < endNs, "the WRITE is over within 30 s");
            }
            assertEquals(7, target.segment().get(ValueLayout.JAVA_BYTE, (1 << 20) - 1));
        }
        assertTrue(Vegas.ACKNOWLEDGEMENTS.get() > before, "vegas has seen acknowledgements");
    }
}
