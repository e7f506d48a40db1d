package dev.verbena.roce;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.NoDeviceException;
import dev.verbena.wire.BigEndian;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.ThreadLocalRandom;

/// Makes sockets and sets them up as RoCE v2 needs them.
final class ForeignSocket {
    private static final System.Logger LOG = System.getLogger(ForeignSocket.class.getName());

    /// Where the source ports of RoCE v2 are.
    private static final int FIRST_PORT = 0xC000;

    private static final int PORTS = 0x4000;
    private static final int PORT_TRIES = 64;

    /// How long a send may wait for room before its packets count as lost.
    private static final long SEND_WAIT_US = 20_000;

    /// How far packets go unless they say something else.
    static final int HOPS = 64;

    private static final int SEND_BUFFER = 1 << 20;

    /// Position of the dropped packets in SO_MEMINFO.
    private static final int DROPS_AT = 8 * Integer.BYTES;

    private static final int MEMINFO_BYTES = 9 * Integer.BYTES;

    private final String name;
    private final MemorySegment state;
    private final MemorySegment scratch = Arena.ofAuto().allocate(64, 8);

    ForeignSocket(String name, MemorySegment state) {
        this.name = name;
        this.state = state;
    }

    /// A socket that receives packets for the device.
    ///
    /// @param shared whether other programs of the same user may have such a socket at the same
    ///   address
    int openReceiver(Gid own, int port, int scope, boolean segments, boolean shared) {
        int socket = open(own);
        if (shared) {
            require(socket, SocketOption.SOL_SOCKET, SocketOption.SO_REUSEPORT, 1);
        }
        askForHeaders(socket, own.isIpv4());
        if (segments) {
            require(socket, SocketOption.SOL_UDP, SocketOption.UDP_GRO, 1);
        }
        int errno = bind(socket, own, port, scope);
        if (errno != 0) {
            Libc.close(state, socket);
            throw refused(own, port, errno);
        }
        return socket;
    }

    private void askForHeaders(int socket, boolean isIpv4) {
        if (isIpv4) {
            require(socket, SocketOption.IPPROTO_IP, SocketOption.IP_RECVTOS, 1);
            require(socket, SocketOption.IPPROTO_IP, SocketOption.IP_RECVTTL, 1);
        } else {
            require(socket, SocketOption.IPPROTO_IPV6, SocketOption.IPV6_RECVTCLASS, 1);
            require(socket, SocketOption.IPPROTO_IPV6, SocketOption.IPV6_RECVHOPLIMIT, 1);
            require(socket, SocketOption.SOL_UDP, SocketOption.UDP_NO_CHECK6_RX, 1);
        }
    }

    /// A socket that receives datagrams to a group through one interface, and nothing else.
    ///
    /// @param index the interface
    int openMember(Gid group, RoceSettings settings, int index) {
        int socket = open(group);
        require(socket, SocketOption.SOL_SOCKET, SocketOption.SO_REUSEADDR, 1);
        boolean isIpv4 = group.isIpv4();
        askForHeaders(socket, isIpv4);
        if (isIpv4) {
            require(socket, SocketOption.IPPROTO_IP, SocketOption.IP_MULTICAST_ALL, 0);
        } else {
            require(socket, SocketOption.IPPROTO_IPV6, SocketOption.IPV6_MULTICAST_ALL, 0);
        }
        // The buffer first: it may fill from the moment of joining.
        askForReceiveBuffer(socket, settings.receiveBuffer());
        int errno = bind(socket, group, settings.port(), index);
        if (errno == 0 && join(socket, group, index) != 0) {
            errno = Libc.errno(state);
        }
        if (errno != 0) {
            Libc.close(state, socket);
            throw refused(group, settings.port(), errno);
        }
        return socket;
    }

