package dev.verbena.collectives.run;

/// How long a rank needs for work that takes no time in a simulation by itself. Live, it takes the
/// time that it takes.
public interface LocalWork {
    /// No time at all.
    LocalWork NONE =
            new LocalWork() {
                @Override
                public boolean isInstant() {
                    return true;
                }

                @Override
                public long sendNs(long bytes) {
                    return 0;
                }

                @Override
                public long receiveNs(long bytes, boolean combines) {
                    return 0;
                }
            };

    /// Whether no work takes any time.
    default boolean isInstant() {
        return false;
    }

    /// The work of one rank, where ranks differ.
    default LocalWork of(int rank) {
        return this;
    }

    /// Before a message leaves.
    long sendNs(long bytes);

    /// After a message has arrived.
    long receiveNs(long bytes, boolean combines);

    /// When a message that is prepared now is where a device of the rank can read it: later, where
    /// it is copied first.
    ///
    /// @param network which device, see [dev.verbena.collectives.link.Links#network]
    default long copiedOutNs(long nowNs, long bytes, int network) {
        return nowNs;
    }

    /// When a message that has arrived now is in the memory of the rank.
    default long copiedInNs(long nowNs, long bytes, int network) {
        return nowNs;
    }
}
