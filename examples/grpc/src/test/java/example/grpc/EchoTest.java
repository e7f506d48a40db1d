package example.grpc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.netty.channel.EventLoopGroup;
import java.net.InetSocketAddress;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class EchoTest {
    @Test
    void answersCallsOverRdma() throws Exception {
        EventLoopGroup group = Echo.group("roce://127.0.0.1", 2);
        Server server = Echo.serve(group, new InetSocketAddress("127.0.0.1", 0));
        ManagedChannel channel =
                Echo.connect(group, new InetSocketAddress("127.0.0.1", server.getPort()));
        try {
            Random random = new Random(7);
            for (int bytes : new int[] {0, 1, 64, 10_000, 1_000_000}) {
                byte[] request = new byte[bytes];
                random.nextBytes(request);
                assertArrayEquals(request, Echo.echo(channel, request));
            }
        } finally {
            channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
            server.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
        }
    }
}