    /// By `ip_mreqn`: group, address, interface; or by `ipv6_mreq`: group, interface.
    private int join(int socket, Gid group, int index) {
        scratch.fill((byte) 0);
        if (group.isIpv4()) {
            BigEndian.put32(scratch, 0, (int) group.low());
            scratch.set(ValueLayout.JAVA_INT, 8, index);
            int option = SocketOption.IP_ADD_MEMBERSHIP;
            return Libc.setsockopt(state, socket, SocketOption.IPPROTO_IP, option, scratch, 12);
        }
        BigEndian.put64(scratch, 0, group.high());
        BigEndian.put64(scratch, 8, group.low());
        scratch.set(ValueLayout.JAVA_INT, 16, index);
        int option = SocketOption.IPV6_JOIN_GROUP;
        return Libc.setsockopt(state, socket, SocketOption.IPPROTO_IPV6, option, scratch, 20);
    }

    /// Datagrams of a socket to groups leave through this interface, with the same hop limit as
    /// other packets; members on this machine also get copies, which is the default of Linux.
    private void sendToGroups(int socket, boolean isIpv4, int index) {
        if (isIpv4) {
            option(socket, SocketOption.IPPROTO_IP, SocketOption.IP_MULTICAST_TTL, HOPS);
            scratch.fill((byte) 0);
            scratch.set(ValueLayout.JAVA_INT, 8, index);
            int option = SocketOption.IP_MULTICAST_IF;
            Libc.setsockopt(state, socket, SocketOption.IPPROTO_IP, option, scratch, 12);
        } else {
            option(socket, SocketOption.IPPROTO_IPV6, SocketOption.IPV6_MULTICAST_HOPS, HOPS);
            option(socket, SocketOption.IPPROTO_IPV6, SocketOption.IPV6_MULTICAST_IF, index);
        }
    }

    /// A socket that sends from a port of its own and receives nothing.
    int openSender(Gid own, Link link) {
        int socket = open(own);
        sendToGroups(socket, own.isIpv4(), link.index());
        option(socket, SocketOption.SOL_SOCKET, SocketOption.SO_RCVBUF, 0);
        option(socket, SocketOption.SOL_SOCKET, SocketOption.SO_SNDBUF, SEND_BUFFER);
        scratch.set(ValueLayout.JAVA_LONG, 0, 0);
        scratch.set(ValueLayout.JAVA_LONG, 8, SEND_WAIT_US);
        Libc.setsockopt(
                state, socket, SocketOption.SOL_SOCKET, SocketOption.SO_SNDTIMEO, scratch, 16);
        int errno = Errno.EADDRINUSE;
        for (int i = 0; i < PORT_TRIES && errno == Errno.EADDRINUSE; i++) {
            int port = FIRST_PORT + ThreadLocalRandom.current().nextInt(PORTS);
            errno = bind(socket, own, port, link.scope());
        }
        if (errno != 0) {
            Libc.close(state, socket);
            throw refused(own, FIRST_PORT, errno);
        }
        return socket;
    }

    /// Whether a socket can have the address exclusively, so that no other socket uses it.
    boolean isFree(Gid own, int port, int scope) {
        int socket = open(own);
        int errno = bind(socket, own, port, scope);
        Libc.close(state, socket);
        if (errno != 0 && errno != Errno.EADDRINUSE) {
            throw refused(own, port, errno);
        }
        return errno == 0;
    }

    /// Lets the kernel put trains together, or not.
    void segments(int socket, boolean segments) {
        require(socket, SocketOption.SOL_UDP, SocketOption.UDP_GRO, segments ? 1 : 0);
    }

    /// Keeps almost no received packets.
    void starve(int socket) {
        option(socket, SocketOption.SOL_SOCKET, SocketOption.SO_RCVBUF, 0);
    }

    private int open(Gid own) {
        int type = SocketOption.SOCK_DGRAM | SocketOption.SOCK_CLOEXEC;
        int socket = Libc.socket(state, SocketAddress.family(own), type, 0);
        if (socket < 0) {
            throw new NoDeviceException(
                    name,
                    "the system gives it no socket: " + Errno.text(Libc.errno(state)),
                    "look at the limit of open files");
        }
        // The ICRC covers identification and fragment bits, so they must be known: of a socket
        // that is not connected and forbids fragments they are 0 and DF.
        if (own.isIpv4()) {
            int forbid = SocketOption.PMTUDISC_DO;
            require(socket, SocketOption.IPPROTO_IP, SocketOption.IP_MTU_DISCOVER, forbid);
        } else {
            int forbid = SocketOption.PMTUDISC_DO;
            require(socket, SocketOption.IPPROTO_IPV6, SocketOption.IPV6_MTU_DISCOVER, forbid);
            require(socket, SocketOption.IPPROTO_IPV6, SocketOption.IPV6_V6ONLY, 1);
        }
        return socket;
    }

