package dev.verbena.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// How each direction ends, and what a handler hears of it.
@SuppressWarnings("FutureReturnValueIgnored") // the peer counts what arrives
class HalfCloseTest {
    private static final int BYTES = 200_000;

    /// Answers the end of its input with as many bytes as it has read.
    private static final class Answer extends SimpleChannelInboundHandler<ByteBuf> {
        private final List<Object> events = new CopyOnWriteArrayList<>();
        private int count;

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
            count += bytes.readableBytes();
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            events.add(event);
            if (event == ChannelInputShutdownEvent.INSTANCE) {
                context.writeAndFlush(Numbered.fill(Unpooled.buffer(), 0, count));
            }
        }
    }

    @Test
    void aPeerAnswersAfterTheEndOfTheQuestion() throws Exception {
        try (TestLoops loops = new TestLoops()) {
            loops.serving.childOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
            Answer answer = new Answer();
            NumberedReader reader = new NumberedReader();
            Channel channel = loops.connect(loops.listen(() -> answer), reader);
            // As with sockets, the end fails what is still in the outbound buffer.
            TestLoops.finished(channel.writeAndFlush(Numbered.fill(Unpooled.buffer(), 0, BYTES)));
            TestLoops.finished(((SocketChannel) channel).shutdownOutput());
            reader.awaitCount(BYTES);
            SocketChannel peer = (SocketChannel) loops.accepted();
            TestLoops.until("both events", () -> answer.events.size() == 2);
            assertThat(answer.events)
                    .containsExactly(
                            ChannelInputShutdownEvent.INSTANCE,
                            ChannelInputShutdownReadComplete.INSTANCE);
            assertThat(peer.isOpen()).isTrue();
            assertThat(peer.isInputShutdown()).isTrue();
            TestLoops.finished(peer.close());
            reader.awaitInactive();
            assertThat(reader.failure()).isNull();
        }
    }

    @Test
    void withoutHalfClosureTheEndOfThePeerClosesTheChannel() throws Exception {
        try (TestLoops loops = new TestLoops()) {
            NumberedReader reader = new NumberedReader();
            Channel channel = loops.connect(loops.listen(() -> reader), new EchoHandler());
            TestLoops.finished(channel.writeAndFlush(Numbered.fill(Unpooled.buffer(), 0, BYTES)));
            TestLoops.finished(((SocketChannel) channel).shutdownOutput());
            reader.awaitInactive();
            assertThat(reader.count()).isEqualTo(BYTES);
            assertThat(reader.failure()).isNull();
        }
    }

    @Test
    void aChannelThatDoesNotReadHearsOfTheEndOfItsPeer() throws Exception {
        try (TestLoops loops = new TestLoops()) {
            loops.serving.childOption(ChannelOption.AUTO_READ, false);
            NumberedReader reader = new NumberedReader();
            Channel channel = loops.connect(loops.listen(() -> reader), new EchoHandler());
            loops.accepted();
            TestLoops.finished(channel.close());
            reader.awaitInactive();
        }
    }

    @Test
    void aLingerTimeOfZeroIsAReset() throws Exception {
        try (TestLoops loops = new TestLoops()) {
            loops.connecting.option(ChannelOption.SO_LINGER, 0);
            NumberedReader reader = new NumberedReader();
            Channel channel = loops.connect(loops.listen(() -> reader), new EchoHandler());
            loops.accepted();
            TestLoops.finished(channel.close());
            reader.awaitInactive();
            assertThat(reader.failure()).isInstanceOf(IOException.class);
        }
    }
}
