package dev.verbena.roce;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.NoDeviceException;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/// One socket with the functions of every JDK: a packet for each call, its payload copied after its
/// headers.
///
/// It sees no congestion bits, and Linux does not deliver IPv6 packets without a UDP checksum to
/// it, which rxe sends.
final class PortableDatagrams implements Datagrams {
    private static final long MS = 1_000_000;
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final String reason;
    private final DatagramChannel channel;
    private final Selector selector;
    private final int port;
    private final int receiveBuffer;
    private final PortableGroups groups;
    private ByteBuffer outgoing = NONE;
    private ByteBuffer incoming = NONE;
    private int trafficClass;

    /// @param reason why it is used
    PortableDatagrams(RoceSettings settings, Link link, String reason) {
        this.reason = reason;
        Gid own = settings.address();
        InetAddress address = own.toInetAddress();
        @Nullable DatagramChannel opened = null;
        @Nullable Selector looking = null;
        try {
            boolean isIpv4 = own.isIpv4();
            opened =
                    DatagramChannel.open(
                            isIpv4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
            channel = opened;
            // The ICRC covers identification and fragment bits, so they must be known.
            if (isIpv4) {
                channel.setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
            }
            channel.setOption(StandardSocketOptions.SO_RCVBUF, settings.receiveBuffer());
            channel.configureBlocking(false);
            channel.bind(new InetSocketAddress(address, settings.port()));
            looking = Selector.open();
            selector = looking;
            channel.register(selector, SelectionKey.OP_READ);
            port = settings.port();
            receiveBuffer = channel.getOption(StandardSocketOptions.SO_RCVBUF);
            groups = new PortableGroups(settings, link, selector);
            groups.sendBy(channel);
        } catch (IOException | UnsupportedOperationException failure) {
            closeQuietly(opened);
            closeQuietly(looking);
            throw new NoDeviceException(
                    settings.name(),
                    "it cannot use " + own + " port " + settings.port() + ": " + failure,
                    "use another address of this machine, or name a port: roce://ADDRESS:PORT;"
                            + " this device cannot share its address, because "
                            + reason,
                    failure);
        }
    }

    private static void closeQuietly(@Nullable Closeable given) {
        try {
            if (given != null) {
                given.close();
            }
        } catch (IOException useless) {
            // What led here is reported.
        }
    }

    @Override
    public int trainMax() {
        return 1;
    }

    @Override
    public boolean gathers() {
        return false;
    }

    @Override
    public int sourcePort(int flowLabel) {
        return port;
    }

    @Override
    public int send(Train train) {
        if (outgoing.capacity() == 0) {
            outgoing = train.staging().asByteBuffer();
        }
        int at = (int) train.stagedAt();
        outgoing.limit(at + train.bytes()).position(at);
        try {
            if (train.trafficClass() != trafficClass) {
                trafficClass = train.trafficClass();
                channel.setOption(StandardSocketOptions.IP_TOS, trafficClass);
            }
            int sent = channel.send(outgoing, train.route().peer);
            return sent == train.bytes() ? 0 : Errno.EAGAIN;
        } catch (IOException refused) {
            // A packet that the network refuses is lost, for any reason.
            return Errno.of(refused.getMessage());
        }
    }

    @Override
    public boolean receive(Arrival arrival) {
        if (incoming.capacity() == 0) {
            incoming = arrival.bytes.asByteBuffer();
        }
        return receive(channel, incoming, arrival);
    }

    /// Receives packets from a channel, into a buffer that is the arrival's memory.
    static boolean receive(DatagramChannel channel, ByteBuffer incoming, Arrival arrival) {
        incoming.clear();
        try {
            SocketAddress from = channel.receive(incoming);
            if (!(from instanceof InetSocketAddress sender)) {
                return false;
            }
            Gid source = Gid.of(sender.getAddress());
            arrival.sourceHigh = source.high();
            arrival.sourceLow = source.low();
            arrival.sourcePort = sender.getPort();
        } catch (IOException refused) {
            return false;
        }
        arrival.length = incoming.position();
        arrival.packetLength = Math.max(1, arrival.length);
        return true;
    }

    @Override
    public boolean receiveAside(Arrival arrival, long nowNs) {
        return groups.receive(arrival);
    }

    @Override
    public void join(Gid to) {
        groups.join(to);
    }

    @Override
    public void leave(Gid from) {
        groups.leave(from);
    }

    @Override
    public int seats() {
        return 1;
    }

    @Override
    public void await(int seat, long ns) {
        try {
            if (selector.isOpen()) {
                selector.select(Math.max(1, ns / MS));
                selector.selectedKeys().clear();
            }
        } catch (ClosedSelectorException closed) {
            // The awaited event will not occur; the caller finds this out.
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void wake(int seat) {
        selector.wakeup();
    }

    @Override
    public int receiveBufferBytes() {
        return receiveBuffer;
    }

    @Override
    public long drops() {
        return -1;
    }

    @Override
    public String description() {
        return "sockets by the JDK, because "
                + reason
                + "; without GSO, GRO and congestion bits, receive buffer "
                + receiveBuffer
                + " B";
    }

    @Override
    public void close() {
        try {
            groups.close();
            selector.close();
            channel.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