    private int bind(int socket, Gid own, int port, int scope) {
        int length = SocketAddress.put(scratch, own, port, scope);
        return Libc.bind(state, socket, scratch, length) == 0 ? 0 : Libc.errno(state);
    }

    /// The port that a socket is bound to.
    int port(int socket) {
        MemorySegment length = scratch.asSlice(SocketAddress.LENGTH_MAX + 4, Integer.BYTES);
        length.set(ValueLayout.JAVA_INT, 0, SocketAddress.LENGTH_MAX);
        Libc.getsockname(state, socket, scratch, length);
        return SocketAddress.port(scratch);
    }

    /// Requests buffer space for packets that were not read yet; returns the size that the system
    /// granted.
    int askForReceiveBuffer(int socket, int bytes) {
        // With the right to, beyond the system's limit; else as far as it goes.
        if (option(socket, SocketOption.SOL_SOCKET, SocketOption.SO_RCVBUFFORCE, bytes) != 0) {
            option(socket, SocketOption.SOL_SOCKET, SocketOption.SO_RCVBUF, bytes);
        }
        int given = number(socket, SocketOption.SOL_SOCKET, SocketOption.SO_RCVBUF);
        // Linux doubles the requested size, for its own bookkeeping.
        if (given < 2L * bytes) {
            LOG.log(
                    Level.DEBUG,
                    "{0}: asked for a receive buffer of {1} B and got {2} B; for more, raise it:"
                            + " sysctl -w net.core.rmem_max={1}",
                    name,
                    String.valueOf(bytes),
                    String.valueOf(given / 2));
        }
        return given;
    }

    static long drops(MemorySegment state, int socket) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(MEMINFO_BYTES, 4);
            MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, MEMINFO_BYTES);
            int answer =
                    Libc.getsockopt(
                            state,
                            socket,
                            SocketOption.SOL_SOCKET,
                            SocketOption.SO_MEMINFO,
                            value,
                            length);
            return answer == 0
                    ? Integer.toUnsignedLong(value.get(ValueLayout.JAVA_INT, DROPS_AT))
                    : -1;
        }
    }

    private int option(int socket, int level, int option, int value) {
        scratch.set(ValueLayout.JAVA_INT, 0, value);
        return Libc.setsockopt(state, socket, level, option, scratch, Integer.BYTES);
    }

    private int number(int socket, int level, int option) {
        MemorySegment length = scratch.asSlice(8, Integer.BYTES);
        length.set(ValueLayout.JAVA_INT, 0, Integer.BYTES);
        Libc.getsockopt(state, socket, level, option, scratch, length);
        return scratch.get(ValueLayout.JAVA_INT, 0);
    }

    private void require(int socket, int level, int option, int value) {
        if (option(socket, level, option, value) != 0) {
            int errno = Libc.errno(state);
            Libc.close(state, socket);
            throw new NoDeviceException(
                    name,
                    "socket option %d of level %d: %s".formatted(option, level, Errno.text(errno)),
                    "Linux 5.0 or later has it; add ?path=portable to do without");
        }
    }

    NoDeviceException refused(Gid own, int port, int errno) {
        String remedy =
                switch (errno) {
                    case Errno.EADDRINUSE ->
                            "another program has it, or the kernel's rdma_rxe in this network"
                                    + " namespace; use another address, or name a port:"
                                    + " roce://ADDRESS:PORT";
                    case Errno.EADDRNOTAVAIL -> "use one of `ip address`";
                    case Errno.EACCES -> "use a port from 1024 on";
                    default -> "check `ip address`, and which program uses the port";
                };
        return new NoDeviceException(
                name, "it cannot use " + own + " port " + port + ": " + Errno.text(errno), remedy);
    }
}
