package dev.verbena.roce;

import dev.verbena.verbs.Gid;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Addresses for tests that no other program uses: without root there is all of 127.0.0.0/8, and
/// other ports of ::1.
final class TestAddresses {
    private static final int PROCESS = (int) ProcessHandle.current().pid();
    private static final String PLACES = "VERBENA_PLACES";
    private static final int WAIT_MS = 500;
    private static final int FIRST_PORT = 16_000;
    private static final int PORTS = 1 << 14;
    private static final AtomicInteger NEXT_PORT = new AtomicInteger(PROCESS * 1021);
    private static final AtomicInteger USED = new AtomicInteger();
    private static final AtomicInteger BLOCKS = new AtomicInteger();
    private static final long ORGANISATION_LOCAL = 0xFF18_0000_0000_0000L;
    private static final Map<Gid, Optional<String>> GROUPS = new ConcurrentHashMap<>();

    private TestAddresses() {}

    /// A fresh IPv4 address of the loopback network: two bytes of it are this process's.
    static String ipv4() {
        int number = USED.getAndIncrement();
        return "127.%d.%d.%d"
                .formatted(
                        1 + (PROCESS >>> 8 & 0x3F) + 64 * (number / 250 % 3),
                        PROCESS & 0xFF,
                        1 + number % 250);
    }

    /// A fresh block of sixteen multicast groups for ports that are named as this one is. Every
    /// member on a machine has a copy, so no two tests may use one group at the same time.
    static Gid groups(Gid own) {
        int block = BLOCKS.getAndIncrement() % 16 * 16;
        return own.isIpv4()
                ? Gid.parse(
                        "239.%d.%d.%d"
                                .formatted(64 + (PROCESS >>> 8 & 0x3F), PROCESS & 0xFF, block))
                : new Gid(ORGANISATION_LOCAL, 1L << 32 | (PROCESS & 0x3FFFL) << 8 | block);
    }

    /// The IPv6 address of this machine with a fresh port; or, in a network namespace made for it,
    /// one of two addresses that VERBENA_PLACES names, with the standard port.
    static String ipv6() {
        String given = System.getenv(PLACES);
        if (given != null) {
            return given.split(",", 2)[USED.getAndIncrement() % 2];
        }
        return "[::1]:" + freePort(InetAddress.ofLiteral("::1"));
    }

    /// A port that no other call in this process is given. Those that the kernel hands out begin at
    /// 32768, so that no socket gets one of ours by chance before it is opened.
    static int freePort(InetAddress address) {
        for (int tries = 0; tries < PORTS; tries++) {
            int port = FIRST_PORT + (NEXT_PORT.getAndIncrement() & PORTS - 1);
            try (DatagramSocket probe = new DatagramSocket(port, address)) {
                return probe.getLocalPort();
            } catch (IOException used) {
                // The next one.
            }
        }
        throw new AssertionError(address + " has no free port below the kernel's");
    }

    /// Whether this machine has ::1.
    static boolean hasIpv6() {
        try (DatagramSocket probe = new DatagramSocket(0, InetAddress.ofLiteral("::1"))) {
            return probe.isBound();
        } catch (IOException absent) {
            return false;
        }
    }

    /// Why nothing sent to groups from this address arrives; empty when it does. Linux hands over
    /// no datagram to a group of IPv6 that goes by the loopback interface.
    static Optional<String> lacksGroups(Gid own) {
        return GROUPS.computeIfAbsent(own, TestAddresses::tryGroup);
    }

    private static Optional<String> tryGroup(Gid own) {
        InetAddress group = Gid.parse(own.isIpv4() ? "239.1.77.1" : "ff18::77:1").toInetAddress();
        StandardProtocolFamily family =
                own.isIpv4() ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6;
        try (DatagramChannel sender = DatagramChannel.open(family);
                DatagramChannel member = DatagramChannel.open(family)) {
            NetworkInterface by = NetworkInterface.getByIndex(Link.of(own).index());
            member.bind(new InetSocketAddress(group, 0));
            member.join(group, by);
            sender.setOption(StandardSocketOptions.IP_MULTICAST_IF, by);
            sender.bind(new InetSocketAddress(own.toInetAddress(), 0));
            sender.send(ByteBuffer.allocate(1), member.getLocalAddress());
            member.socket().setSoTimeout(WAIT_MS);
            member.socket().receive(new DatagramPacket(new byte[1], 1));
            return Optional.empty();
        } catch (IOException refused) {
            return Optional.of("nothing goes from " + own + " to groups: " + refused.getMessage());
        }
    }
}
