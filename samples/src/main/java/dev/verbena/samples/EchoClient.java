package dev.verbena.samples;

import module dev.verbena.verbs;

import java.time.Duration;

/// Connects to an `EchoServer`, and prints the replies.
final class EchoClient {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    public static void main(String[] args) throws ConnectionFailedException {
        String uri = args.length > 0 ? args[0] : "roce://127.0.0.2";
        Gid server = Gid.parse(args.length > 1 ? args[1] : "127.0.0.1");
        try (Device device = Devices.open(uri)) {
            CompletionQueue completions = device.completionQueue(16);
            ProtectionDomain domain = device.protectionDomain();
            MemoryRegion region = domain.allocate(2L * EchoServer.BYTES, Access.LOCAL_WRITE);
            QueuePair pair = domain.queuePair(QueuePairType.RC, it -> it.completions(completions));
            long half = EchoServer.BYTES;
            pair.receives().receive().local(region, half, half).post();

            try (Connection connection =
                    device.connect(pair, Address.to(server), EchoServer.PORT)) {
                if (!connection.await(LIMIT)) {
                    throw new IllegalStateException(connection + ": not decided in time");
                }
                String text = "hello, " + connection.peer();
                region.segment().setString(0, text);
                pair.sends().send().local(region, 0, text.length() + 1L).signaled().post();
                for (int done = 0; done < 2; ) { // our message has left, and the answer is there
                    int more = completions.await(LIMIT, EchoClient::requireSuccess);
                    if (more == 0) {
                        throw new IllegalStateException(connection + ": no answer in time");
                    }
                    done += more;
                }
                System.out.println(region.segment().getString(half));
            }
        }
    }

    private static void requireSuccess(Completion done) {
        if (!done.isSuccess()) {
            throw new IllegalStateException(done.explanation());
        }
    }
}
