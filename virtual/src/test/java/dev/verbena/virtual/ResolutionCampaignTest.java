package dev.verbena.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.ConnectionFailedException.Reason;
import dev.verbena.verbs.DatagramListener;
import dev.verbena.verbs.DatagramRequest;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.Resolution;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Many questions for datagram queue pairs over a network that loses a fifth of all packets, by
/// seed: each ends in the answer that the program gave to it, or in a failure that says what
/// happened, and the program is asked once.
class ResolutionCampaignTest {
    private static final Seed SEED = Seed.forTest("ResolutionCampaignTest", 7);
    private static final int PORT = 7471;
    private static final int NOBODYS_PORT = 7472;

    /// Questions at the scale of 1; `-Dcampaign=5`, as CI runs it, makes 100,000.
    private static final int QUESTIONS = 20_000;

    private static final int AT_A_TIME = 100;

    /// Longer than all attempts of a question take together, and than its answer is kept.
    private static final Duration ALL_TIMERS = Duration.ofSeconds(100);

    /// What the program does with a question.
    private enum Fate {
        ACCEPTED,
        REJECTED,
        IGNORED
    }

    private final SplittableRandom random = new SplittableRandom(SEED.value());
    private final Map<Integer, Fate> fates = new HashMap<>();
    private final Map<Reason, Integer> reasons = new EnumMap<>(Reason.class);
    private int resolved;
    private int givenUp;

    @Test
    void everyQuestionEndsInItsAnswerOrInAReason() {
        long questions = Math.max(AT_A_TIME, Seed.campaign(QUESTIONS));
        try (VirtualNetwork network = HostileNetwork.of(SEED.value())) {
            TransportDevice left = network.open("left");
            TransportDevice right = network.open("right");
            QueuePair pair =
                    right.protectionDomain()
                            .queuePair(
                                    QueuePairType.UD,
                                    it -> it.completions(right.completionQueue(16)));
            pair.activate();
            try (DatagramListener listener = right.listenForDatagrams(PORT, 2 * AT_A_TIME)) {
                for (long done = 0; done < questions; done += AT_A_TIME) {
                    round(network, left, listener, pair);
                }
            }
        }
        System.out.printf(
                "resolutions: %,d questions, %,d resolved, %s, %,d given up%n",
                questions, resolved, reasons, givenUp);
        assertThat(resolved).isPositive();
        assertThat(givenUp).isPositive();
        assertThat(reasons)
                .containsOnlyKeys(Reason.NO_ANSWER, Reason.NOBODY_LISTENS, Reason.REJECTED);
    }

    private void round(
            VirtualNetwork network,
            TransportDevice left,
            DatagramListener listener,
            QueuePair pair) {
        fates.clear();
        Address there = Address.to(pair.endpoint());
        Map<Integer, Resolution> asked = new HashMap<>();
        for (int tag = 0; tag < AT_A_TIME; tag++) {
            int port = random.nextInt(10) == 0 ? NOBODYS_PORT : PORT;
            Resolution one = left.resolve(there, port, (byte) tag);
            asked.put(tag, one);
            if (random.nextInt(20) == 0) {
                // Given up while the question may be under way.
                network.advance(Duration.ofNanos(random.nextLong(20_000)));
                one.close();
            }
        }
        for (long leftNs = ALL_TIMERS.toNanos(); leftNs > 0; ) {
            answer(listener, pair);
            long stepNs = 1 + random.nextLong(2_000_000_000L);
            network.advance(Duration.ofNanos(stepNs));
            leftNs -= stepNs;
        }
        asked.forEach((tag, one) -> judge(tag, one, pair));
    }

    private void answer(DatagramListener listener, QueuePair pair) {
        for (DatagramRequest next = listener.poll(); next != null; next = listener.poll()) {
            byte tag = next.privateData()[0];
            Fate fate =
                    switch (random.nextInt(20)) {
                        case 0 -> Fate.IGNORED;
                        case 1, 2 -> Fate.REJECTED;
                        default -> Fate.ACCEPTED;
                    };
            assertThat(fates.put((int) tag, fate))
                    .as("question %d, seed %d", tag, SEED.value())
                    .isNull();
            switch (fate) {
                case ACCEPTED -> next.accept(pair, tag);
                case REJECTED -> next.reject(tag);
                case IGNORED -> {}
            }
        }
    }

    private void judge(int tag, Resolution one, QueuePair pair) {
        Fate fate = fates.get(tag);
        switch (one.state()) {
            case ASKING -> throw new AssertionError(one + " did not end, seed " + SEED.value());
            case GIVEN_UP -> givenUp++;
            case RESOLVED -> {
                assertThat(fate).as("%s, seed %d", one, SEED.value()).isEqualTo(Fate.ACCEPTED);
                assertThat(one.privateData()[0]).isEqualTo((byte) tag);
                assertThat(one.queuePair()).isEqualTo(pair.number());
                assertThat(one.queueKey()).isEqualTo(pair.endpoint().queueKey());
                resolved++;
            }
            case FAILED -> {
                Reason reason = reason(one);
                reasons.merge(reason, 1, Integer::sum);
                Fate expected =
                        switch (reason) {
                            case REJECTED -> Fate.REJECTED;
                            case NO_ANSWER -> Fate.IGNORED;
                            default -> null;
                        };
                assertThat(fate)
                        .as("%s: %s, seed %d", one, reason, SEED.value())
                        .isEqualTo(expected);
            }
        }
    }

    private static Reason reason(Resolution one) {
        try {
            one.await(Duration.ZERO);
        } catch (ConnectionFailedException failure) {
            assertThat(failure).hasMessageContaining("port");
            return failure.reason();
        }
        throw new AssertionError(one + " failed without a reason");
    }
}
