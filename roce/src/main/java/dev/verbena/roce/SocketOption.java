package dev.verbena.roce;

/// Numbers of Linux on amd64 and aarch64.
final class SocketOption {
    static final int SOCK_DGRAM = 2;
    static final int SOCK_SEQPACKET = 5;
    static final int SOCK_CLOEXEC = 0x80000;

    static final int DONT_WAIT = 0x40;
    static final int NO_SIGNAL = 0x4000;

    /// Files that come with a message are not for programs that this one starts.
    static final int FILES_CLOEXEC = 0x4000_0000;

    static final int SHUT_READ = 0;
    static final int SHUT_BOTH = 2;

    static final int SOL_SOCKET = 1;
    static final int SO_REUSEADDR = 2;
    static final int SO_RCVBUF = 8;
    static final int SO_SNDBUF = 7;
    static final int SO_REUSEPORT = 15;
    static final int SO_PEERCRED = 17;
    static final int SO_RCVTIMEO = 20;
    static final int SO_SNDTIMEO = 21;
    static final int SO_RCVBUFFORCE = 33;
    static final int SO_ATTACH_REUSEPORT_CBPF = 51;
    static final int SO_MEMINFO = 55;

    /// A control message with open files.
    static final int SCM_RIGHTS = 1;

    static final int IPPROTO_IP = 0;
    static final int IP_TOS = 1;
    static final int IP_TTL = 2;
    static final int IP_MTU_DISCOVER = 10;
    static final int IP_RECVTTL = 12;
    static final int IP_RECVTOS = 13;

    static final int IP_MULTICAST_IF = 32;
    static final int IP_MULTICAST_TTL = 33;
    static final int IP_ADD_MEMBERSHIP = 35;

    /// Whether a socket also receives datagrams to groups that other sockets of this machine have
    /// joined.
    static final int IP_MULTICAST_ALL = 49;

    /// Forbids fragments, also for packets that are too long for the path.
    static final int PMTUDISC_DO = 2;

    static final int IPPROTO_IPV6 = 41;
    static final int IPV6_MULTICAST_IF = 17;
    static final int IPV6_MULTICAST_HOPS = 18;
    static final int IPV6_JOIN_GROUP = 20;
    static final int IPV6_MTU_DISCOVER = 23;
    static final int IPV6_V6ONLY = 26;
    static final int IPV6_MULTICAST_ALL = 29;
    static final int IPV6_RECVHOPLIMIT = 51;
    static final int IPV6_HOPLIMIT = 52;
    static final int IPV6_RECVTCLASS = 66;
    static final int IPV6_TCLASS = 67;

    static final int SOL_UDP = 17;

    /// Take IPv6 packets without a UDP checksum, which is how Linux' rxe sends them.
    static final int UDP_NO_CHECK6_RX = 102;

    static final int UDP_SEGMENT = 103;
    static final int UDP_GRO = 104;

    private SocketOption() {}
}
