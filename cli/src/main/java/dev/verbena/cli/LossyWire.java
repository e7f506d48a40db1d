package dev.verbena.cli;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Endpoint;
import dev.verbena.wire.Encapsulation;
import dev.verbena.wire.Ethernet;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Ipv4;
import dev.verbena.wire.MacAddress;
import dev.verbena.wire.Udp;
import dev.verbena.wire.capture.CaptureWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/// A wire between two devices of `roce://` that loses chosen packets and captures the others too.
///
/// It is two UDP sockets. The first device is at port 4791 of one address of the loopback network
/// and sends to port 4791 of the other, where the near socket is. The second device is at the other
/// address, at the port of the far socket, so that it sends there. A packet that passes keeps its
/// addresses and gets new ports, and with them a new ICRC, as a router with translation does.
///
/// The capture has the packets as they are between the first device and this wire. A socket does
/// not show IP headers; those of the capture have the fields that the ICRC of each packet covers.
final class LossyWire implements AutoCloseable {
    private static final int BUFFER_BYTES = 4 << 20;
    private static final int PACKET_MAX = 1 << 14;
    private static final int HEADERS = Ethernet.LENGTH + Ipv4.LENGTH + Udp.LENGTH;
    private static final int HOPS = 64;
    private static final int ADDRESSES = 20;
    private static final MacAddress LOOPBACK = new MacAddress(0);

    private final InetAddress first;
    private final DatagramChannel near;
    private final DatagramChannel far;
    private final Selector selector = Selector.open();
    private Set<Integer> chosen = Set.of();
    private @Nullable CaptureWriter capture;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(HEADERS + PACKET_MAX);
    private final MemorySegment frame = MemorySegment.ofBuffer(buffer);
    private final Icrc icrc = new Icrc();
    private final List<Long> lost = new ArrayList<>();
    private final long epochNs = System.currentTimeMillis() * 1_000_000 - System.nanoTime();
    private final Thread thread;
    private long captured;
    private int sent;

    /// A wire that loses nothing yet.
    LossyWire(InetAddress first) throws IOException {
        this.first = first;
        near = nearSocket(first);
        far = socket(new InetSocketAddress(first, 0));
        near.register(selector, SelectionKey.OP_READ);
        far.register(selector, SelectionKey.OP_READ);
        thread = Thread.ofPlatform().daemon().name("lossy wire").start(this::run);
    }

    /// At the next address of the loopback network that has the port free.
    private static DatagramChannel nearSocket(InetAddress first) throws IOException {
        byte[] bytes = first.getAddress();
        IOException refusal = new IOException(first.getHostAddress() + ": no address behind it");
        for (int i = 1; i <= ADDRESSES; i++) {
            bytes[3]++;
            InetAddress next = InetAddress.getByAddress(bytes);
            try {
                return socket(new InetSocketAddress(next, Address.ROCE_PORT));
            } catch (IOException taken) {
                refusal = new IOException(next.getHostAddress() + " port 4791: in use", taken);
            }
        }
        throw refusal;
    }

    private static DatagramChannel socket(InetSocketAddress address) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
            channel.setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
            channel.bind(address);
            channel.configureBlocking(false);
            return channel;
        } catch (IOException refused) {
            channel.close();
            throw refused;
        }
    }

    /// Captures and loses packets from now on; without a capture it only passes them.
    ///
    /// @param packets those of the first device that are lost, by their place in the order of
    ///   sending, from 1
    synchronized void lose(Set<Integer> packets, @Nullable CaptureWriter into) {
        chosen = Set.copyOf(packets);
        capture = into;
        sent = 0;
    }

    /// Where the second device must be.
    String secondUri() throws IOException {
        return "roce://%s:%d".formatted(address(near).getHostAddress(), port(far));
    }

    /// The second device as the first must see it: here.
    Endpoint seenByFirst(Endpoint second) throws IOException {
        return at(second, port(near));
    }

    /// The first device as the second must see it: here.
    Endpoint seenBySecond(Endpoint first) throws IOException {
        return at(first, port(far));
    }

    private static Endpoint at(Endpoint end, int port) {
        return new Endpoint(
                end.lid(), end.gid(), end.queuePair(), end.psn(), end.mtu(), end.reads(), port);
    }

    private static InetAddress address(DatagramChannel channel) throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getAddress();
    }

    private static int port(DatagramChannel channel) throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    private void run() {
        try {
            while (selector.isOpen()) {
                selector.select();
                pass();
                selector.selectedKeys().clear();
            }
        } catch (ClosedChannelException | ClosedSelectorException closed) {
            // The end.
        } catch (IOException broken) {
            // The queue pairs notice: nothing passes any more.
        }
    }

    /// Passes on what has arrived, in turn by direction.
    private synchronized void pass() throws IOException {
        boolean isMore = true;
        while (isMore) {
            isMore = forward();
            isMore |= backward();
        }
    }

    /// A packet of the first device.
    private boolean forward() throws IOException {
        InetSocketAddress from = receive(near);
        if (from == null) {
            return false;
        }
        headers(first, from.getPort(), address(near), port(near));
        keep();
        sent++;
        if (chosen.contains(sent)) {
            lost.add(captured);
            return true;
        }
        send(far, first, new InetSocketAddress(address(near), port(far)));
        return true;
    }

    /// A packet of the second device.
    private boolean backward() throws IOException {
        if (receive(far) == null) {
            return false;
        }
        send(near, address(near), new InetSocketAddress(first, Address.ROCE_PORT));
        keep();
        return true;
    }

    private @Nullable InetSocketAddress receive(DatagramChannel channel) throws IOException {
        buffer.clear().position(HEADERS);
        InetSocketAddress from = (InetSocketAddress) channel.receive(buffer);
        buffer.flip();
        return from;
    }

    private void send(DatagramChannel channel, InetAddress source, InetSocketAddress target)
            throws IOException {
        headers(source, port(channel), target.getAddress(), target.getPort());
        long at = (long) buffer.limit() - Icrc.LENGTH;
        Icrc.store(frame, at, icrc.compute(Encapsulation.ROCE_V2_IPV4, frame, Ethernet.LENGTH, at));
        channel.send(buffer.position(HEADERS), target);
    }

    private void headers(InetAddress source, int sourcePort, InetAddress target, int port) {
        int bytes = buffer.limit() - Ethernet.LENGTH;
        Ethernet.of(LOOPBACK, LOOPBACK, Ethernet.TYPE_IPV4).emit(frame, 0);
        Ipv4.put(frame, Ethernet.LENGTH, 0, bytes, HOPS, number(source), number(target));
        new Udp(sourcePort, port, bytes - Ipv4.LENGTH, 0)
                .emit(frame, Ethernet.LENGTH + Ipv4.LENGTH);
    }

    private static int number(InetAddress address) {
        return ByteBuffer.wrap(address.getAddress()).getInt();
    }

    private void keep() throws IOException {
        if (capture != null) {
            capture.write(epochNs + System.nanoTime(), frame, 0, buffer.limit());
            captured++;
        }
    }

    /// Numbers of the captured frames that were lost, from 1.
    synchronized Set<Long> lost() {
        return Set.copyOf(lost);
    }

    @Override
    public void close() throws IOException {
        selector.close();
        try {
            thread.join(1000);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        }
        near.close();
        far.close();
    }
}
