package dev.verbena.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Many connections over a network that loses a fifth of all packets, by seed: whatever is lost,
/// both sides come to the same end, and nothing is left when all timers are over.
class ConnectionCampaignTest {
    private static final Seed SEED = Seed.forTest("ConnectionCampaignTest", 5);
    private static final int PORT = 7471;

    /// Connects at the scale of 1; `-Dcampaign=5`, as CI runs it, makes 100,000.
    private static final int CONNECTS = 20_000;

    private static final int AT_A_TIME = 100;

    /// Longer than all attempts of any message take together.
    private static final Duration ALL_TIMERS = Duration.ofSeconds(200);

    private final SplittableRandom random = new SplittableRandom(SEED.value());
    private final Map<Connection.State, Integer> ends = new EnumMap<>(Connection.State.class);
    private int rejected;
    private int abandoned;
    private int bothAtOnce;

    /// One end of what is to become a connection.
    private record Node(TransportDevice device, ProtectionDomain domain, CompletionQueue queue) {
        static Node on(TransportDevice device) {
            return new Node(device, device.protectionDomain(), device.completionQueue(16));
        }

        QueuePair pair() {
            return domain.queuePair(
                    QueuePairType.RC, it -> it.completions(queue).sendDepth(1).receiveDepth(1));
        }
    }

    @Test
    void noHalfOpenConnectionSurvivesItsTimers() {
        long connects = Math.max(AT_A_TIME, Seed.campaign(CONNECTS));
        try (VirtualNetwork network = HostileNetwork.of(SEED.value())) {
            Node left = Node.on(network.open("left"));
            Node right = Node.on(network.open("right"));
            try (Listener atLeft = left.device.listen(PORT, 2 * AT_A_TIME);
                    Listener atRight = right.device.listen(PORT, 2 * AT_A_TIME)) {
                for (long done = 0; done < connects; done += AT_A_TIME) {
                    round(network, left, right, atLeft, atRight);
                }
            }
        }
        System.out.printf(
                "connections: %,d connects, %s, %,d rejected, %,d abandoned, %,d ended by both%n",
                connects, ends, rejected, abandoned, bothAtOnce);
        assertThat(rejected).isPositive();
        assertThat(abandoned).isPositive();
        assertThat(bothAtOnce).isPositive();
        assertThat(ends.getOrDefault(Connection.State.ESTABLISHED, 0)).isPositive();
    }

    private void round(
            VirtualNetwork network, Node left, Node right, Listener atLeft, Listener atRight) {
        List<QueuePair> pairs = new ArrayList<>();
        Map<Integer, Connection> active = new HashMap<>();
        Map<Integer, List<Connection>> passive = new HashMap<>();
        for (int i = 0; i < AT_A_TIME; i++) {
            boolean fromLeft = random.nextBoolean();
            Node from = fromLeft ? left : right;
            Node to = fromLeft ? right : left;
            QueuePair pair = from.pair();
            pairs.add(pair);
            Address there = Address.to(to.device.gids(1).getFirst());
            byte[] tag = {(byte) i};
            active.put(i, from.device.connect(pair, there, PORT, tag));
            if (random.nextInt(20) == 0) {
                // Given up while the request may be under way.
                network.advance(Duration.ofNanos(random.nextLong(20_000)));
                active.get(i).disconnect();
                abandoned++;
            }
        }
        // The program answers late, and goes on answering until all timers are over.
        for (long leftNs = ALL_TIMERS.toNanos(); leftNs > 0; ) {
            answer(atLeft, left, pairs, passive);
            answer(atRight, right, pairs, passive);
            long stepNs = 1 + random.nextLong(2_000_000_000L);
            network.advance(Duration.ofNanos(stepNs));
            leftNs -= stepNs;
        }
        agree(network, active, passive);
        pairs.forEach(QueuePair::close);
        network.advance(ALL_TIMERS);
    }

    private void answer(
            Listener listener,
            Node node,
            List<QueuePair> pairs,
            Map<Integer, List<Connection>> passive) {
        for (ConnectionRequest next = listener.poll(); next != null; next = listener.poll()) {
            if (random.nextInt(10) == 0) {
                next.reject();
                rejected++;
            } else {
                QueuePair pair = node.pair();
                pairs.add(pair);
                int tag = next.privateData()[0] & 0xFF;
                passive.computeIfAbsent(tag, none -> new ArrayList<>()).add(next.accept(pair));
            }
        }
    }

    /// When all is quiet, either both sides are connected or neither is; and ending it ends both.
    private void agree(
            VirtualNetwork network,
            Map<Integer, Connection> active,
            Map<Integer, List<Connection>> passive) {
        active.forEach(
                (index, one) -> {
                    ends.merge(one.state(), 1, Integer::sum);
                    boolean isOpen = one.state() == Connection.State.ESTABLISHED;
                    assertThat(one.state()).as("%s", one).isNotEqualTo(Connection.State.CONNECTING);
                    List<Connection> others = open(passive.getOrDefault(index, List.of()));
                    assertThat(others).as("peers of %s, %s", one, SEED).hasSize(isOpen ? 1 : 0);
                    if (isOpen && random.nextBoolean()) {
                        one.disconnect();
                        if (random.nextInt(4) == 0) {
                            others.getFirst().disconnect();
                            bothAtOnce++;
                        }
                    } else if (isOpen) {
                        others.getFirst().disconnect();
                    }
                });
        network.advance(ALL_TIMERS);
        active.forEach(
                (index, one) -> {
                    assertThat(one.state()).isNotEqualTo(Connection.State.ESTABLISHED);
                    assertThat(open(passive.getOrDefault(index, List.of())))
                            .as("peers of %s, %s", one, SEED)
                            .isEmpty();
                });
    }

    private static List<Connection> open(List<Connection> some) {
        return some.stream()
                .filter(
                        it ->
                                it.state() == Connection.State.ESTABLISHED
                                        || it.state() == Connection.State.CONNECTING)
                .toList();
    }
}
