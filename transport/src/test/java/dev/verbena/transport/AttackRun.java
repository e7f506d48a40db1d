package dev.verbena.transport;

import java.util.stream.IntStream;

/// Runs all attacks, seed after seed, and adds up what stopped them.
final class AttackRun {
    final Tally tally = new Tally(Attack.all());

    /// Attacks one device: every attack once a round, in an order of the round's own.
    void run(long seed, int rounds) {
        run(seed, rounds, new MemoryFront(seed));
    }

    void run(long seed, int rounds, Front front) {
        int[] order =
                IntStream.range(0, tally.attacks.size())
                        .filter(i -> front.lacks(tally.attacks.get(i).need()).isEmpty())
                        .toArray();
        try (Siege siege = new Siege(seed, tally, front)) {
            int attack = 0;
            try {
                for (int round = 0; round < rounds; round++) {
                    shuffle(order, siege);
                    for (int next : order) {
                        attack = next;
                        siege.strike(attack);
                    }
                    tally.rounds++;
                }
            } catch (AssertionError | RuntimeException failure) {
                throw failed(seed, siege, tally.attacks.get(attack), failure);
            }
        }
    }

    private static void shuffle(int[] order, Siege siege) {
        for (int i = order.length - 1; i > 0; i--) {
            int other = siege.random.nextInt(i + 1);
            int kept = order[i];
            order[i] = order[other];
            order[other] = kept;
        }
    }

    private static AssertionError failed(long seed, Siege siege, Attack attack, Throwable failure) {
        return new AssertionError(
                """
                seed %d (%s, mtu %d), %s: %s
                repeat with
                ./mvnw -pl transport -am -Dtest=AttackTest -Dseed=%d \
                -Dsurefire.failIfNoSpecifiedTests=false verify\
                """
                        .formatted(seed, siege.world.shape, siege.mtu, attack, failure, seed),
                failure);
    }
}
