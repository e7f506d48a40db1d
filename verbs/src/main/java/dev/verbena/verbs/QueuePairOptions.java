package dev.verbena.verbs;

import java.util.EnumSet;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a queue pair is made with. Only the completion queue has no default.
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

    /// One queue for both directions.
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

    /// Work requests that the send queue holds; 128 unless set. Costs nothing until used.
    public QueuePairOptions sendDepth(int requests) {
        Require.range(WHO, "send depth", requests, 0, Integer.MAX_VALUE);
        sendDepth = requests;
        return this;
    }

    /// Work requests that the receive queue holds; 128 unless set. Costs nothing until used.
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

    /// Which of the port's partition keys it uses; the first unless set.
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

    /// Which one-sided operations the peer may do; reads, writes and atomics unless set. The rights
    /// of the memory region count as well.
    public QueuePairOptions access(Set<Access> rights) {
        access = Set.copyOf(rights);
        return this;
    }

    /// What datagrams to it must show; unpredictable bits unless set. Queue pairs that take
    /// datagrams of one multicast group have the same. Not negative: to senders the highest bit
    /// means their own key. Connected types do not use it.
    public QueuePairOptions queueKey(int key) {
        queueKey = key;
        return this;
    }

    /// Takes receive requests from a queue that it shares with others; it has none of its own then.
    public QueuePairOptions sharedReceives(SharedReceiveQueue queue) {
        sharedReceives = queue;
        return this;
    }

    /// Leaves it in [QueuePairState#RESET], for those who make every transition themselves.
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
