package dev.verbena.simulation.page;

import module dev.verbena.simulation;

import dev.verbena.verbs.Gid;
import java.time.Duration;
import java.util.Objects;

/// Every host sends a megabyte to the next one, all at the same time.
final class Shift {
    private static final Duration LIMIT = Duration.ofSeconds(1);
    private static final int BYTES = 1 << 20;

    public static void main(String[] args) {
        Fabric fabric = new Fabric(FatTree.threeTiers(4, 4).topology(), FabricSettings.ROCE);
        Simulation.Outcome outcome = new Simulation(fabric).everyHost(Shift::host).run();
        System.out.printf("over after %,d ns%n", outcome.time().toNanos());
    }

    private static void host(Host host) throws ConnectionFailedException {
        try (Device device = host.open();
                Listener listener = device.listen(7000, 1)) {
            CompletionQueue done = device.completionQueue(16);
            ProtectionDomain domain = device.protectionDomain();
            MemoryRegion memory = domain.allocate(2L * BYTES, Access.LOCAL_WRITE);
            QueuePair in = domain.queuePair(QueuePairType.RC, it -> it.completions(done));
            QueuePair out = domain.queuePair(QueuePairType.RC, it -> it.completions(done));
            in.receives().receive().local(memory, BYTES, BYTES).post();
            host.sleep(Duration.ofMillis(1)); // by then all of them listen
            Gid next = Gid.parse("10.0.0." + ((host.number() + 1) % host.hosts() + 1));
            Connection connection = device.connect(out, Address.to(next), 7000);
            Objects.requireNonNull(listener.await(LIMIT)).accept(in).await(LIMIT);
            connection.await(LIMIT);
            host.sleep(Duration.ofMillis(1)); // all of them are connected, and start together
            long startNs = host.nowNs();
            out.sends().send().local(memory, 0, BYTES).signaled().post();
            for (int ended = 0; ended < 2; ) { // ours was sent, and the other's is here
                ended += done.await(LIMIT, _ -> {});
            }
            System.out.printf("%s: %,d ns%n", host, host.nowNs() - startNs);
        }
    }
}
