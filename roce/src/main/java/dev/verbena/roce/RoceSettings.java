package dev.verbena.roce;

import dev.verbena.transport.carrier.CongestionSettings;
import dev.verbena.transport.control.ControlChoice;
import dev.verbena.verbs.Gid;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The settings of a device.
///
/// @param address the IP address of the device, as a GID
/// @param port the UDP port it receives at
/// @param thread whether a thread of its own drives it, rather than its callers
/// @param spinNs how long a thread looks for packets before it sleeps, at most
/// @param path how it reaches its sockets
/// @param shared whether other programs may have devices at the same address and port
/// @param segmentation whether the kernel splits and combines trains (GSO, GRO)
/// @param receiveBuffer bytes to ask for, as `SO_RCVBUF` counts them
/// @param mtu largest payload of a packet; 0: the largest that fits the interface
/// @param adaptive whether a queue pair's window follows what its peer can take
/// @param selective whether it offers to repeat only what is lost
/// @param ackRequests requests that one acknowledgement answers
/// @param ackDelayNs how long the first of them waits at most
/// @param congestion parameters of DCQCN, or null when it is off
/// @param control another congestion control, or null when there is none
/// @param loss received packets that are dropped on purpose
/// @param seed makes keys and numbers the same in every run, which is for tests only
record RoceSettings(
        Gid address,
        int port,
        boolean thread,
        long spinNs,
        SocketPath path,
        boolean shared,
        boolean segmentation,
        int receiveBuffer,
        int mtu,
        boolean adaptive,
        boolean selective,
        int ackRequests,
        long ackDelayNs,
        @Nullable CongestionSettings congestion,
        @Nullable ControlChoice control,
        Loss loss,
        OptionalLong seed) {

    /// About the cost of sleeping and waking.
    static final int DEFAULT_SPIN_US = 100;

    /// A burst for a large receiver that common settings of Linux still allow.
    static final int DEFAULT_RECEIVE_BUFFER = 4 << 20;

    /// Whether congestion control needs the marks of switches.
    boolean needsMarks() {
        return congestion != null || (control != null && control.provider().needsMarks());
    }

    String name() {
        return "roce " + (address.isIpv4() ? address : "[" + address + "]") + ":" + port;
    }
}
