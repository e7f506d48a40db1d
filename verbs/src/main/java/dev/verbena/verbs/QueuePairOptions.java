package dev.verbena.verbs;

import java.util.EnumSet;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Options for a new queue pair. Only the completion queue has no default.
public final class QueuePairOptions {
    private static final String WHO = "queue pair options";
    private static final int USUAL_DEPTH = 128;
    private static final int UNSET = -1;

    private @Nullable CompletionQueue sendCompletions;
    private @Nullable CompletionQueue receiveCompletions;
    private int sendDepth = UNSET;
    private int receiveDepth = UNSET;
    private int port = 1;
    private int partitionIndex;
    private boolean signalAll;
    private boolean reset;
    private @Nullable Integer queueKey;
    private @Nullable SharedReceiveQueue sharedReceives;
    private Set<Access> access =
            EnumSet.of(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);

    /// All defaults.
    public QueuePairOptions() {}

    /// Uses one completion queue for both directions.
    public QueuePairOptions completions(CompletionQueue queue) {
        return sendCompletions(queue).receiveCompletions(queue);
    }

    public QueuePairOptions sendCompletions(CompletionQueue queue) {
        sendCompletions = queue;
        return this;
    }

    public QueuePairOptions receiveCompletions(CompletionQueue queue) {
        receiveCompletions = queue;
        return this;
    }

    /// Number of work requests that the send queue holds; 128 by default, or as many as the
    /// completion queue holds where that is smaller. Unused entries cost nothing.
    ///
    /// More than the completion queue holds are refused: a queue pair that fails completes all its
    /// requests, signaled or not.
    public QueuePairOptions sendDepth(int requests) {
        Require.range(WHO, "send depth", requests, 0, Integer.MAX_VALUE);
        sendDepth = requests;
        return this;
    }

    /// Number of work requests that the receive queue holds, with the same default and limit as
    /// [#sendDepth(int)]. Unused entries cost nothing.
    public QueuePairOptions receiveDepth(int requests) {
        Require.range(WHO, "receive depth", requests, 0, Integer.MAX_VALUE);
        receiveDepth = requests;
        return this;
    }

    public QueuePairOptions port(int number) {
        Require.range(WHO, "port", number, 1, 255);
        port = number;
        return this;
    }

    /// Index of the partition key of the port; the first one by default.
    public QueuePairOptions partitionIndex(int index) {
        Require.range(WHO, "partition index", index, 0, 65535);
        partitionIndex = index;
        return this;
    }

    /// Completes every request of the send queue, signaled or not.
    public QueuePairOptions signalAll() {
        signalAll = true;
        return this;
    }

    /// The one-sided operations that the peer may use; reads, writes and atomics by default. The
    /// rights of the memory region also apply.
    public QueuePairOptions access(Set<Access> rights) {
        access = Set.copyOf(rights);
        return this;
    }

    /// The queue key that datagrams to this queue pair must carry; unpredictable bits by default.
    /// Queue pairs that receive datagrams of one multicast group use the same key. The key must not
    /// be negative: for senders, the highest bit means their own key. Connected types do not use
    /// it.
    public QueuePairOptions queueKey(int key) {
        queueKey = key;
        return this;
    }

    /// Takes receive requests from a shared queue; the queue pair then has no receive queue of its
    /// own.
    public QueuePairOptions sharedReceives(SharedReceiveQueue queue) {
        sharedReceives = queue;
        return this;
    }

    /// Leaves the queue pair in [QueuePairState#RESET], for programs that make every transition
    /// themselves.
    public QueuePairOptions leaveReset() {
        reset = true;
        return this;
    }

    public CompletionQueue sendCompletions() {
        return present(sendCompletions);
    }

    public CompletionQueue receiveCompletions() {
        return present(receiveCompletions);
    }

    public int sendDepth() {
        return sendDepth == UNSET ? usualDepth(sendCompletions) : sendDepth;
    }

    /// 0 when receives come from a shared queue.
    public int receiveDepth() {
        if (sharedReceives != null) {
            return 0;
        }
        return receiveDepth == UNSET ? usualDepth(receiveCompletions) : receiveDepth;
    }

    private static int usualDepth(@Nullable CompletionQueue completions) {
        return completions == null ? USUAL_DEPTH : Math.min(USUAL_DEPTH, completions.capacity());
    }

    public int port() {
        return port;
    }

    public int partitionIndex() {
        return partitionIndex;
    }

    public boolean isSignalAll() {
        return signalAll;
    }

    public boolean isLeftReset() {
        return reset;
    }

    public OptionalInt queueKey() {
        return queueKey == null ? OptionalInt.empty() : OptionalInt.of(queueKey);
    }

    public @Nullable SharedReceiveQueue sharedReceives() {
        return sharedReceives;
    }

    public Set<Access> access() {
        return access;
    }

    private static CompletionQueue present(@Nullable CompletionQueue queue) {
        if (queue == null) {
            throw new InvalidRequestException(
                    WHO,
                    "no completion queue is set for one of the directions",
                    "call completions(queue)");
        }
        return queue;
    }
}
