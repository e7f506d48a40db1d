package dev.verbena.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/// The code of `docs/verbs.md`, here so that it compiles; [VerbsPageTest] compares the two.
@SuppressWarnings({"try", "unused", "UnusedVariable"}) // what a page shows, it does not always use
final class VerbsPage {
    private VerbsPage() {}

    static void open(UnaryOperator<byte[]> exchange) {
        try (Device device = Devices.open("roce://192.0.2.10");
                ProtectionDomain domain = device.protectionDomain();
                CompletionQueue completions = device.completionQueue(256);
                MemoryRegion region = domain.allocate(1 << 20, Access.REMOTE_WRITE);
                QueuePair pair =
                        domain.queuePair(QueuePairType.RC, it -> it.completions(completions))) {
            // connect, post, poll
        }
    }

    static void memory(ProtectionDomain domain, Arena arena) {
        MemoryRegion ours = domain.allocate(1 << 20, Access.REMOTE_READ, Access.REMOTE_WRITE);
        MemoryRegion yours = domain.register(arena.allocate(4096, 8), Access.LOCAL_WRITE);

        ours.segment().setString(0, "hello");
        LocalSlice first = ours.slice(0, 4096);
        byte[] forThePeer = ours.remote().toBytes();
    }

    static void connect(QueuePair pair, MemoryRegion region, UnaryOperator<byte[]> exchange) {
        pair.postReceive(batch -> batch.receive(region.slice(0, 4096)).id(1));
        Endpoint peer = Endpoint.of(exchange.apply(pair.endpoint().toBytes()));
        RemoteSlice peerMemory = RemoteSlice.of(exchange.apply(region.remote().toBytes()));
        pair.connect(peer);
    }

    static void connectWith(QueuePair pair, Endpoint peer) {
        pair.connect(peer, it -> it.timeout(10).retryCount(3).rnrRetry(2));
    }

    static void modify(QueuePair pair, Endpoint peer) {
        pair.modify(
                QueuePairState.READY_TO_RECEIVE,
                it ->
                        it.address(Address.to(peer).withTrafficClass(104))
                                .pathMtu(1024)
                                .peerQueuePair(peer.queuePair())
                                .receivePsn(peer.psn())
                                .readsAsResponder(16)
                                .minRnrTimer(12));
        pair.modify(
                QueuePairState.READY_TO_SEND,
                it ->
                        it.sendPsn(pair.endpoint().psn())
                                .timeout(14)
                                .retryCount(7)
                                .rnrRetry(7)
                                .readsAsInitiator(peer.reads()));
    }

    static void postPleasant(QueuePair pair, MemoryRegion region, RemoteSlice peerMemory) {
        boolean posted =
                pair.post(
                        batch -> {
                            batch.write(region.slice(0, 4096), peerMemory.slice(0, 4096));
                            batch.send(region.slice(4096, 16)).id(7).signaled();
                        });
    }

    static void postPrimitive(QueuePair pair, MemoryRegion region, long address, int key) {
        boolean posted =
                pair.sends()
                        .write(address, key)
                        .local(region, 0, 4096)
                        .send()
                        .local(region, 4096, 16)
                        .id(7)
                        .signaled()
                        .post();
    }

    static void poll(CompletionQueue completions) {
        for (Completion done = completions.poll(); done != null; done = completions.poll()) {
            if (!done.isSuccess()) {
                throw new IllegalStateException(done.explanation());
            }
        }
    }

    static void await(CompletionQueue completions) {
        int count = completions.await(Duration.ofSeconds(1), done -> handle(done));
    }

    static void arm(CompletionQueue completions, Thread poller) {
        completions.onNotification(() -> LockSupport.unpark(poller));
        while (true) {
            while (completions.poll(64, done -> handle(done)) > 0) {}
            completions.arm(Notification.ANY);
            if (completions.poll(64, done -> handle(done)) == 0) {
                LockSupport.park();
            }
        }
    }

    static final VarHandle FLAG = ValueLayout.JAVA_LONG.varHandle();

    static void spin(MemoryRegion region, long flagAt) {
        MemorySegment memory = region.segment();
        while ((long) FLAG.getAcquire(memory, flagAt) == 0) {
            Thread.onSpinWait();
        }
    }

    static void unreliable(ProtectionDomain domain, CompletionQueue completions, Endpoint peer) {
        QueuePair stream = domain.queuePair(QueuePairType.UC, it -> it.completions(completions));
        stream.connect(peer);
    }

    static void datagram(
            ProtectionDomain domain,
            CompletionQueue completions,
            MemoryRegion region,
            Endpoint peer) {
        QueuePair pair = domain.queuePair(QueuePairType.UD, it -> it.completions(completions));
        pair.activate();
        AddressHandle way = domain.addressHandle(Address.to(peer));
        pair.post(batch -> batch.send(region.slice(0, 100)).to(way, peer).signaled());
    }

    static void reply(
            Device device,
            ProtectionDomain domain,
            QueuePair pair,
            MemoryRegion region,
            Completion done,
            int peerQueueKey) {
        MemorySegment memory = region.segment();
        long payload = done.byteLength() - DatagramHeader.LENGTH;
        Gid from = DatagramHeader.source(memory, 0);
        List<Gid> ours = device.gids(1);
        AddressHandle back = domain.addressHandle(Address.replyTo(done, memory, 0, ours));
        int sender = done.sourceQueuePair();
        pair.post(batch -> batch.send(region.slice(40, payload)).to(back, sender, peerQueueKey));
    }

    static void multicast(
            ProtectionDomain domain, CompletionQueue completions, MemoryRegion region) {
        Gid group = Gid.parse("239.1.2.3");
        int key = 0x1234_5678;
        QueuePair member =
                domain.queuePair(QueuePairType.UD, it -> it.completions(completions).queueKey(key));
        member.activate();
        member.attachMulticast(group, 0);
        AddressHandle all = domain.addressHandle(Address.multicast(group, 0));
        member.post(
                batch -> batch.send(region.slice(0, 100)).to(all, QueuePair.MULTICAST_NUMBER, key));
    }

    static void shared(
            ProtectionDomain domain,
            CompletionQueue completions,
            MemoryRegion region,
            List<Endpoint> peers) {
        SharedReceiveQueue receives = domain.sharedReceiveQueue(1024);
        for (int i = 0; i < 1024; i++) {
            LocalSlice into = region.slice(i * 4096L, 4096);
            long id = i;
            receives.postReceive(batch -> batch.receive(into).id(id));
        }
        receives.limit(128);
        for (Endpoint peer : peers) {
            QueuePair pair =
                    domain.queuePair(
                            QueuePairType.RC,
                            it -> it.completions(completions).sharedReceives(receives));
            pair.connect(peer);
        }
    }

    static void window(ProtectionDomain domain, QueuePair pair, MemoryRegion message) {
        MemoryRegion region = domain.allocate(1 << 20, Access.LOCAL_WRITE, Access.WINDOW_BIND);
        MemoryWindow window = domain.window(WindowType.TYPE_2);
        LocalSlice part = region.slice(4096, 1024);
        pair.post(
                batch -> {
                    batch.bind(window, part, Access.REMOTE_WRITE);
                    long address = region.address() + part.offset();
                    byte[] open = new RemoteSlice(address, 1024, window.remoteKey()).toBytes();
                    message.segment().copyFrom(MemorySegment.ofArray(open));
                    batch.send(message.slice(0, open.length));
                });
    }

    private static void handle(Completion done) {}
}
