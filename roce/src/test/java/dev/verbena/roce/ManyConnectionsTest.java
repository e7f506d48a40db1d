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
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Connections by the connection manager over real sockets, as many as a busy server has.
@Tag("long")
class ManyConnectionsTest {
    private static final int PORT = 7471;
    private static final int CONNECTIONS = 10_000;

    /// What a small receive buffer holds.
    private static final int AT_A_TIME = 64;

    /// Parts of the run whose times are compared.
    private static final int PARTS = 20;

    /// A connection must not cost more because others are there. The median of the later parts is
    /// compared with that of the earlier ones, which have the cold code.
    private static final double SLOWER_MOST = 4;

    /// Of each connection: REQ and RTU of the client.
    private static final long MESSAGES = 2;

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
        End client = End.at("roce://" + TestAddresses.ipv4());
        End server = End.at("roce://" + TestAddresses.ipv4());
        List<Connection> held = new ArrayList<>();
        try (client.device;
                server.device;
                Listener listener = server.device.listen(PORT, 2 * AT_A_TIME)) {
            long[] marksNs = connect(client, server, listener, held);
            double rate = CONNECTIONS / ((marksNs[PARTS] - marksNs[0]) / 1e9);
            double slower = medianOfPart(marksNs, PARTS / 2) / medianOfPart(marksNs, 0);
            // A message is sent again when there is no answer in a second: a busy machine has some.
            long sent = client.device.counters().getOrDefault("mad_sent", 0L);
            long repeated = sent - MESSAGES * CONNECTIONS;
            System.out.printf(
                    "%,d connections, %,.0f connects/s, later ones take %.2f times as long,"
                            + " %d messages sent again%n",
                    CONNECTIONS, rate, slower, repeated);

            assertThat(held).hasSize(2 * CONNECTIONS);
            assertThat(held).allMatch(it -> it.state() == Connection.State.ESTABLISHED);
            assertThat(slower).as("later connections to earlier ones").isLessThan(SLOWER_MOST);
            assertThat(repeated).as("messages that were sent again").isNotNegative();
            end(client, server, held);
        }
    }

    /// Makes the connections; returns when it began each part of them, and the end of the last.
    private static long[] connect(
            End client, End server, Listener listener, List<Connection> held) {
        long[] marksNs = new long[PARTS + 1];
        Address there = Address.to(server.device.gids(1).getFirst());
        Deque<Connection> pending = new ArrayDeque<>();
        int[] begun = {0};
        drive(
                client,
                server,
                () -> {
                    while (begun[0] < CONNECTIONS && pending.size() < AT_A_TIME) {
                        if (begun[0] % (CONNECTIONS / PARTS) == 0) {
                            marksNs[begun[0] / (CONNECTIONS / PARTS)] = System.nanoTime();
                        }
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
        marksNs[PARTS] = System.nanoTime();
        return marksNs;
    }

    /// The median time of half of the parts, from the given one on.
    private static double medianOfPart(long[] marksNs, int first) {
        long[] took = new long[PARTS / 2];
        for (int i = 0; i < took.length; i++) {
            took[i] = marksNs[first + i + 1] - marksNs[first + i];
        }
        Arrays.sort(took);
        return took[took.length / 2];
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
