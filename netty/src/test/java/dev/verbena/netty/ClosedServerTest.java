package dev.verbena.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import java.net.BindException;
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
            Channel server = unreadServer(loops);
            List<ChannelFuture> connects = crowd(loops, server);
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
    void eachReadAcceptsOneWhenTheProgramAsksForEach() throws Exception {
        try (TestLoops loops = new TestLoops()) {
            Channel server = unreadServer(loops);
            crowd(loops, server);
            for (int read = 0; read < 5; read++) {
                server.read();
                loops.accepted();
                assertThat(loops.acceptedNow()).isZero();
            }
            // Whatever the loop has under way is over when it has come round some times.
            for (int round = 0; round < 20; round++) {
                TestLoops.finished(server.eventLoop().submit(() -> {}));
            }
            assertThat(loops.acceptedNow()).isZero();
        }
    }

    @Test
    void isBoundToTheAddressOfItsDeviceOnly() {
        try (TestLoops loops = new TestLoops()) {
            String other = RdmaPermutation.HOST.replaceFirst("1$", "9");
            assertThat(TestLoops.failed(loops.serving.bind(other, 0)))
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining(RdmaPermutation.HOST);
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

    /// A server that accepts when it is asked to, and keeps few requests.
    private static Channel unreadServer(TestLoops loops) {
        loops.serving.option(ChannelOption.AUTO_READ, false);
        loops.serving.option(ChannelOption.SO_BACKLOG, 4);
        loops.connecting.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0);
        return loops.listen();
    }

    /// So many connects that one is refused: all places where a request can wait are taken.
    private static List<ChannelFuture> crowd(TestLoops loops, Channel server) {
        List<ChannelFuture> connects = connect(loops, server, 40);
        TestLoops.until("a refusal", () -> connects.stream().anyMatch(ChannelFuture::isDone));
        return connects;
    }

    @Test
    void aConnectThatIsCancelledClosesItsChannel() {
        try (TestLoops loops = new TestLoops()) {
            Channel server = unreadServer(loops);
            // A bootstrap's connect would close the channel by itself.
            Channel channel =
                    TestLoops.channel(
                            loops.connecting.clone().handler(new EchoHandler()).register());
            ChannelFuture connect = channel.connect(server.localAddress());
            TestLoops.finished(channel.eventLoop().submit(() -> {}));
            assertThat(connect.cancel(false)).isTrue();
            TestLoops.finished(channel.closeFuture());
        }
    }

    @Test
    void aConnectToNoServerFails() {
        try (TestLoops loops = new TestLoops()) {
            Channel server = loops.listen();
            TestLoops.finished(server.close());
            ChannelFuture connect = connect(loops, server, 1).getFirst();
            assertThat(TestLoops.failed(connect)).isInstanceOf(ConnectException.class);
            TestLoops.finished(connect.channel().closeFuture());
        }
    }

    @Test
    void bothEndsKnowEachOther() throws Exception {
        try (TestLoops loops = new TestLoops()) {
            Channel server = loops.listen();
            Channel channel = loops.connect(server, new EchoHandler());
            assertThat(channel.remoteAddress()).isEqualTo(server.localAddress());
            assertThat(loops.accepted().remoteAddress()).isEqualTo(channel.localAddress());
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
