package dev.verbena.cli.doctor;

import dev.verbena.verbs.Gid;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Can `roce://` devices, which are UDP sockets, work well here?
final class SocketCheck implements Check {
    static final int ROCE_PORT = 4791;
    // An address of IPv4 or IPv6 and the port, all as the kernel prints them.
    private static final Pattern SOCKET = Pattern.compile("([0-9A-F]{8}){1,4}:12B7");
    private static final String RECEIVE = "/proc/sys/net/core/rmem_max";
    private static final String SEND = "/proc/sys/net/core/wmem_max";
    private static final String IPV6_OFF = "/proc/sys/net/ipv6/conf/all/disable_ipv6";

    /// What a device asks for.
    private static final long RECEIVE_WANTED = 4 << 20;

    /// What Linux has when nobody has touched it.
    private static final long SEND_USUAL = 212_992;

    @Override
    public List<Finding> examine(Host host) {
        List<Finding> findings = new ArrayList<>();
        // Who may configure the network is given what it asks for.
        if (host.number(RECEIVE, RECEIVE_WANTED) < RECEIVE_WANTED
                && !new Privileges(host).has(Privileges.NET_ADMIN)) {
            findings.add(
                    new Finding(
                            Code.VD801,
                            "roce:// has fewer packets under way than it could",
                            List.of(host.evidence(RECEIVE)),
                            "Allow the 4 MiB that a device asks for.",
                            "sysctl -w net.core.rmem_max=" + RECEIVE_WANTED));
        }
        if (host.number(SEND, SEND_USUAL) < SEND_USUAL) {
            findings.add(
                    new Finding(
                            Code.VD802,
                            "roce:// waits for its own socket",
                            List.of(host.evidence(SEND)),
                            "Allow at least what Linux usually does.",
                            "sysctl -w net.core.wmem_max=1048576"));
        }
        port(host, findings);
        if (host.number(IPV6_OFF, 0) == 1) {
            findings.add(
                    new Finding(
                            Code.VD805,
                            "no device at an IPv6 address, and no GID from one",
                            List.of(host.evidence(IPV6_OFF)),
                            "Turn it on, unless all peers use IPv4.",
                            "sysctl -w net.ipv6.conf.all.disable_ipv6=0"));
        }
        return findings;
    }

    private static void port(Host host, List<Finding> findings) {
        List<String> holders = holders(host);
        if (holders.isEmpty()) {
            return;
        }
        if (host.exists("/sys/module/rdma_rxe")) {
            findings.add(
                    new Finding(
                            Code.VD804,
                            "roce:// at its usual port says EADDRINUSE while rdma_rxe is loaded",
                            List.of(holders.getFirst()),
                            "Use the one or the other, or another port on both sides.",
                            "rmmod rdma_rxe"));
            return;
        }
        findings.add(
                new Finding(
                        Code.VD803,
                        "programs of Verbena and of one user share the port, others do not",
                        holders,
                        "See whose it is; end it, or use another port on both sides.",
                        "ss -ulnp sport = :" + ROCE_PORT));
    }

    /// Whether a socket has the port at this address, or at all of them.
    static boolean isTaken(Host host, String address) {
        List<String> taken =
                Stream.of(address, "0.0.0.0", "[::]")
                        .map(one -> ": " + one + ":" + ROCE_PORT + " ")
                        .toList();
        return holders(host).stream().anyMatch(line -> taken.stream().anyMatch(line::contains));
    }

    private static List<String> holders(Host host) {
        return Stream.of("/proc/net/udp", "/proc/net/udp6")
                .flatMap(table -> holders(host, table))
                .distinct()
                .toList();
    }

    /// Of each user that has the port one line: a program of ours has sixteen sockets there.
    private static Stream<String> holders(Host host, String table) {
        return host.text(table).stream()
                .flatMap(String::lines)
                .map(line -> line.strip().split("\\s+", -1))
                .filter(words -> words.length > 7 && SOCKET.matcher(words[1]).matches())
                .map(words -> table + ": " + address(words[1]) + " of user " + words[7]);
    }

    /// The kernel prints an address as numbers of four bytes, each the wrong way round.
    private static String address(String text) {
        String hex = text.substring(0, text.indexOf(':'));
        StringBuilder bytes = new StringBuilder();
        for (int at = 0; at < hex.length(); at += 8) {
            int word = Integer.reverseBytes(Integer.parseUnsignedInt(hex, at, at + 8, 16));
            bytes.append("%04x:%04x:".formatted(word >>> 16, word & 0xFFFF));
        }
        bytes.setLength(bytes.length() - 1);
        boolean isIpv4 = hex.length() == 8;
        String address = Gid.parse(isIpv4 ? "::ffff:" + bytes : bytes.toString()).toString();
        return (isIpv4 ? address : "[" + address + "]") + ":" + ROCE_PORT;
    }
}
