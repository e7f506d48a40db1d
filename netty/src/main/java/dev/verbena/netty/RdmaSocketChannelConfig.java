package dev.verbena.netty;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.MessageSizeEstimator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannelConfig;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The options of a socket channel. `ALLOW_HALF_CLOSURE` and `SO_LINGER` work as with sockets;
/// other options of sockets are taken and kept, so that programs that set them run, and have no
/// effect: the streams send at once, look for silent peers, and have rings of the group's size.
final class RdmaSocketChannelConfig extends DefaultChannelConfig implements SocketChannelConfig {
    private volatile boolean allowHalfClosure;
    private volatile boolean tcpNoDelay = true;
    private volatile boolean keepAlive = true;
    private volatile boolean reuseAddress;
    private volatile int soLinger = -1;
    private volatile int sendBufferSize;
    private volatile int receiveBufferSize;
    private volatile int trafficClass;

    RdmaSocketChannelConfig(RdmaSocketChannel channel) {
        super(channel);
    }

    @Override
    public Map<ChannelOption<?>, Object> getOptions() {
        return getOptions(
                super.getOptions(),
                ChannelOption.ALLOW_HALF_CLOSURE,
                ChannelOption.TCP_NODELAY,
                ChannelOption.SO_KEEPALIVE,
                ChannelOption.SO_REUSEADDR,
                ChannelOption.SO_LINGER,
                ChannelOption.SO_SNDBUF,
                ChannelOption.SO_RCVBUF,
                ChannelOption.IP_TOS);
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as Netty declares it
    public <T> @Nullable T getOption(ChannelOption<T> option) {
        Object value = get(option);
        return value == null ? super.getOption(option) : (T) value;
    }

    private @Nullable Object get(ChannelOption<?> option) {
        if (option.equals(ChannelOption.ALLOW_HALF_CLOSURE)) {
            return allowHalfClosure;
        } else if (option.equals(ChannelOption.TCP_NODELAY)) {
            return tcpNoDelay;
        } else if (option.equals(ChannelOption.SO_KEEPALIVE)) {
            return keepAlive;
        } else if (option.equals(ChannelOption.SO_REUSEADDR)) {
            return reuseAddress;
        } else if (option.equals(ChannelOption.SO_LINGER)) {
            return soLinger;
        } else if (option.equals(ChannelOption.SO_SNDBUF)) {
            return sendBufferSize;
        } else if (option.equals(ChannelOption.SO_RCVBUF)) {
            return receiveBufferSize;
        } else if (option.equals(ChannelOption.IP_TOS)) {
            return trafficClass;
        }
        return null;
    }

    @Override
    public <T> boolean setOption(ChannelOption<T> option, T value) {
        if (get(option) == null) {
            return super.setOption(option, value);
        }
        validate(option, value);
        if (value instanceof Boolean is) {
            set(option, is);
        } else if (value instanceof Integer number) {
            set(option, number);
        }
        return true;
    }

    private void set(ChannelOption<?> option, boolean value) {
        if (option.equals(ChannelOption.ALLOW_HALF_CLOSURE)) {
            allowHalfClosure = value;
        } else if (option.equals(ChannelOption.TCP_NODELAY)) {
            tcpNoDelay = value;
        } else if (option.equals(ChannelOption.SO_KEEPALIVE)) {
            keepAlive = value;
        } else {
            reuseAddress = value;
        }
    }

    private void set(ChannelOption<?> option, int value) {
        if (option.equals(ChannelOption.SO_LINGER)) {
            soLinger = value;
        } else if (option.equals(ChannelOption.SO_SNDBUF)) {
            sendBufferSize = value;
        } else if (option.equals(ChannelOption.SO_RCVBUF)) {
            receiveBufferSize = value;
        } else {
            trafficClass = value;
        }
    }

    @Override
    public boolean isTcpNoDelay() {
        return tcpNoDelay;
    }

    @Override
    public SocketChannelConfig setTcpNoDelay(boolean value) {
        tcpNoDelay = value;
        return this;
    }

    @Override
    public int getSoLinger() {
        return soLinger;
    }

    @Override
    public SocketChannelConfig setSoLinger(int seconds) {
        soLinger = seconds;
        return this;
    }

    @Override
    public int getSendBufferSize() {
        return sendBufferSize;
    }

    @Override
    public SocketChannelConfig setSendBufferSize(int bytes) {
        sendBufferSize = bytes;
        return this;
    }

    @Override
    public int getReceiveBufferSize() {
        return receiveBufferSize;
    }

    @Override
    public SocketChannelConfig setReceiveBufferSize(int bytes) {
        receiveBufferSize = bytes;
        return this;
    }

    @Override
    public boolean isKeepAlive() {
        return keepAlive;
    }

    @Override
    public SocketChannelConfig setKeepAlive(boolean value) {
        keepAlive = value;
        return this;
    }

    @Override
    public int getTrafficClass() {
        return trafficClass;
    }

    @Override
    public SocketChannelConfig setTrafficClass(int value) {
        trafficClass = value;
        return this;
    }

    @Override
    public boolean isReuseAddress() {
        return reuseAddress;
    }

    @Override
    public SocketChannelConfig setReuseAddress(boolean value) {
        reuseAddress = value;
        return this;
    }

    @Override
    public SocketChannelConfig setPerformancePreferences(
            int connection, int latency, int bandwidth) {
        return this;
    }

    @Override
    public boolean isAllowHalfClosure() {
        return allowHalfClosure;
    }

    @Override
    public SocketChannelConfig setAllowHalfClosure(boolean value) {
        allowHalfClosure = value;
        return this;
    }

    @Override
    public SocketChannelConfig setConnectTimeoutMillis(int value) {
        super.setConnectTimeoutMillis(value);
        return this;
    }

    @Override
    @Deprecated
    public SocketChannelConfig setMaxMessagesPerRead(int value) {
        super.setMaxMessagesPerRead(value);
        return this;
    }

    @Override
    public SocketChannelConfig setWriteSpinCount(int value) {
        super.setWriteSpinCount(value);
        return this;
    }

    @Override
    public SocketChannelConfig setAllocator(ByteBufAllocator value) {
        super.setAllocator(value);
        return this;
    }

    @Override
    public SocketChannelConfig setRecvByteBufAllocator(RecvByteBufAllocator value) {
        super.setRecvByteBufAllocator(value);
        return this;
    }

    @Override
    public SocketChannelConfig setAutoRead(boolean value) {
        super.setAutoRead(value);
        return this;
    }

    @Override
    protected void autoReadCleared() {
        ((RdmaSocketChannel) channel).clearReadPending();
    }

    @Override
    public SocketChannelConfig setAutoClose(boolean value) {
        super.setAutoClose(value);
        return this;
    }

    @Override
    public SocketChannelConfig setMessageSizeEstimator(MessageSizeEstimator value) {
        super.setMessageSizeEstimator(value);
        return this;
    }

    @Override
    public SocketChannelConfig setWriteBufferWaterMark(WriteBufferWaterMark value) {
        super.setWriteBufferWaterMark(value);
        return this;
    }

    @Override
    public SocketChannelConfig setWriteBufferHighWaterMark(int value) {
        super.setWriteBufferHighWaterMark(value);
        return this;
    }

    @Override
    public SocketChannelConfig setWriteBufferLowWaterMark(int value) {
        super.setWriteBufferLowWaterMark(value);
        return this;
    }
}
