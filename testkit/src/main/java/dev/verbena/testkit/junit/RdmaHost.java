package dev.verbena.testkit.junit;

import dev.verbena.testkit.Hints;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.LocalSlice;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.verbs.SendBatch;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/// One machine of a test: a device, a domain, memory, a completion queue, and a connected queue
/// pair to every other host.
///
/// Everything is closed when the test is over; closing the device earlier is a crash of the host.
public final class RdmaHost {
    private static final int COMPLETIONS = 4096;
    private static final Access[] ALL_RIGHTS = {
        Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC
    };

    private final String name;
    private final Device device;
    private final ProtectionDomain domain;
    private final MemoryRegion memory;
    private final CompletionQueue completions;
    private final CompletionQueue clock;
    private final Map<RdmaHost, QueuePair> pairs = new LinkedHashMap<>();
    private final ArrayDeque<RdmaCompletion> seen = new ArrayDeque<>();

    RdmaHost(String name, Device device, long memoryBytes) {
        this.name = name;
        this.device = device;
        domain = device.protectionDomain();
        memory = domain.allocate(memoryBytes, ALL_RIGHTS);
        completions = device.completionQueue(Math.min(COMPLETIONS, device.limits().completions()));
        clock = device.completionQueue(1);
    }

    /// `left`, `right`, or in larger groups `host0`, `host1` and so on.
    public String name() {
        return name;
    }

    public Device device() {
        return device;
    }

    public ProtectionDomain domain() {
        return domain;
    }

    /// Memory that every other host may read and write.
    public MemoryRegion memory() {
        return memory;
    }

    /// The completion queue for everything that this host posts and receives.
    public CompletionQueue completions() {
        return completions;
    }

    /// The queue pair to the other one of two hosts.
    public QueuePair pair() {
        if (pairs.size() != 1) {
            throw new IllegalStateException(
                    name + " has " + pairs.size() + " peers: say which with pairTo(host)");
        }
        return pairs.values().iterator().next();
    }

    /// The queue pair to another host.
    public QueuePair pairTo(RdmaHost peer) {
        QueuePair pair = pairs.get(peer);
        if (pair == null) {
            throw new IllegalArgumentException(name + " has no queue pair to " + peer.name);
        }
        return pair;
    }

    /// Makes one more connection to another host; returns the local end.
    public QueuePair connect(RdmaHost peer) {
        QueuePair ours = queuePair();
        QueuePair theirs = peer.queuePair();
        ours.connect(theirs.endpoint());
        theirs.connect(ours.endpoint());
        return ours;
    }

    /// The first connection between two hosts.
    static void join(RdmaHost one, RdmaHost other) {
        QueuePair ours = one.queuePair();
        QueuePair theirs = other.queuePair();
        ours.connect(theirs.endpoint());
        theirs.connect(ours.endpoint());
        one.pairs.put(other, ours);
        other.pairs.put(one, theirs);
    }

    private QueuePair queuePair() {
        return domain.queuePair(QueuePairType.RC, it -> it.completions(completions));
    }

    /// A piece of this host's memory, for its own requests.
    public LocalSlice slice(long offset, long length) {
        return memory.slice(offset, length);
    }

    /// A piece of this host's memory, for the requests of others.
    public RemoteSlice remote(long offset, long length) {
        return memory.remote().slice(offset, length);
    }

    /// Posts work to the queue pair of a peer, which must have room for it.
    public void post(RdmaHost peer, Consumer<? super SendBatch> work) {
        if (!pairTo(peer).post(work)) {
            throw new AssertionError(
                    "the send queue from " + name + " to " + peer.name + " is full");
        }
    }

    /// Posts a WRITE of some of this host's memory to the same offset of a peer's; it produces one
    /// completion.
    public void write(RdmaHost peer, long offset, long length) {
        post(
                peer,
                batch ->
                        batch.write(slice(offset, length), peer.remote(offset, length)).signaled());
    }

    /// The next completion; the test fails when none comes within [RdmaGroup#LIMIT].
    public RdmaCompletion awaitCompletion() {
        return awaitCompletion(RdmaGroup.LIMIT);
    }

    /// The next completion; the test fails when none comes within the limit.
    public RdmaCompletion awaitCompletion(Duration limit) {
        if (seen.isEmpty()) {
            completions.await(limit, it -> seen.addLast(RdmaCompletion.of(it)));
        }
        if (seen.isEmpty()) {
            throw new AssertionError(
                    "no completion came to %s within %s%s"
                            .formatted(name, RdmaGroup.text(limit), Hints.of(device)));
        }
        return seen.removeFirst();
    }

    /// The next completion, which must be a success.
    public RdmaCompletion awaitSuccess() {
        RdmaCompletion next = awaitCompletion();
        if (!next.isSuccess()) {
            throw new AssertionError(
                    "request %d of %s failed: %s"
                            .formatted(next.id(), name, next.status().explanation()));
        }
        return next;
    }

    /// A queue to wait at where nothing ever comes: while it is waited at, time passes.
    CompletionQueue clock() {
        return clock;
    }

    boolean isOpen() {
        return isOpen(device);
    }

    static boolean isOpen(Device device) {
        try {
            device.progress();
            return true;
        } catch (ClosedException closed) {
            return false;
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
