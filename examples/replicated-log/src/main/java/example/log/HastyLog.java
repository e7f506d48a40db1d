package example.log;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePair;

import java.util.List;
import java.util.Map;

/// The same log, made faster, and wrong: an example of a bug that a test under loss finds.
///
/// Entries travel on queue pairs of their own, so that the small count never waits behind them. On
/// a good day the entry arrives first all the same. But only requests of one queue pair are kept in
/// order: when the packet with the entry is lost, the count overtakes it, is acknowledged, and the
/// entry counts as committed while only the leader has it.
public final class HastyLog extends ReplicatedLog {
    private final Map<Copy, QueuePair> entryPairs;

    public HastyLog(
            MemoryRegion log,
            CompletionQueue completions,
            List<Copy> copies,
            Map<Copy, QueuePair> entryPairs) {
        super(log, completions, copies);
        this.entryPairs = Map.copyOf(entryPairs);
    }

    @Override
    protected void replicate(Copy copy, int index) {
        post(entryPairs.get(copy), batch -> writeEntry(batch, copy, index));
        post(copy.pair(), batch -> writeCount(batch, copy).signaled());
    }
}
