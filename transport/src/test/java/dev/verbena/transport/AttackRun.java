package dev.verbena.transport;

/// Runs all attacks, seed after seed, and adds up what stopped them.
final class AttackRun {
    final Tally tally = new Tally(Attack.all());

    /// Strikes of one seed: each attack some dozens of times, in an order of the seed's own.
    void run(long seed, int rounds) {
        int attack = -1;
        try (Siege siege = new Siege(seed, tally)) {
            int count = tally.attacks.size();
            try {
                for (int i = 0; i < rounds * count; i++) {
                    attack = siege.random.nextInt(count);
                    siege.strike(attack);
                }
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError(
                        """
                        seed %d (%s, mtu %d), %s: %s
                        repeat with
                        ./mvnw -pl transport -am -Dtest=AttackTest -Dseed=%d \
                        -Dsurefire.failIfNoSpecifiedTests=false verify\
                        """
                                .formatted(
                                        seed,
                                        siege.world.shape,
                                        siege.mtu,
                                        tally.attacks.get(attack),
                                        failure,
                                        seed),
                        failure);
            }
        }
    }
}
