package example.vertx;

import dev.verbena.netty.RdmaIoHandler;
import dev.verbena.netty.RdmaServerSocketChannel;
import dev.verbena.netty.RdmaSocketChannel;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.transport.Transport;

/// Makes a Vert.x use RDMA: `Vertx.builder().withTransport(new RdmaTransport("roce://192.0.2.1"))`.
public final class RdmaTransport implements Transport, io.vertx.core.spi.transport.Transport {
    private final String device;

    /// One for all event loops: a connection is accepted by another loop than that of its listener,
    /// and both must have the same device.
    private final IoHandlerFactory loops;

    public RdmaTransport(String device) {
        this.device = device;
        loops = RdmaIoHandler.newFactory(device);
    }

    @Override
    public String name() {
        return "rdma " + device;
    }

    @Override
    public boolean available() {
        return true;
    }

    @Override
    public Throwable unavailabilityCause() {
        return null;
    }

    @Override
    public io.vertx.core.spi.transport.Transport implementation() {
        return this;
    }

    @Override
    public IoHandlerFactory ioHandlerFactory() {
        return loops;
    }

    @Override
    public ChannelFactory<? extends Channel> channelFactory(boolean isDomainSocket) {
        return RdmaSocketChannel::new;
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean isDomainSocket) {
        return RdmaServerSocketChannel::new;
    }

    @Override
    public ChannelFactory<? extends DatagramChannel> datagramChannelFactory() {
        throw new UnsupportedOperationException("this transport has no datagrams");
    }

    @Override
    public DatagramChannel datagramChannel(InternetProtocolFamily family) {
        throw new UnsupportedOperationException("this transport has no datagrams");
    }
}
