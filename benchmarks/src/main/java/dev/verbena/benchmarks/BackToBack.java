package dev.verbena.benchmarks;

import dev.verbena.transport.Loopback;
import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;

/// Two devices joined in memory, in one thread: what the transport costs, and nothing else.
final class BackToBack {
    final MemoryRegion source;
    final MemoryRegion target;
    final QueuePair sender;
    final QueuePair receiver;
    private final CompletionQueue sent;
    private final CompletionQueue received;
    private final RemoteSlice remote;

    BackToBack(int bytes) {
        this(bytes, false);
    }

    /// @param isSelective whether both sides repeat only what is lost
    BackToBack(int bytes, boolean isSelective) {
        Loopback network = new Loopback(1);
        TransportDevice left = network.open("left", it -> it.selectiveRepeat(isSelective));
        TransportDevice right = network.open("right", it -> it.selectiveRepeat(isSelective));
        ProtectionDomain here = left.protectionDomain();
        ProtectionDomain there = right.protectionDomain();
        sent = left.completionQueue(256);
        received = right.completionQueue(256);
        source = here.allocate(bytes, Access.LOCAL_WRITE);
        target = there.allocate(bytes, Access.REMOTE_WRITE, Access.REMOTE_READ);
        remote = target.remote();
        sender = here.queuePair(QueuePairType.RC, options -> options.completions(sent));
        receiver = there.queuePair(QueuePairType.RC, options -> options.completions(received));
        sender.connect(receiver.endpoint());
        receiver.connect(sender.endpoint());
    }

    /// A WRITE in the primitive form, from post to completion.
    long write(int bytes) {
        sender.sends()
                .write(remote.address(), remote.key())
                .local(source, 0, bytes)
                .id(7)
                .signaled()
                .post();
        return finish(sent);
    }

    /// A WRITE in the pleasant form.
    long writePleasantly(int bytes) {
        sender.post(
                batch ->
                        batch.write(source.slice(0, bytes), remote.slice(0, bytes))
                                .id(7)
                                .signaled());
        return finish(sent);
    }

    /// `count` WRITEs of which the last is signaled, posted as one batch.
    long writeBatch(int count, int bytes) {
        var batch = sender.sends();
        for (int i = 0; i < count; i++) {
            batch.write(remote.address(), remote.key()).local(source, 0, bytes).id(i);
        }
        batch.signaled().post();
        return finish(sent);
    }

    /// A SEND in the primitive form, from both posts to both completions.
    long send(int bytes) {
        receiver.receives().receive().local(target, 0, bytes).id(8).post();
        sender.sends().send().local(source, 0, bytes).id(7).signaled().post();
        return finish(sent) + finish(received);
    }

    /// A SEND in the pleasant form.
    long sendPleasantly(int bytes) {
        receiver.postReceive(batch -> batch.receive(target.slice(0, bytes)).id(8));
        sender.post(batch -> batch.send(source.slice(0, bytes)).id(7).signaled());
        return finish(sent) + finish(received);
    }

    /// Waits for one completion, which must be a success; its id.
    static long finish(CompletionQueue queue) {
        Completion completion = queue.poll();
        while (completion == null) {
            completion = queue.poll();
        }
        if (!completion.isSuccess()) {
            throw new IllegalStateException(completion.status().explanation());
        }
        return completion.id();
    }
}
