package dev.verbena.fabric;

/// Chooses between priorities: strict ones first, the others by deficit round robin.
final class EtsArbiter implements Arbiter {
    /// Bytes for one unit of share in one round: no less than the largest packet, so that every
    /// round lets a lane send.
    private static final int QUANTUM = 4608;

    private final int strict;
    private final int[] quantum;
    private final int[] deficit = new int[EthernetPort.PRIORITIES];
    private int turn;

    EtsArbiter(Ets settings) {
        strict = settings.strict();
        quantum = new int[settings.shares().size()];
        for (int i = 0; i < quantum.length; i++) {
            quantum[i] = settings.shares().get(i) * QUANTUM;
        }
    }

    @Override
    public int choose(int lanes, Waiting port) {
        int first = lanes & strict;
        if (first != 0) {
            return 31 - Integer.numberOfLeadingZeros(first);
        }
        if (lanes == port.waiting() && (lanes & (lanes - 1)) == 0) {
            return Integer.numberOfTrailingZeros(lanes);
        }
        while (true) {
            if ((lanes & (1 << turn)) != 0) {
                int bytes = port.firstBytes(turn);
                if (deficit[turn] >= bytes) {
                    deficit[turn] -= bytes;
                    return turn;
                }
            } else if ((port.waiting() & (1 << turn)) == 0) {
                // A lane without packets saves no deficit.
                deficit[turn] = 0;
            }
            turn = (turn + 1) & (EthernetPort.PRIORITIES - 1);
            if ((lanes & (1 << turn)) != 0) {
                deficit[turn] += quantum[turn];
            }
        }
    }
}
