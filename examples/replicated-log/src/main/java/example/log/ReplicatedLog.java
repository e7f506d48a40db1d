package example.log;

import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.verbs.SendBatch;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/// The leader of a log: writes each entry into its own memory and into that of every follower.
public class ReplicatedLog {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /// A follower's copy: its memory, and the queue pair that leads there.
    public record Copy(QueuePair pair, RemoteSlice memory) {}

    private final MemoryRegion log;
    private final CompletionQueue completions;
    private final List<Copy> copies;
    private int count;

    public ReplicatedLog(MemoryRegion log, CompletionQueue completions, List<Copy> copies) {
        this.log = log;
        this.completions = completions;
        this.copies = List.copyOf(copies);
    }

    /// Appends an entry; when this returns, every follower has it, even if the leader fails.
    public void append(String entry) {
        int index = count++;
        LogLayout.put(log.segment(), index, entry);
        LogLayout.publish(log.segment(), count);
        for (Copy copy : copies) {
            replicate(copy, index);
        }
        awaitCompletions(copies.size());
    }

    /// The entry first, then the count that publishes it, on one queue pair: requests of one queue
    /// pair are done in order, so that the second is not acknowledged before the first is there.
    protected void replicate(Copy copy, int index) {
        post(
                copy.pair(),
                batch -> {
                    writeEntry(batch, copy, index);
                    writeCount(batch, copy).signaled();
                });
    }

    protected final SendBatch writeEntry(SendBatch batch, Copy copy, int index) {
        return write(batch, copy, LogLayout.slotAt(index), LogLayout.SLOT_BYTES);
    }

    protected final SendBatch writeCount(SendBatch batch, Copy copy) {
        return write(batch, copy, 0, LogLayout.COUNT_BYTES);
    }

    private SendBatch write(SendBatch batch, Copy copy, long offset, long length) {
        return batch.write(log.slice(offset, length), copy.memory().slice(offset, length));
    }

    protected static void post(QueuePair pair, Consumer<SendBatch> work) {
        if (!pair.post(work)) {
            throw new IllegalStateException("the send queue is full");
        }
    }

    private void awaitCompletions(int wanted) {
        int done = 0;
        while (done < wanted) {
            int more = completions.await(PATIENCE, ReplicatedLog::requireSuccess);
            if (more == 0) {
                throw new IllegalStateException("a follower does not answer");
            }
            done += more;
        }
    }

    private static void requireSuccess(Completion done) {
        if (!done.isSuccess()) {
            throw new IllegalStateException(done.status().explanation());
        }
    }
}
