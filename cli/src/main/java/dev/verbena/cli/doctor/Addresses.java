package dev.verbena.cli.doctor;

import dev.verbena.verbs.Gid;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The IP addresses of a host, from the kernel's own tables.
final class Addresses {
    private static final String IPV4 = "/proc/net/fib_trie";
    private static final String IPV6 = "/proc/net/if_inet6";
    private static final String LINK_LOCAL = "fe8";
    private static final String LOOPBACK_NAME = "lo";

    private Addresses() {}

    /// Those that a peer could know, as the host part of a URI; the loopback's when there is none.
    static List<String> of(Host host) {
        Set<String> found = new LinkedHashSet<>(ipv4(host));
        for (String line : host.text(IPV6).stream().flatMap(String::lines).toList()) {
            String[] words = line.strip().split("\\s+", -1);
            if (words.length == 6
                    && words[0].matches("[0-9a-f]{32}")
                    && !words[5].equals(LOOPBACK_NAME)
                    && !words[0].startsWith(LINK_LOCAL)) {
                found.add("[" + Gid.parse(words[0].replaceAll("(.{4})(?!$)", "$1:")) + "]");
            }
        }
        return found.isEmpty() ? List.of("127.0.0.1") : List.copyOf(found);
    }

    /// The table is a tree: an address, and below it what it is.
    private static List<String> ipv4(Host host) {
        List<String> found = new ArrayList<>();
        String address = "";
        for (String line : host.text(IPV4).stream().flatMap(String::lines).toList()) {
            String text = line.strip();
            if (text.startsWith("|-- ")) {
                address = text.substring(4);
            } else if (text.equals("/32 host LOCAL") && !address.startsWith("127.")) {
                found.add(address);
            }
        }
        return found;
    }
}
