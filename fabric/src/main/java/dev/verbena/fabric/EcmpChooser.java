package dev.verbena.fabric;

/// ECMP: a hash of the connection and of the switch's seed.
///
/// With the same seed in all switches, those of an upper tier would use only the ports that the
/// lower tier's choice leaves (polarisation).
final class EcmpChooser extends RouteChooser {
    private final int seed;

    EcmpChooser(int seed) {
        this.seed = seed;
    }

    @Override
    int choose(long tag, short[] ports) {
        return ports[below(hash(tag, seed), ports.length)];
    }

    static int hash(long tag, int seed) {
        int hash = (Tag.entropy(tag) ^ seed) * 0x85EB_CA6B;
        hash = (hash ^ (hash >>> 13)) * 0xC2B2_AE35;
        return hash ^ (hash >>> 16);
    }

    /// A number from 0 to below a limit, in proportion to a hash.
    static int below(int hash, long limit) {
        return (int) (((hash & 0xFFFF_FFFFL) * limit) >>> 32);
    }
}
