package dev.verbena.verbs;

import java.util.EnumSet;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Options for a new queue pair. Only the completion queue has no default.
public final class QueuePairOptions {
    private static final String WHO = "queue pair options";

    private @Nullable CompletionQueue sendCompletions;
    private @Nullable CompletionQueue receiveCompletions;
    private int sendDepth = 128;
    private int receiveDepth = 128;
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

    /// Number of work requests that the send queue holds; 128 by default. Unused entries cost
    /// nothing.
    public QueuePairOptions sendDepth(int requests) {
        Require.range(WHO, "send depth", requests, 0, Integer.MAX_VALUE);
        sendDepth = requests;
        return this;
    }

    /// Number of work requests that the receive queue holds; 128 by default. Unused entries cost
    /// nothing.
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
        return sendDepth;
    }

    public int receiveDepth() {
        return receiveDepth;
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
