package dev.verbena.samples;

import module dev.verbena.verbs;

import java.lang.foreign.ValueLayout;
import java.time.Duration;

/// Ping-pong with SEND over a reliable connection, after libibverbs' `ibv_rc_pingpong`.
///
/// Both sides run in one thread here. Usually each is a program of its own, and the endpoints
/// travel through a socket, as `Endpoint.toBytes()`.
final class PingPong {
    private static final int BYTES = 4096;
    private static final int ITERATIONS = 10_000;

    public static void main(String[] args) {
        try (Device left = Devices.open(args.length > 0 ? args[0] : "loopback://left");
                Device right = Devices.open(args.length > 1 ? args[1] : "loopback://right")) {
            Side ping = new Side(left);
            Side pong = new Side(right);
            ping.pair.connect(pong.pair.endpoint());
            pong.pair.connect(ping.pair.endpoint());

            long startNs = System.nanoTime();
            for (long i = 0; i < ITERATIONS; i++) {
                ping.send(2 * i);
                pong.send(pong.receive() + 1);
                if (ping.receive() != 2 * i + 1) {
                    throw new IllegalStateException("a wrong answer in iteration " + i);
                }
            }
            double us = (System.nanoTime() - startNs) / 1e3;
            long bytes = 2L * BYTES * ITERATIONS;
            System.out.printf("%d bytes in %.2f s, %.0f Mbit/s%n", bytes, us / 1e6, 8 * bytes / us);
            System.out.printf("%d iterations, %.2f µs/iteration%n", ITERATIONS, us / ITERATIONS);
        }
    }

    /// The objects needed to send and receive one message at a time; closed with the device.
    private static final class Side {
        private final CompletionQueue sent;
        private final CompletionQueue arrived;
        private final MemoryRegion region; // the message to send, then the one received
        private final QueuePair pair;

        Side(Device device) {
            sent = device.completionQueue(16);
            arrived = device.completionQueue(16);
            ProtectionDomain domain = device.protectionDomain();
            region = domain.allocate(2 * BYTES, Access.LOCAL_WRITE);
            pair =
                    domain.queuePair(
                            QueuePairType.RC,
                            it -> it.sendCompletions(sent).receiveCompletions(arrived));
            pair.receives().receive().local(region, BYTES, BYTES).post(); // before any can come
        }

        void send(long value) {
            region.segment().set(ValueLayout.JAVA_LONG, 0, value);
            pair.sends().send().local(region, 0, BYTES).signaled().post();
        }

        long receive() {
            if (arrived.await(Duration.ofSeconds(1), PingPong::requireSuccess) == 0) {
                throw new IllegalStateException(pair + ": no message within a second");
            }
            sent.poll(16, PingPong::requireSuccess); // which makes room for the next send
            long value = region.segment().get(ValueLayout.JAVA_LONG, BYTES);
            pair.receives().receive().local(region, BYTES, BYTES).post();
            return value;
        }
    }

    private static void requireSuccess(Completion done) {
        if (!done.isSuccess()) {
            throw new IllegalStateException(done.explanation());
        }
    }
}
