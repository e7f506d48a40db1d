package dev.verbena.samples;

import static java.nio.charset.StandardCharsets.US_ASCII;

import module dev.verbena.verbs;

import java.time.Duration;

/// Finds a datagram queue pair by a port, and sends to it.
final class Resolve {
    private static final int PORT = 7471;
    private static final long BYTES = 256;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    public static void main(String[] args) {
        try (Device left = Devices.open(args.length > 0 ? args[0] : "loopback://left");
                Device right = Devices.open(args.length > 1 ? args[1] : "loopback://right");
                DatagramListener listener = right.listenForDatagrams(PORT, 8)) {
            ProtectionDomain there = right.protectionDomain();
            CompletionQueue heard = right.completionQueue(16);
            MemoryRegion inbox = there.allocate(BYTES, Access.LOCAL_WRITE);
            QueuePair service = pair(there, heard);
            service.postReceive(it -> it.receive(inbox.slice(0, BYTES)));

            Address address = Address.to(service.endpoint()); // Address.to(Gid) does on a network
            Resolution resolution = left.resolve(address, PORT, "may I?".getBytes(US_ASCII));
            DatagramRequest request = listener.await(LIMIT);
            if (request == null) {
                throw new IllegalStateException("no peer sent a request");
            }
            System.out.println("asked: " + text(request.privateData()));
            request.accept(service, "you may".getBytes(US_ASCII));
            resolution.await(LIMIT);
            System.out.println("answered: " + text(resolution.privateData()));

            ProtectionDomain here = left.protectionDomain();
            MemoryRegion outbox = here.allocate(BYTES);
            outbox.segment().setString(0, "hello");
            QueuePair client = pair(here, left.completionQueue(16));
            AddressHandle way = here.addressHandle(resolution.address());
            int number = resolution.queuePair();
            int key = resolution.queueKey();
            client.post(it -> it.send(outbox.slice(0, 6)).to(way, number, key));
            heard.await(LIMIT, done -> {});
            System.out.println("heard: " + inbox.segment().getString(DatagramHeader.LENGTH));
        } catch (ConnectionFailedException failure) {
            throw new IllegalStateException(failure); // says who refused what, and why
        }
    }

    private static QueuePair pair(ProtectionDomain domain, CompletionQueue queue) {
        QueuePair pair = domain.queuePair(QueuePairType.UD, it -> it.completions(queue));
        pair.activate(); // before naming it to peers
        return pair;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, US_ASCII).trim(); // without the zeros behind it
    }
}
