package dev.verbena.samples;

import module dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.time.Duration;

/// Listens, accepts one peer, and sends its messages back until it disconnects; see `EchoClient`.
final class EchoServer {
    static final int PORT = 7471;
    static final int BYTES = 1024;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final CompletionQueue completions;
    private final MemoryRegion region; // bytes to send, then received bytes
    private final QueuePair pair;

    private EchoServer(Device device) {
        completions = device.completionQueue(16);
        ProtectionDomain domain = device.protectionDomain();
        region = domain.allocate(2 * BYTES, Access.LOCAL_WRITE);
        pair = domain.queuePair(QueuePairType.RC, it -> it.completions(completions));
        receive(); // before the peer can send
    }

    public static void main(String[] args) throws ConnectionFailedException {
        String uri = args.length > 0 ? args[0] : "roce://127.0.0.1";
        try (Device device = Devices.open(uri);
                Listener listener = device.listen(PORT, 8)) {
            System.out.println(uri + " listens at port " + PORT);
            ConnectionRequest request = listener.await(LIMIT);
            if (request == null) {
                throw new IllegalStateException(
                        "no peer connected within " + LIMIT.toSeconds() + " s");
            }
            EchoServer server = new EchoServer(device);
            try (Connection connection = request.accept(server.pair)) {
                connection.await(LIMIT);
                System.out.println("connected to " + connection.peer());
                server.serve(connection);
            }
            System.out.println("the peer has left");
        }
    }

    private void serve(Connection connection) {
        while (connection.state() == Connection.State.ESTABLISHED) {
            completions.await(Duration.ofMillis(100), this::answer);
        }
    }

    private void answer(Completion done) {
        if (!done.isSuccess() || done.operation() != CompletedOperation.RECEIVE) {
            return; // our answer has left, or the peer has
        }
        long length = done.byteLength();
        MemorySegment.copy(region.segment(), BYTES, region.segment(), 0, length);
        receive();
        pair.sends().send().local(region, 0, length).signaled().post();
    }

    private void receive() {
        pair.receives().receive().local(region, BYTES, BYTES).post();
    }
}
