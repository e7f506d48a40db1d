package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Numbers of queue pairs, where there are only sixteen to choose from.
class QueuePairNumbersTest {
    private static final int PREFIX_BITS = 20;
    private static final int NUMBERS = 16;
    private static final int PORT = 7471;
    private static final DeviceLimits LIMITS =
            TransportOptions.DEFAULT_LIMITS.toBuilder().queuePairs(NUMBERS / 2).build();

    private final TransportDevice device =
            TransportDevice.create(
                    new TransportOptions(new SplittableRandom(1), new FrozenDriver())
                            .gids(List.of(Gid.parse("192.0.2.1")))
                            .limits(LIMITS)
                            .queuePairPrefix(5, PREFIX_BITS));
    private final ProtectionDomain domain = device.protectionDomain();
    private final CompletionQueue completions = device.completionQueue(1);

    private QueuePair pair() {
        return domain.queuePair(QueuePairType.RC, it -> it.completions(completions));
    }

    /// Numbers that come up when queue pairs are made and closed again many times.
    private Set<Integer> seen() {
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < 20 * NUMBERS; i++) {
            QueuePair pair = pair();
            seen.add(pair.number());
            pair.close();
        }
        return seen;
    }

    @Test
    void aNumberIsUsedAgainWhenNoPeerCanRememberIt() {
        assertThat(seen()).hasSize(NUMBERS);
    }

    @Test
    void aNumberThatHadAConnectionIsNotUsedAgainSoon() {
        QueuePair pair = pair();
        connectAndClose(pair);
        assertThat(seen()).hasSize(NUMBERS - 1).doesNotContain(pair.number());
    }

    @Test
    void thereAreAlwaysSomeLeft() {
        for (int i = 0; i < 20 * NUMBERS; i++) {
            connectAndClose(pair());
        }
        assertThat(seen()).hasSize(NUMBERS - NUMBERS / 4);
    }

    private void connectAndClose(QueuePair pair) {
        device.connect(pair, Address.to(Gid.parse("192.0.2.2")), PORT).close();
        pair.close();
    }
}
