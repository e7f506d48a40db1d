package dev.verbena.roce;

import dev.verbena.transport.AttackNetwork;
import dev.verbena.transport.TransportDevice;
import dev.verbena.transport.TransportOptions;
import dev.verbena.transport.carrier.Driver;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.IcrcPseudoHeader;
import dev.verbena.wire.Ipv4IdSolver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import jdk.net.ExtendedSocketOptions;

/// Loopback with real sockets: devices of this provider, and a forger that sends from any address
/// that this machine has.
///
/// On IPv4 every host has an address of its own in 127.0.0.0/8. On IPv6 all are at ::1, unless
/// `-Dverbena.ipv6=PREFIX` names a prefix that is local as a whole, as in a namespace after `ip -6
/// route add local PREFIX/64 dev lo` and with `net.ipv6.ip_nonlocal_bind`.
final class SocketAttackNetwork implements AttackNetwork {
    /// Strangers send once; their sockets are closed again when there are too many.
    private static final int SOCKETS_MAX = 64;

    private static final int BUFFER = 4 << 20;
    private static final String PREFIX = System.getProperty("verbena.ipv6", "");

    private final boolean isIpv4;
    private final String options;
    private final Gid base;
    private final int bits;
    private final DatagramChannel peers;
    private final int peerPort;
    private final int victimPort = freePort();
    private final List<TransportDevice> devices = new ArrayList<>();
    private final Map<Gid, DatagramChannel> senders = new LinkedHashMap<>();
    private final Icrc icrc = new Icrc();
    private final IcrcPseudoHeader header = new IcrcPseudoHeader();
    private final boolean isDriven;
    private InetSocketAddress lastSource = new InetSocketAddress(0);

