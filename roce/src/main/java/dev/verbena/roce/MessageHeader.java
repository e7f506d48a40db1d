package dev.verbena.roce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// `struct msghdr` of 64-bit Linux, reused for every call. Other objects own the memory that it
/// points to.
final class MessageHeader {
    private static final int NAME = 0;
    private static final int NAME_LENGTH = 8;
    private static final int PIECES = 16;
    private static final int PIECE_COUNT = 24;
    private static final int CONTROL = 32;
    private static final int CONTROL_LENGTH = 40;
    private static final int LENGTH = 56;

    private static final int CONTROL_MAX = 256;

    /// A control message: length, level, type, and from here on the value.
    private static final int CONTROL_LEVEL = 8;

    private static final int CONTROL_TYPE = 12;
    private static final int CONTROL_VALUE = 16;

    private final MemorySegment header = Arena.ofAuto().allocate(LENGTH, 8);
    private final MemorySegment control = Arena.ofAuto().allocate(CONTROL_MAX, 8);
    private final MemorySegment name = Arena.ofAuto().allocate(32, 8);
    private final MemorySegment piece = Arena.ofAuto().allocate(Train.PIECE, 8);
    private int controlLength;
    private int valueAt;

    MessageHeader() {
        header.set(ValueLayout.ADDRESS, CONTROL, control);
    }

    void peer(MemorySegment address, int length) {
        header.set(ValueLayout.JAVA_LONG, NAME, address.address());
        header.set(ValueLayout.JAVA_INT, NAME_LENGTH, length);
    }

    void pieces(MemorySegment list, int count) {
        header.set(ValueLayout.JAVA_LONG, PIECES, list.address());
        header.set(ValueLayout.JAVA_LONG, PIECE_COUNT, count);
    }

    void clearControl() {
        controlLength = 0;
    }

    /// Lets the kernel split the data into packets of this many bytes.
    void segment(int bytes) {
        control(SocketOption.SOL_UDP, SocketOption.UDP_SEGMENT, Short.BYTES);
        control.set(ValueLayout.JAVA_SHORT, valueAt, (short) bytes);
    }

    void trafficClass(boolean isIpv4, int value) {
        control(
                isIpv4 ? SocketOption.IPPROTO_IP : SocketOption.IPPROTO_IPV6,
                isIpv4 ? SocketOption.IP_TOS : SocketOption.IPV6_TCLASS,
                Integer.BYTES);
        control.set(ValueLayout.JAVA_INT, valueAt, value);
    }

    void hopLimit(boolean isIpv4, int value) {
        control(
                isIpv4 ? SocketOption.IPPROTO_IP : SocketOption.IPPROTO_IPV6,
                isIpv4 ? SocketOption.IP_TTL : SocketOption.IPV6_HOPLIMIT,
                Integer.BYTES);
        control.set(ValueLayout.JAVA_INT, valueAt, value);
    }

    /// Sends open files along, which the receiver then has too.
    void files(int[] files) {
        control(SocketOption.SOL_SOCKET, SocketOption.SCM_RIGHTS, files.length * Integer.BYTES);
        for (int i = 0; i < files.length; i++) {
            control.set(ValueLayout.JAVA_INT, valueAt + (long) i * Integer.BYTES, files[i]);
        }
    }

    /// Values begin at multiples of eight.
    private void control(int level, int type, int bytes) {
        control.set(ValueLayout.JAVA_LONG, controlLength, CONTROL_VALUE + bytes);
        control.set(ValueLayout.JAVA_INT, controlLength + CONTROL_LEVEL, level);
        control.set(ValueLayout.JAVA_INT, controlLength + CONTROL_TYPE, type);
        valueAt = controlLength + CONTROL_VALUE;
        controlLength = valueAt + ((bytes + 7) & -8);
    }

    /// The header, ready to send by.
    MemorySegment finish() {
        header.set(ValueLayout.JAVA_LONG, CONTROL_LENGTH, controlLength);
        return header;
    }

    /// Where received bytes go.
    void buffer(MemorySegment to) {
        if (piece.get(ValueLayout.JAVA_LONG, 0) != to.address()) {
            piece.set(ValueLayout.JAVA_LONG, 0, to.address());
            piece.set(ValueLayout.JAVA_LONG, 8, to.byteSize());
            header.set(ValueLayout.JAVA_LONG, NAME, name.address());
            header.set(ValueLayout.JAVA_LONG, PIECES, piece.address());
            header.set(ValueLayout.JAVA_LONG, PIECE_COUNT, 1);
        }
    }

    /// The header, ready to receive by.
    MemorySegment prepare() {
        header.set(ValueLayout.JAVA_INT, NAME_LENGTH, SocketAddress.LENGTH_MAX);
        header.set(ValueLayout.JAVA_LONG, CONTROL_LENGTH, CONTROL_MAX);
        return header;
    }

    /// Reads the ancillary data of the received packets.
    void read(Arrival arrival, boolean isIpv4) {
        int family = isIpv4 ? SocketAddress.INET : SocketAddress.INET6;
        arrival.sourceHigh = SocketAddress.high(name, family);
        arrival.sourceLow = SocketAddress.low(name, family);
        arrival.sourcePort = SocketAddress.port(name);
        long end = Math.min(CONTROL_MAX, header.get(ValueLayout.JAVA_LONG, CONTROL_LENGTH));
        long at = 0;
        while (at + CONTROL_VALUE <= end) {
            long length = control.get(ValueLayout.JAVA_LONG, at);
            if (length < CONTROL_VALUE) {
                return;
            }
            readControl(arrival, at, length);
            at += (length + 7) & -8L;
        }
    }

    /// The open files that arrived with a message; the caller closes them.
    int[] readFiles() {
        long end = Math.min(CONTROL_MAX, header.get(ValueLayout.JAVA_LONG, CONTROL_LENGTH));
        if (end < CONTROL_VALUE
                || control.get(ValueLayout.JAVA_INT, CONTROL_LEVEL) != SocketOption.SOL_SOCKET
                || control.get(ValueLayout.JAVA_INT, CONTROL_TYPE) != SocketOption.SCM_RIGHTS) {
            return new int[0];
        }
        long length = Math.min(end, control.get(ValueLayout.JAVA_LONG, 0));
        return control.asSlice(CONTROL_VALUE, (length - CONTROL_VALUE) & -4L)
                .toArray(ValueLayout.JAVA_INT);
    }

    private void readControl(Arrival arrival, long at, long length) {
        int level = control.get(ValueLayout.JAVA_INT, at + CONTROL_LEVEL);
        int type = control.get(ValueLayout.JAVA_INT, at + CONTROL_TYPE);
        int value =
                length < CONTROL_VALUE + Integer.BYTES
                        ? control.get(ValueLayout.JAVA_BYTE, at + CONTROL_VALUE) & 0xFF
                        : control.get(ValueLayout.JAVA_INT, at + CONTROL_VALUE);
        switch (level) {
            case SocketOption.SOL_UDP -> {
                if (type == SocketOption.UDP_GRO && value > 0) {
                    arrival.packetLength = value;
                }
            }
            case SocketOption.IPPROTO_IP -> {
                if (type == SocketOption.IP_TOS) {
                    arrival.trafficClass = value;
                } else if (type == SocketOption.IP_TTL) {
                    arrival.hopLimit = value;
                }
            }
            case SocketOption.IPPROTO_IPV6 -> {
                if (type == SocketOption.IPV6_TCLASS) {
                    arrival.trafficClass = value;
                } else if (type == SocketOption.IPV6_HOPLIMIT) {
                    arrival.hopLimit = value;
                }
            }
            default -> {}
        }
    }
}
