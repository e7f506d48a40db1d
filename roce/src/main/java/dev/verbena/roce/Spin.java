package dev.verbena.roce;

/// How long a thread looks for packets before it goes to sleep.
///
/// Looking costs a processor; sleeping costs the time until the thread runs again. So it looks for
/// long while packets come soon after one another, and hardly at all while they do not.
final class Spin {
    /// The time that it may take to wake a thread on a machine that has a processor for it: a
    /// virtual one may have to be woken itself. Where it takes longer, others need the processors.
    private static final long WAKE_NS = 100_000;

    private static final long LEAST_NS = 2_000;

    private final long mostNs;
    private long ns;

    /// @param mostNs the longest time; 0 for none at all
    Spin(long mostNs) {
        this.mostNs = mostNs;
        ns = mostNs;
    }

    boolean lasts(long quietNs) {
        return quietNs < ns;
    }

    /// A thread slept so long until something came: had it looked for a little longer, it need not
    /// have slept; or it looked in vain.
    void slept(long sleptNs) {
        if (sleptNs < mostNs + WAKE_NS) {
            ns = Math.min(mostNs, Math.max(LEAST_NS, 2 * ns));
        } else {
            ns = ns > LEAST_NS ? ns / 2 : 0;
        }
    }
}
