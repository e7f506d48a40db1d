package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/// Connections by the connection manager over real sockets, as many as a busy server has.
class ManyConnectionsTest {
    private static final int PORT = 7471;
    private static final int CONNECTIONS = 10_000;

    /// What a small receive buffer holds.
    private static final int AT_A_TIME = 64;

    private static final double RATE_LEAST = 1000;
    private static final long LIMIT_NS = 120_000_000_000L;

    private record End(Device device, ProtectionDomain domain, CompletionQueue queue) {
        static End at(String uri) {
            Device device = Devices.open(uri);
            return new End(device, device.protectionDomain(), device.completionQueue(16));
        }

        QueuePair pair() {
            return domain.queuePair(
                    QueuePairType.RC, it -> it.completions(queue).sendDepth(1).receiveDepth(1));
        }
    }

    @Test
    void tenThousandAreMadeHeldAndEnded() {
        End client = End.at("roce://127.7.5.1");
        End server = End.at("roce://127.7.5.2");
        List<Connection> held = new ArrayList<>();
        try (client.device;
                server.device;
                Listener listener = server.device.listen(PORT, 2 * AT_A_TIME)) {
            long startNs = System.nanoTime();
            connect(client, server, listener, held);
            double rate = CONNECTIONS / ((System.nanoTime() - startNs) / 1e9);
            System.out.printf("%,d connections, %,.0f connects/s%n", CONNECTIONS, rate);

            assertThat(held).hasSize(2 * CONNECTIONS);
            assertThat(held).allMatch(it -> it.state() == Connection.State.ESTABLISHED);
            assertThat(rate).as("connects/s").isGreaterThan(RATE_LEAST);
            end(client, server, held);
        }
    }

    private static void connect(End client, End server, Listener listener, List<Connection> held) {
        Address there = Address.to(server.device.gids(1).getFirst());
        Deque<Connection> pending = new ArrayDeque<>();
        int[] begun = {0};
        drive(
                client,
                server,
                () -> {
                    while (begun[0] < CONNECTIONS && pending.size() < AT_A_TIME) {
                        begun[0]++;
                        Connection made = client.device.connect(client.pair(), there, PORT);
                        pending.add(made);
                        held.add(made);
                    }
                    ConnectionRequest request = listener.poll();
                    while (request != null) {
                        held.add(request.accept(server.pair()));
                        request = listener.poll();
                    }
                    pending.removeIf(it -> it.state() != Connection.State.CONNECTING);
                    return begun[0] == CONNECTIONS
                            && pending.isEmpty()
                            && held.size() == 2 * CONNECTIONS
                            && held.stream()
                                    .allMatch(it -> it.state() != Connection.State.CONNECTING);
                });
    }

    private static void end(End client, End server, List<Connection> held) {
        Deque<Connection> active = new ArrayDeque<>(held);
        drive(
                client,
                server,
                () -> {
                    for (int i = 0; i < AT_A_TIME && !active.isEmpty(); i++) {
                        active.remove().disconnect();
                    }
                    return active.isEmpty();
                });
        drive(
                client,
                server,
                () -> held.stream().allMatch(it -> it.state() == Connection.State.DISCONNECTED));
    }

    private static void drive(End client, End server, BooleanSupplier until) {
        long endNs = System.nanoTime() + LIMIT_NS;
        while (!until.getAsBoolean()) {
            client.device.progress();
            server.device.progress();
            assertThat(System.nanoTime()).as("the time until it must be done").isLessThan(endNs);
        }
    }
}
