package dev.verbena.roce;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicInteger;

/// Addresses for tests that nobody else uses: without root there is all of 127.0.0.0/8, and other
/// ports of ::1.
final class Places {
    private static final int PROCESS = (int) ProcessHandle.current().pid();
    private static final String PLACES = "VERBENA_PLACES";
    private static final AtomicInteger USED = new AtomicInteger();

    private Places() {}

    /// A fresh IPv4 address of the loopback network: two bytes of it are this process's.
    static String ipv4() {
        int number = USED.getAndIncrement();
        return "127.%d.%d.%d"
                .formatted(
                        1 + (PROCESS >>> 8 & 0x3F) + 64 * (number / 250 % 3),
                        PROCESS & 0xFF,
                        1 + number % 250);
    }

    /// The IPv6 address of this machine with a fresh port; or, in a network namespace made for it,
    /// one of two addresses that VERBENA_PLACES names, with the standard port.
    static String ipv6() {
        String given = System.getenv(PLACES);
        if (given != null) {
            return given.split(",", 2)[USED.getAndIncrement() % 2];
        }
        try (DatagramSocket probe = new DatagramSocket(0, InetAddress.ofLiteral("::1"))) {
            return "[::1]:" + probe.getLocalPort();
        } catch (IOException failure) {
            throw new AssertionError("::1 has no free port", failure);
        }
    }

    /// Whether this machine has ::1.
    static boolean hasIpv6() {
        try (DatagramSocket probe = new DatagramSocket(0, InetAddress.ofLiteral("::1"))) {
            return probe.isBound();
        } catch (IOException absent) {
            return false;
        }
    }
}
