package dev.verbena.netty;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.MessageSizeEstimator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.ServerSocketChannelConfig;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The options of a server channel. `SO_BACKLOG` says how many peers may wait; `SO_REUSEADDR` and
/// `SO_RCVBUF` are kept and have no effect.
final class RdmaServerSocketChannelConfig extends DefaultChannelConfig
        implements ServerSocketChannelConfig {
    private static final int USUAL_BACKLOG = 256;

    private volatile int backlog = USUAL_BACKLOG;
    private volatile int receiveBufferSize;
    private volatile boolean reuseAddress;

    RdmaServerSocketChannelConfig(RdmaServerSocketChannel channel) {
        super(channel, new ServerChannelRecvByteBufAllocator());
    }

    @Override
    public Map<ChannelOption<?>, Object> getOptions() {
        return getOptions(
                super.getOptions(),
                ChannelOption.SO_BACKLOG,
                ChannelOption.SO_RCVBUF,
                ChannelOption.SO_REUSEADDR);
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as Netty declares it
    public <T> @Nullable T getOption(ChannelOption<T> option) {
        Object value = get(option);
        return value == null ? super.getOption(option) : (T) value;
    }

    private @Nullable Object get(ChannelOption<?> option) {
        if (option.equals(ChannelOption.SO_BACKLOG)) {
            return backlog;
        } else if (option.equals(ChannelOption.SO_RCVBUF)) {
            return receiveBufferSize;
        } else if (option.equals(ChannelOption.SO_REUSEADDR)) {
            return reuseAddress;
        }
        return null;
    }

    @Override
    public <T> boolean setOption(ChannelOption<T> option, T value) {
        if (get(option) == null) {
            return super.setOption(option, value);
        }
        validate(option, value);
        if (option.equals(ChannelOption.SO_BACKLOG)) {
            setBacklog((Integer) value);
        } else if (option.equals(ChannelOption.SO_RCVBUF)) {
            receiveBufferSize = (Integer) value;
        } else {
            reuseAddress = (Boolean) value;
        }
        return true;
    }

    @Override
    public int getBacklog() {
        return backlog;
    }

    @Override
    public ServerSocketChannelConfig setBacklog(int value) {
        backlog = Math.max(1, value);
        return this;
    }

    @Override
    public boolean isReuseAddress() {
        return reuseAddress;
    }

    @Override
    public ServerSocketChannelConfig setReuseAddress(boolean value) {
        reuseAddress = value;
        return this;
    }

    @Override
    public int getReceiveBufferSize() {
        return receiveBufferSize;
    }

    @Override
    public ServerSocketChannelConfig setReceiveBufferSize(int bytes) {
        receiveBufferSize = bytes;
        return this;
    }

    @Override
    public ServerSocketChannelConfig setPerformancePreferences(
            int connection, int latency, int bandwidth) {
        return this;
    }

    @Override
    public ServerSocketChannelConfig setConnectTimeoutMillis(int value) {
        super.setConnectTimeoutMillis(value);
        return this;
    }

    @Override
    @Deprecated
    public ServerSocketChannelConfig setMaxMessagesPerRead(int value) {
        super.setMaxMessagesPerRead(value);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setWriteSpinCount(int value) {
        super.setWriteSpinCount(value);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setAllocator(ByteBufAllocator value) {
        super.setAllocator(value);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setRecvByteBufAllocator(RecvByteBufAllocator value) {
        super.setRecvByteBufAllocator(value);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setAutoRead(boolean value) {
        super.setAutoRead(value);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setMessageSizeEstimator(MessageSizeEstimator value) {
        super.setMessageSizeEstimator(value);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setWriteBufferWaterMark(WriteBufferWaterMark value) {
        super.setWriteBufferWaterMark(value);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setWriteBufferHighWaterMark(int value) {
        super.setWriteBufferHighWaterMark(value);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setWriteBufferLowWaterMark(int value) {
        super.setWriteBufferLowWaterMark(value);
        return this;
    }
}
