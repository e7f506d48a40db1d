package dev.verbena.fabric;

/// Adaptive routing per packet: the port with the fewest bytes before the packet, and of equal ones
/// a random one.
///
/// In turn would not do: where as many hosts as there are ports send at one pace, each of them
/// would get the same port every time.
final class AdaptiveChooser extends RouteChooser {
    private final Egress egress;

    /// Of Knuth's linear congruential generator, whose upper bits are used.
    private long random;

    AdaptiveChooser(int salt, Egress egress) {
        this.egress = egress;
        random = salt;
    }

    @Override
    boolean isSteady() {
        return false;
    }

    @Override
    int choose(long tag, short[] ports) {
        random = random * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
        int at = EcmpChooser.below((int) (random >>> Integer.SIZE), ports.length);
        int best = ports[at];
        long least = egress.waitingBytes(best, tag);
        for (int i = 1; i < ports.length && least > 0; i++) {
            at = at + 1 == ports.length ? 0 : at + 1;
            long waiting = egress.waitingBytes(ports[at], tag);
            if (waiting < least) {
                least = waiting;
                best = ports[at];
            }
        }
        return best;
    }
}
