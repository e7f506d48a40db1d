package dev.verbena.fabric;

/// A watchdog against pause storms, as SONiC's `pfcwd` has it.
///
/// @param detectPs how long a queue must be paused without a break
/// @param restorePs how long no pause may come until the queue is served as before
/// @param pollPs time between looks at the counters
/// @param action what becomes of the packets of a queue in a storm
public record WatchdogSettings(long detectPs, long restorePs, long pollPs, Action action) {
    /// What becomes of packets.
    public enum Action {
        /// They are thrown away as they leave.
        DROP,
        /// They are sent, whatever the pauses say.
        FORWARD,
        /// They wait; the storm is only told.
        ALERT
    }

    private static final long MS = 1_000_000_000;
    private static final long DETECT_MIN_MS = 100;
    private static final long DETECT_MAX_MS = 5_000;
    private static final long RESTORE_MAX_MS = 60_000;

    /// SONiC's defaults: 200 ms, 200 ms, every 200 ms, and drop.
    public static final WatchdogSettings SONIC = ofMillis(200, 200, 200, Action.DROP);

    public WatchdogSettings {
        if (pollPs < 1 || detectPs < pollPs || restorePs < pollPs) {
            throw new IllegalArgumentException(
                    "a watchdog that looks every %d ps, for %d and %d ps: use a look or more"
                            .formatted(pollPs, detectPs, restorePs));
        }
    }

    /// Within the limits of SONiC.
    public static WatchdogSettings ofMillis(int detect, int restore, int poll, Action action) {
        if (detect < DETECT_MIN_MS
                || detect > DETECT_MAX_MS
                || restore < DETECT_MIN_MS
                || restore > RESTORE_MAX_MS) {
            throw new IllegalArgumentException(
                    "a watchdog that detects in %d ms and restores in %d ms: use 100 to 5000, and"
                                    .formatted(detect, restore)
                            + " 100 to 60000");
        }
        return new WatchdogSettings(detect * MS, restore * MS, poll * MS, action);
    }
}
