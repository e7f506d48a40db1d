package dev.verbena.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A peer that is killed sends no farewell; docs/streams.md says when that is noticed.
@Timeout(120)
@Tag("slow")
class KilledPeerTest {
    @Test
    void anIdleChannelBecomesInactive() throws Exception {
        try (TestLoops loops = new TestLoops()) {
            NumberedReader reader = new NumberedReader();
            Channel server = loops.listen(() -> reader);
            try (PeerProcess peer = new PeerProcess((InetSocketAddress) server.localAddress())) {
                Channel channel = loops.accepted();
                TestLoops.finished(
                        channel.writeAndFlush(Numbered.fill(Unpooled.buffer(), 0, 50_000)));
                reader.awaitCount(50_000);
                peer.kill();
            }
            long killedNs = System.nanoTime();
            reader.awaitInactive();
            System.out.printf(
                    "KilledPeerTest: an idle channel was inactive %.1f s after its peer was"
                            + " killed%n",
                    (System.nanoTime() - killedNs) / 1e9);
            assertThat(reader.failure()).isInstanceOf(IOException.class);
        }
    }

    @Test
    void writesUnderWayFail() throws Exception {
        try (TestLoops loops = new TestLoops()) {
            NumberedReader reader = new NumberedReader();
            loops.serving.childOption(ChannelOption.AUTO_READ, false);
            Channel server = loops.listen(() -> reader);
            List<ChannelFuture> writes = new ArrayList<>();
            try (PeerProcess peer = new PeerProcess((InetSocketAddress) server.localAddress())) {
                Channel channel = loops.accepted();
                // The peer echoes and is not read, so both directions fill up.
                while (channel.isWritable() || writes.size() < 200) {
                    writes.add(
                            channel.writeAndFlush(
                                    Numbered.fill(
                                            Unpooled.buffer(), writes.size() * 10_000L, 10_000)));
                }
                TestLoops.until("full rings", () -> writes.get(10).isDone());
                peer.kill();
                assertThat(TestLoops.failed(writes.getLast())).isInstanceOf(IOException.class);
                TestLoops.finished(channel.closeFuture());
            }
            assertThat(writes).allMatch(ChannelFuture::isDone);
            reader.awaitInactive();
        }
    }
}
