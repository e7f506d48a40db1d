package dev.verbena.cli;

import dev.verbena.wire.Aeth;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Envelope;
import dev.verbena.wire.Eth;
import dev.verbena.wire.Ethernet;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Ip;
import dev.verbena.wire.Ipv4;
import dev.verbena.wire.MacAddress;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Packet;
import dev.verbena.wire.Payload;
import dev.verbena.wire.Udp;
import dev.verbena.wire.capture.LinkType;
import dev.verbena.wire.capture.PcapWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// Writes small captures to try the command on.
final class Captures {
    private static final int LEFT = 0x0A000001;
    private static final int RIGHT = 0x0A000002;

    private Captures() {}

    static Path vector(String name) {
        return Path.of(
                System.getProperty("verbena.root", ".."), "wire/src/test/resources/vectors", name);
    }

    static Path write(Path file, MemorySegment... frames) throws IOException {
        try (PcapWriter writer =
                PcapWriter.on(
                        Files.newByteChannel(
                                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                        LinkType.ETHERNET)) {
            long timeNs = 1_700_000_000_000_000_000L;
            for (MemorySegment frame : frames) {
                writer.write(timeNs, frame, 0, (int) frame.byteSize());
                timeNs += 1_000;
            }
        }
        return file;
    }

    /// A reliable SEND from the left to queue pair 0x12 on the right.
    static MemorySegment send(int psn) {
        return frame(LEFT, RIGHT, Bth.of(Opcode.of(4), 0x12, psn), List.of());
    }

    /// An answer from the right to queue pair 0x11 on the left.
    static MemorySegment answer(int syndrome, int psn) {
        assert syndrome == AethSyndrome.ACK_UNLIMITED || syndrome >= AethSyndrome.RNR_NAK;
        return frame(
                RIGHT, LEFT, Bth.of(Opcode.of(0x11), 0x11, psn), List.of(new Aeth(syndrome, 1)));
    }

    static MemorySegment flip(MemorySegment frame, long at) {
        byte changed = (byte) (frame.get(ValueLayout.JAVA_BYTE, at) ^ 1);
        frame.set(ValueLayout.JAVA_BYTE, at, changed);
        return frame;
    }

    private static MemorySegment frame(int source, int destination, Bth bth, List<Eth> headers) {
        Ethernet ethernet = Ethernet.of(new MacAddress(2), new MacAddress(1), Ethernet.TYPE_IPV4);
        Ipv4 ip = new Ipv4(0, 0, 0, Ipv4.DONT_FRAGMENT, 64, Ip.UDP, 0, source, destination);
        Udp udp = new Udp(0xC000, Udp.ROCE_PORT, 0, 0);
        return Packet.of(new Envelope.RoceV2(ethernet, ip, udp), bth, headers, Payload.EMPTY)
                .emit(new Icrc());
    }
}
