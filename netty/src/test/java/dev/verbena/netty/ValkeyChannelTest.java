package dev.verbena.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.stream.StreamSettings;
import dev.verbena.verbs.UnsupportedException;
import io.netty.buffer.Unpooled;
import io.netty.channel.socket.SocketChannel;
import org.junit.jupiter.api.Test;

/// Channels in Valkey's protocol, which cannot end one direction alone.
class ValkeyChannelTest {
    @Test
    void anEndOfTheOutputFailsAndTheChannelGoesOn() {
        try (TestLoops loops = new TestLoops(1, StreamSettings.VALKEY)) {
            NumberedReader reader = new NumberedReader();
            SocketChannel channel = (SocketChannel) loops.connect(loops.listen(), reader);
            assertThat(TestLoops.failed(channel.shutdownOutput()))
                    .isInstanceOf(UnsupportedException.class);
            assertThat(channel.isOutputShutdown()).isFalse();
            TestLoops.finished(channel.writeAndFlush(Numbered.fill(Unpooled.buffer(), 0, 1000)));
            reader.awaitCount(1000);
        }
    }
}
