package dev.verbena.cli.ibsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.subnet.ManagerRole;
import dev.verbena.subnet.ManagerSettings;
import dev.verbena.subnet.SubnetManager;
import dev.verbena.subnet.SweepReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A manager over UDP manages what a server simulates.
class SmClientTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();
    private static final int TIMEOUT_S = 30;

    private final IbsimServer server = start();
    private final Thread serving = Thread.ofPlatform().start(this::serve);

    private static IbsimServer start() {
        Fabric fabric = new Fabric(FatTree.twoTiers(2, 3, 2).topology(), FabricSettings.INFINIBAND);
        for (int port = 22_000; port < 60_000; port += 101) {
            IbsimOptions options =
                    new IbsimOptions(
                            new InetSocketAddress(HERE, port), 4, 1, 0, Long.MAX_VALUE / 4);
            try {
                return new IbsimServer(fabric, options, new PrintWriter(new StringWriter()));
            } catch (IOException taken) {
                // The next one may be free.
                assertThat(taken).isNotNull();
            }
        }
        throw new AssertionError("no port is free");
    }

    private void serve() {
        try {
            server.serve();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @AfterEach
    void end() throws IOException, InterruptedException {
        server.end();
        serving.join();
        server.close();
    }

    @Test
    void aSubnetComesUpAndFollowsACableThatIsPulled() throws Exception {
        LinkedBlockingQueue<SweepReport> reports = new LinkedBlockingQueue<>();
        SubnetManager manager = new SubnetManager(ManagerSettings.DEFAULT);
        try (SmClient client = new SmClient(server.address(), "", manager)) {
            Thread thread = Thread.ofPlatform().start(() -> manage(client, false, reports));
            SweepReport up = reports.poll(TIMEOUT_S, TimeUnit.SECONDS);
            assertThat(up).isNotNull();
            assertThat(up.hosts()).isEqualTo(6);
            assertThat(up.links()).isEqualTo(12);
            assertThat(up.failures()).isZero();

            // Cables of hosts come first.
            server.console("unplug 11 1000");
            SweepReport changed = up;
            while (changed != null && changed.links() == 12) {
                changed = reports.poll(TIMEOUT_S, TimeUnit.SECONDS);
            }
            assertThat(changed).isNotNull();
            assertThat(changed.links()).isEqualTo(11);
            assertThat(changed.isFull()).isFalse();
            client.end();
            thread.join();
        }
    }

    @Test
    void aManagerThatIsToEndOnceTheSubnetIsUpEndsWhereAnotherIsMaster() throws Exception {
        LinkedBlockingQueue<SweepReport> reports = new LinkedBlockingQueue<>();
        SubnetManager manager = new SubnetManager(ManagerSettings.DEFAULT);
        try (SmClient client = new SmClient(server.address(), "host 0", manager)) {
            Thread thread = Thread.ofPlatform().start(() -> manage(client, false, reports));
            assertThat(reports.poll(TIMEOUT_S, TimeUnit.SECONDS)).isNotNull();

            SubnetManager other = new SubnetManager(ManagerSettings.DEFAULT.withPriority(9));
            try (SmClient second = new SmClient(server.address(), "host 1", other)) {
                LinkedBlockingQueue<SweepReport> written = new LinkedBlockingQueue<>();
                Thread once = Thread.ofPlatform().start(() -> manage(second, true, written));
                boolean hasEnded = once.join(Duration.ofSeconds(TIMEOUT_S));
                second.end();
                assertThat(hasEnded).isTrue();
                assertThat(other.role()).isEqualTo(ManagerRole.STANDBY);
                assertThat(written).isEmpty();
            }
            client.end();
            thread.join();
        }
    }

    private static void manage(
            SmClient client, boolean isOnce, LinkedBlockingQueue<SweepReport> reports) {
        try {
            client.run(isOnce, reports::add);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Test
    void aNodeThatDoesNotExistIsRefused() {
        assertThatThrownBy(
                        () ->
                                new SmClient(
                                        server.address(),
                                        "nowhere",
                                        new SubnetManager(ManagerSettings.DEFAULT)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is the node's name right");
    }
}
