package dev.verbena.fabric;

/// Weighted ECMP: each port has a share of the hash values as large as its part of the rate.
final class WeightedChooser extends RouteChooser {
    private static final long MEGA = 1_000_000;

    private final int seed;
    private final Egress egress;

    WeightedChooser(int seed, Egress egress) {
        this.seed = seed;
        this.egress = egress;
    }

    @Override
    int choose(long tag, short[] ports) {
        long sum = 0;
        for (short port : ports) {
            sum += weight(port);
        }
        long at = EcmpChooser.below(EcmpChooser.hash(tag, seed), sum);
        for (short port : ports) {
            at -= weight(port);
            if (at < 0) {
                return port;
            }
        }
        throw new AssertionError("the weights of all ports are the sum");
    }

    /// Megabits per second, so that the sum of all ports is an integer of 31 bits.
    private long weight(int port) {
        return Math.max(1, egress.bitsPerSecond(port) / MEGA);
    }
}