    SocketAttackNetwork(boolean isIpv4, String options) {
        this.isIpv4 = isIpv4;
        this.options = options;
        isDriven = !options.contains("progress=caller");
        boolean hasPrefix = !isIpv4 && !PREFIX.isEmpty();
        base = isIpv4 ? Gid.parse("127.77.0.0") : Gid.parse(hasPrefix ? PREFIX : "::1");
        // A /8 on IPv4, a /64 on IPv6; the highest bits of the former would leave the hosts.
        bits = isIpv4 ? 24 : hasPrefix ? 64 : 0;
        try {
            peers = open(InetAddress.ofLiteral(isIpv4 ? "0.0.0.0" : "::"));
            peers.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER);
            peerPort = ((InetSocketAddress) peers.getLocalAddress()).getPort();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private DatagramChannel open(InetAddress address) throws IOException {
        DatagramChannel channel =
                DatagramChannel.open(
                        isIpv4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
        if (isIpv4) {
            // The identification is 0 then, which the ICRC covers.
            channel.setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
        }
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopback());
        channel.bind(new InetSocketAddress(address, 0));
        return channel;
    }

    private static NetworkInterface loopback() throws IOException {
        return NetworkInterface.getByIndex(Link.of(Gid.parse("127.0.0.1")).index());
    }

    private static int freePort() {
        return TestAddresses.freePort(new InetSocketAddress(0).getAddress());
    }

    @Override
    public TransportDevice open(int host, int mtu, long seed, Consumer<TransportOptions> changes) {
        Gid address = address(host);
        String literal = isIpv4 ? address.toString() : "[" + address + "]";
        int port = devices.isEmpty() ? victimPort : freePort();
        // What is in flight is not asked for again: whatever the victim sends is the doing of an
        // attack.
        String given = "mtu=%d&seed=%d&window=fixed&%s".formatted(mtu, seed, options);
        String uri = "roce://%s:%d?%s".formatted(literal, port, given);
        TransportDevice device = RoceProvider.open(RoceUri.parse(URI.create(uri)), changes);
        devices.add(device);
        return device;
    }

    @Override
    public Gid address(int host) {
        if (bits == 0) {
            return base;
        }
        // What ends in 255 is a broadcast address to some.
        int number = (host & 0xFF) == 0xFF ? host - 1 : host;
        return new Gid(base.high(), base.low() + number);
    }

    @Override
    public int sourceBits() {
        return bits;
    }

    @Override
    public int peerPort() {
        return peerPort;
    }

    /// A socket at an address that packets are to come from.
    DatagramChannel sender(Gid from) {
        try {
            DatagramChannel known = senders.get(from);
            if (known == null) {
                if (senders.size() == SOCKETS_MAX) {
                    var oldest = senders.entrySet().iterator();
                    oldest.next().getValue().close();
                    oldest.remove();
                }
                known = open(from.toInetAddress());
                senders.put(from, known);
            }
            return known;
        } catch (IOException failure) {
            throw new UncheckedIOException("from " + from + ": " + failure, failure);
        }
    }

    /// One more socket at an address.
    DatagramChannel freshSender(Gid from) {
        try {
            return open(from.toInetAddress());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    int victimPort() {
        return victimPort;
    }

    @Override
    public String lacksGroups() {
        return TestAddresses.lacksGroups(address(1)).orElse("");
    }

    @Override
    public void seal(MemorySegment bytes, long at, int length, Gid from, Gid to) {
        path(from, to, port(sender(from)), victimPort);
        int covered = length - Icrc.LENGTH;
        Icrc.store(bytes, at + covered, icrc.compute(header, 0, bytes, at, covered));
    }

    void seal(MemorySegment bytes, long at, int length, Gid from, DatagramChannel channel) {
        int covered = length - Icrc.LENGTH;
        Icrc.store(bytes, at + covered, computed(bytes, at, covered, from, channel, 0));
    }

    /// @param identification of the IPv4 header
    int computed(MemorySegment bytes, long at, int covered, Gid from, int identification) {
        return computed(bytes, at, covered, from, sender(from), identification);
    }

    private int computed(
            MemorySegment bytes,
            long at,
            int covered,
            Gid from,
            DatagramChannel channel,
            int identification) {
        path(from, address(1), port(channel), victimPort);
        return icrc.compute(header, identification, bytes, at, covered);
    }

    int port(DatagramChannel channel) {
        try {
            return ((InetSocketAddress) channel.getLocalAddress()).getPort();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void path(Gid from, Gid to, int sourcePort, int destinationPort) {
        if (isIpv4) {
            header.setIpv4((int) from.low(), (int) to.low(), sourcePort, destinationPort);
        } else {
            header.setIpv6(Route.wire(from), Route.wire(to), sourcePort, destinationPort);
        }
    }

    @Override
    public boolean isNoticed(MemorySegment bytes, long at, int length, Gid from) {
        int covered = length - Icrc.LENGTH;
        int computed = computed(bytes, at, covered, from, 0);
        int stored = Icrc.stored(bytes, at + covered);
        return !isIpv4 || Ipv4IdSolver.solve(computed, stored, covered) == Ipv4IdSolver.NONE;
    }

    @Override
    public void send(MemorySegment bytes, long at, int length, Gid from, Gid to) {
        send(sender(from), bytes.asSlice(at, length).asByteBuffer(), to);
    }

    /// To the device that is attacked.
    void send(DatagramChannel channel, ByteBuffer bytes) {
        send(channel, bytes, address(1));
    }

    private void send(DatagramChannel channel, ByteBuffer bytes, Gid to) {
        InetSocketAddress victim = new InetSocketAddress(to.toInetAddress(), victimPort);
        int length = bytes.remaining();
        try {
            if (channel.send(bytes, victim) != length) {
                throw new AssertionError("a packet of " + length + " bytes was not sent");
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public int receive(MemorySegment into) {
        try {
            ByteBuffer buffer = into.asByteBuffer();
            if (!(peers.receive(buffer) instanceof InetSocketAddress source)) {
                return 0;
            }
            lastSource = source;
            if (!Gid.of(source.getAddress()).equals(address(1))) {
                throw new AssertionError("a packet from " + source + ", which is not the device");
            }
            return buffer.position();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public boolean isSound(MemorySegment bytes, int length, Gid to) {
        path(address(1), to, lastSource.getPort(), peerPort);
        int covered = length - Icrc.LENGTH;
        int computed = icrc.compute(header, 0, bytes, 0, covered);
        int stored = Icrc.stored(bytes, covered);
        if (computed == stored || !isIpv4) {
            return computed == stored;
        }
        // Packets of a train are counted.
        int identification = Ipv4IdSolver.solve(computed, stored, covered);
        return identification != Ipv4IdSolver.NONE && identification < Train.PACKETS_MAX;
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // the devices' threads may have no other processor
    public void turn() {
        if (isDriven) {
            Thread.yield();
        } else {
            devices.forEach(TransportDevice::progress);
        }
    }

    @Override
    public void hold(Driver driver, int budget) {
        Carrier carrier = (Carrier) driver;
        carrier.lock.enter();
        try {
            carrier.turnBytes = budget;
            carrier.transmit(carrier.nowNs());
            carrier.turnBytes = 0;
        } finally {
            carrier.lock.exit();
        }
    }

    @Override
    public void release(Driver driver) {
        Carrier carrier = (Carrier) driver;
        carrier.lock.enter();
        try {
            carrier.turnBytes = Carrier.TURN_BYTES;
            while (carrier.sendNow()) {
                // Until there is no more.
            }
        } finally {
            carrier.lock.exit();
        }
    }

    /// The victims are closed by who opened them.
    @Override
    public void close() {
        try {
            peers.close();
            for (DatagramChannel sender : senders.values()) {
                sender.close();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
