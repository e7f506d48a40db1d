package dev.verbena.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cli.ibsim.IbsimOptions;
import dev.verbena.cli.ibsim.IbsimPort;
import dev.verbena.cli.ibsim.IbsimServer;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.subnet.ManagerSettings;
import dev.verbena.subnet.RouteRunner;
import dev.verbena.subnet.SweepReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Three managers of one subnet, in threads, over sockets.
@Timeout(120)
class ManagersTest {
    private static final int HOSTS = 8;
    private static final int MANAGERS = 3;

    @TempDir private Path place;

    private final Fabric fabric =
            new Fabric(FatTree.ofRadix(HOSTS, 8, 1).topology(), FabricSettings.INFINIBAND);
    private final SubnetWatch watch = new SubnetWatch(fabric.subnet(), HOSTS);
    private final List<ManagerRun> runs = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    private Thread serving = Thread.currentThread();

    /// What one manager says.
    private static final class Silent implements ManagerRun.Listener {
        @Override
        public void waits(String why) {}

        @Override
        public void leads(long term) {}

        @Override
        public void reports(long term, SweepReport report) {}
    }

    private IbsimServer serve(int port) throws IOException {
        IbsimServer server =
                new IbsimServer(
                        fabric,
                        new IbsimOptions(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                                64,
                                1,
                                0,
                                Long.MAX_VALUE / 4),
                        new PrintWriter(Writer.nullWriter()));
        server.watch(watch::look);
        serving = start("subnet", server::serve);
        return server;
    }

    /// Work that may fail at its sockets.
    private interface Work {
        void run() throws IOException;
    }

    private static Thread start(String name, Work work) {
        return Thread.ofPlatform()
                .daemon()
                .name(name)
                .start(
                        () -> {
                            try {
                                work.run();
                            } catch (IOException ended) {
                                throw new UncheckedIOException(ended);
                            }
                        });
    }

    private void manage(InetSocketAddress server, List<Member> members, int number)
            throws IOException {
        IbsimPort port = new IbsimPort(server, "host " + 3 * number, true);
        AtomicReference<Runnable> news = new AtomicReference<>(port::wakeUp);
        Member own = members.get(number);
        Replica replica =
                new Replica(
                        members, own.id(), 0, place.resolve(own.id()), 300, () -> news.get().run());
        ManagerRun run =
                new ManagerRun(
                        replica, port, ManagerSettings.DEFAULT, RouteRunner.IN_PLACE, new Silent());
        runs.add(run);
        replica.start();
        threads.add(start("manager " + number, run::run));
    }

    private void end(int number) throws IOException, InterruptedException {
        runs.get(number).end();
        threads.get(number).join(30_000);
        runs.get(number).close();
    }

    @Test
    void anotherManagerGoesOnWithAllThatHostsAskedFor() throws Exception {
        try (IbsimServer server = serve(Failover.freeBlock())) {
            List<Member> members = Cluster.members(MANAGERS);
            for (int i = 0; i < MANAGERS; i++) {
                manage(server.address(), members, i);
            }
            watch.awaitWhole(SubnetWatch.NO_MANAGER);
            Cluster.await("a whole subnet", () -> watch.wholeNs() != 0);
            int leader = watch.leader();
            try (HostClient host = new HostClient(server.address(), "host 5")) {
                assertThat(host.join(1)).isTrue();
                assertThat(host.offer(2)).isTrue();
                assertThat(host.subscribe()).isTrue();
                end(leader);
                watch.awaitWhole(leader);
                Cluster.await("a whole subnet of another", () -> watch.wholeNs() != 0);
                assertThat(host.isMember(1)).isTrue();
                assertThat(host.isOffered(2)).isTrue();
                assertThat(host.isSubscribed()).isTrue();
                assertThat(host.isOffered(3)).isFalse();
            }
            assertThat(watch.violations()).isEmpty();
            for (int i = 0; i < MANAGERS; i++) {
                if (i != leader) {
                    end(i);
                }
            }
            server.end();
            serving.join(30_000);
        }
    }
}
