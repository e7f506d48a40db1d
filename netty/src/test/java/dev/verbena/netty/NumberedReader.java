package dev.verbena.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Wait;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Reads [Numbered] bytes, and remembers how many were right, what failed, and the end.
final class NumberedReader extends SimpleChannelInboundHandler<ByteBuf> {
    private final CountDownLatch inactive = new CountDownLatch(1);
    private final AtomicLong count = new AtomicLong();
    private volatile @Nullable Throwable failure;

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
        byte[] read = ByteBufUtil.getBytes(bytes);
        long position = count.get();
        int wrong = Arrays.mismatch(read, Numbered.bytes(position, read.length));
        assertThat(wrong).as("a wrong byte at %d and", position).isNegative();
        count.set(position + read.length);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        inactive.countDown();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        failure = cause;
    }

    long count() {
        return count.get();
    }

    @Nullable Throwable failure() {
        return failure;
    }

    void awaitCount(long wanted) {
        awaitCount(wanted, TestLoops.LIMIT_S);
    }

    void awaitCount(long wanted, long limitS) {
        Wait.until(
                wanted + " bytes",
                Duration.ofSeconds(limitS),
                () -> count.get() >= wanted || failure != null);
        assertThat(failure).isNull();
        assertThat(count.get()).isEqualTo(wanted);
    }

    void awaitInactive() throws InterruptedException {
        assertThat(inactive.await(TestLoops.LIMIT_S, TimeUnit.SECONDS))
                .as("channelInactive")
                .isTrue();
    }
}
