package dev.verbena.samples;

import module dev.verbena.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.function.Consumer;

/// Datagrams: two services share their receives, and all clients hear a multicast group.
final class Datagrams {
    private static final int CLIENTS = 4;
    private static final long BYTES = 256;
    private static final int HEADER = DatagramHeader.LENGTH; // in front of everything received
    private static final int KEY = 0x2EC0_0FFE; // what every datagram must show here
    private static final Gid GROUP = Gid.parse("239.190.42.1");

    public static void main(String[] args) {
        try (Device left = Devices.open(args.length > 0 ? args[0] : "loopback://left");
                Device right = Devices.open(args.length > 1 ? args[1] : "loopback://right")) {
            ProtectionDomain there = right.protectionDomain();
            CompletionQueue asked = right.completionQueue(16);
            MemoryRegion questions = there.allocate(CLIENTS * BYTES, Access.LOCAL_WRITE);
            SharedReceiveQueue receives = there.sharedReceiveQueue(CLIENTS);
            for (long at = 0; at < CLIENTS * BYTES; at += BYTES) {
                receives.receives().receive(questions.slice(at, BYTES)).id(at).post();
            }
            QueuePair even = pair(there, asked, it -> it.sharedReceives(receives));
            QueuePair odd = pair(there, asked, it -> it.sharedReceives(receives));
            ProtectionDomain here = left.protectionDomain();
            CompletionQueue heard = left.completionQueue(16);
            MemoryRegion answers = here.allocate(CLIENTS * BYTES, Access.LOCAL_WRITE);
            AddressHandle way = here.addressHandle(Address.to(even.endpoint())); // and to odd
            for (int i = 0; i < CLIENTS; i++) {
                QueuePair client = pair(here, heard, it -> {});
                client.attachMulticast(GROUP, 0);
                LocalSlice into = answers.slice(i * BYTES, BYTES);
                client.postReceive(it -> it.receive(into).id(into.offset()).receive(into));
                MemorySegment text = Arena.ofAuto().allocateFrom("question " + i);
                Endpoint service = i % 2 == 0 ? even.endpoint() : odd.endpoint();
                client.post(it -> it.send().inline(text, 0, text.byteSize()).to(way, service));
            }

            await(asked, it -> echo(it, questions, it.queuePair() == odd.number() ? odd : even));
            await(heard, it -> System.out.println(answers.segment().getString(it.id() + HEADER)));
            AddressHandle all = there.addressHandle(Address.multicast(GROUP, 0));
            even.post(it -> it.send().to(all, QueuePair.MULTICAST_NUMBER, KEY));
            await(heard, it -> System.out.println("announcement heard"));
        }
    }

    private static QueuePair pair(
            ProtectionDomain domain, CompletionQueue queue, Consumer<QueuePairOptions> more) {
        Consumer<QueuePairOptions> all = it -> more.accept(it.completions(queue).queueKey(KEY));
        QueuePair pair = domain.queuePair(QueuePairType.UD, all);
        pair.activate();
        return pair;
    }

    private static void echo(Completion asked, MemoryRegion questions, QueuePair service) {
        LocalSlice text = questions.slice(asked.id() + HEADER, asked.byteLength() - HEADER);
        var us = service.domain().device().gids(1);
        var back = Address.replyTo(asked, questions.segment(), asked.id(), us);
        try (AddressHandle way = service.domain().addressHandle(back)) {
            service.post(it -> it.send(text).to(way, asked.sourceQueuePair(), KEY));
        }
    }

    private static void await(CompletionQueue queue, Consumer<Completion> handler) {
        for (int done = 0; done < CLIENTS; ) {
            int before = done;
            done += queue.await(Duration.ofSeconds(1), handler);
            if (done == before) {
                throw new IllegalStateException("a datagram was lost, as they may be");
            }
        }
    }
}
