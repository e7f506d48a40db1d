package dev.verbena.roce;

import dev.verbena.transport.CongestionSettings;
import dev.verbena.verbs.Gid;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// What a device is opened with.
///
/// @param address the IP address it lives at, as a GID
/// @param port the UDP port it receives at
/// @param thread whether a thread of its own drives it, rather than its callers
/// @param portable whether to do without Linux' own system calls
/// @param shared whether other programs may have devices at the same address and port
/// @param segmentation whether the kernel cuts trains up and puts them together (GSO, GRO)
/// @param receiveBuffer bytes to ask for, as `SO_RCVBUF` counts them
/// @param mtu largest payload of a packet; 0: what the interface has room for
/// @param ackRequests requests that one acknowledgement answers
/// @param ackDelayNs how long the first of them waits at most
/// @param congestion how congestion is controlled, or null when it is not
/// @param seed makes keys and numbers the same in every run, which is for tests only
record RoceSettings(
        Gid address,
        int port,
        boolean thread,
        boolean portable,
        boolean shared,
        boolean segmentation,
        int receiveBuffer,
        int mtu,
        int ackRequests,
        long ackDelayNs,
        @Nullable CongestionSettings congestion,
        OptionalLong seed) {

    /// A large receiver's burst, and still what common settings of Linux allow.
    static final int DEFAULT_RECEIVE_BUFFER = 4 << 20;

    String name() {
        return "roce " + (address.isIpv4() ? address : "[" + address + "]") + ":" + port;
    }
}
