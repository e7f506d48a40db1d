package dev.verbena.benchmarks;

import dev.verbena.transport.Loopback;
import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.DatagramHeader;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SharedReceiveQueue;

/// Two devices joined in memory, in one thread: datagrams, and connections that share receives.
final class Datagrams {
    private final MemoryRegion source;
    private final MemoryRegion target;
    private final QueuePair sender;
    private final QueuePair receiver;
    private final QueuePair connected;
    private final SharedReceiveQueue shared;
    private final AddressHandle way;
    private final int number;
    private final int key;
    private final CompletionQueue sent;
    private final CompletionQueue received;

    Datagrams(int bytes) {
        Loopback network = new Loopback(1);
        TransportDevice left = network.open("left");
        TransportDevice right = network.open("right");
        ProtectionDomain here = left.protectionDomain();
        ProtectionDomain there = right.protectionDomain();
        sent = left.completionQueue(256);
        received = right.completionQueue(256);
        source = here.allocate(bytes, Access.LOCAL_WRITE);
        target = there.allocate(DatagramHeader.LENGTH + bytes, Access.LOCAL_WRITE);
        sender = here.queuePair(QueuePairType.UD, options -> options.completions(sent));
        receiver = there.queuePair(QueuePairType.UD, options -> options.completions(received));
        sender.activate();
        receiver.activate();
        way = here.addressHandle(Address.to(receiver.endpoint()));
        number = receiver.number();
        key = receiver.endpoint().queueKey();
        shared = there.sharedReceiveQueue(256);
        connected = here.queuePair(QueuePairType.RC, options -> options.completions(sent));
        QueuePair answering =
                there.queuePair(
                        QueuePairType.RC,
                        options -> options.completions(received).sharedReceives(shared));
        connected.connect(answering.endpoint());
        answering.connect(connected.endpoint());
    }

    /// A datagram, from both posts to both completions.
    long datagram(int bytes) {
        receiver.receives().receive().local(target, 0, target.length()).id(8).post();
        sender.sends().send().to(way, number, key).local(source, 0, bytes).id(7).signaled().post();
        return BackToBack.finish(sent) + BackToBack.finish(received);
    }

    /// A SEND of a reliable connection into a shared receive queue.
    long shared(int bytes) {
        shared.receives().receive().local(target, 0, bytes).id(8).post();
        connected.sends().send().local(source, 0, bytes).id(7).signaled().post();
        return BackToBack.finish(sent) + BackToBack.finish(received);
    }
}
