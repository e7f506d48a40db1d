package dev.verbena.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/// Requests that a server has not accepted.
class ClosedServerTest {
    /// A server takes requests ahead of its loop; each of them must be answered when it closes.
    @RepeatedTest(5)
    void rejectsAllThatWaitWhenItCloses() {
        try (TestLoops loops = new TestLoops()) {
            loops.serving.option(ChannelOption.AUTO_READ, false);
            loops.serving.option(ChannelOption.SO_BACKLOG, 4);
            loops.connecting.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0);
            Channel server = loops.listen();
            List<ChannelFuture> connects = connect(loops, server, 40);
            // Once one is refused, both queues are full.
            TestLoops.until("a refusal", () -> connects.stream().anyMatch(ChannelFuture::isDone));
            assertThat(connects.stream().filter(connect -> !connect.isDone()).count())
                    .isGreaterThan(16);
            TestLoops.finished(server.close());
            for (ChannelFuture connect : connects) {
                assertThat(TestLoops.failed(connect)).isInstanceOf(ConnectException.class);
            }
        }
    }

    @Test
    void leavesTheChannelsThatItHasAccepted() throws Exception {
        try (TestLoops loops = new TestLoops()) {
            Channel server = loops.listen();
            NumberedReader reader = new NumberedReader();
            Channel channel = loops.connect(server, reader);
            TestLoops.finished(server.close());
            assertThat(loops.accepted().isOpen()).isTrue();
            TestLoops.finished(
                    channel.writeAndFlush(Numbered.fill(channel.alloc().buffer(), 0, 1000)));
            reader.awaitCount(1000);
        }
    }

    @Test
    void aServerThatDoesNotReadAcceptsWhenItReads() throws Exception {
        try (TestLoops loops = new TestLoops()) {
            loops.serving.option(ChannelOption.AUTO_READ, false);
            Channel server = loops.listen();
            ChannelFuture connect = connect(loops, server, 1).getFirst();
            server.read();
            loops.accepted();
            TestLoops.finished(connect);
        }
    }

    @Test
    void aConnectThatIsNotAcceptedInTimeFails() {
        try (TestLoops loops = new TestLoops()) {
            loops.serving.option(ChannelOption.AUTO_READ, false);
            loops.connecting.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 50);
            ChannelFuture connect = connect(loops, loops.listen(), 1).getFirst();
            assertThat(TestLoops.failed(connect)).isInstanceOf(ConnectTimeoutException.class);
            TestLoops.finished(connect.channel().closeFuture());
        }
    }

    private static List<ChannelFuture> connect(TestLoops loops, Channel server, int count) {
        List<ChannelFuture> connects = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            connects.add(
                    loops.connecting
                            .clone()
                            .handler(new EchoHandler())
                            .connect(server.localAddress()));
        }
        return connects;
    }
}
