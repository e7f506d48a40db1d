package dev.verbena.transport;

import java.util.stream.IntStream;

/// Runs all attacks, seed after seed, and counts the checks that stopped them.
final class AttackCampaign {
    final AttackTotals totals = new AttackTotals(Attack.all());

    /// Attacks one device: every attack once a round, in an order of the round's own.
    void run(long seed, int rounds) {
        run(seed, rounds, new MemoryAttackPath(seed));
    }

    void run(long seed, int rounds, AttackPath path) {
        int[] order =
                IntStream.range(0, totals.attacks.size())
                        .filter(i -> path.lacks(totals.attacks.get(i).need()).isEmpty())
                        .toArray();
        try (AttackRun run = new AttackRun(seed, totals, path)) {
            int attack = 0;
            try {
                for (int round = 0; round < rounds; round++) {
                    shuffle(order, run);
                    for (int next : order) {
                        attack = next;
                        run.strike(attack);
                    }
                    totals.rounds++;
                }
            } catch (AssertionError | RuntimeException failure) {
                throw failed(seed, run, totals.attacks.get(attack), failure);
            }
        }
    }

    private static void shuffle(int[] order, AttackRun run) {
        for (int i = order.length - 1; i > 0; i--) {
            int other = run.random.nextInt(i + 1);
            int kept = order[i];
            order[i] = order[other];
            order[other] = kept;
        }
    }

    private static AssertionError failed(
            long seed, AttackRun run, Attack attack, Throwable failure) {
        return new AssertionError(
                """
                seed %d (%s, mtu %d), %s: %s
                repeat with
                ./mvnw -pl transport -am -Dtest=AttackTest -Dseed=%d \
                -Dsurefire.failIfNoSpecifiedTests=false verify\
                """
                        .formatted(seed, run.world.shape, run.mtu, attack, failure, seed),
                failure);
    }
}
