package dev.verbena.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.Bth;
import dev.verbena.wire.Deth;
import dev.verbena.wire.Encapsulation;
import dev.verbena.wire.Envelope;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Packet;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Payload;
import dev.verbena.wire.RandomPacket;
import dev.verbena.wire.Service;
import dev.verbena.wire.Udp;
import dev.verbena.wire.Verdict;
import dev.verbena.wire.capture.Erf;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BiFunction;

/// Draws packets that tshark will take for what they are, and brings them into captures and back.
final class Packets {
    private static final int GSI = 1;

    private final RandomPacket random;
    private final Icrc icrc = new Icrc();

    Packets(SplittableRandom random) {
        this.random = new RandomPacket(random);
    }

    /// A random packet, whose UDP source port is above RoCE's.
    ///
    /// tshark gives a datagram to the dissector of the lower port first, so that a RoCE packet from
    /// port 53 would be read as DNS. Real senders use ports from 0xC000 on.
    Packet draw(Encapsulation encapsulation, Opcode opcode) {
        Packet packet = random.draw(encapsulation, opcode);
        while (packet.envelope() instanceof Envelope.RoceV2(_, _, Udp udp)
                && udp.sourcePort() <= Udp.ROCE_PORT) {
            packet = random.draw(encapsulation, opcode);
        }
        return packet;
    }

    /// A random packet around a management datagram, between the two QP1.
    Packet drawGsi(Encapsulation encapsulation, byte[] datagram) {
        Packet packet = draw(encapsulation, Opcode.of(Service.UD, Operation.SEND_ONLY));
        Bth bth = packet.bth();
        Bth toGsi =
                new Bth(
                        bth.opcode(),
                        bth.solicited(),
                        bth.migration(),
                        0,
                        Bth.VERSION,
                        bth.pkey(),
                        bth.fecn(),
                        bth.becn(),
                        GSI,
                        bth.ackRequest(),
                        bth.psn());
        return Packet.of(
                packet.envelope(),
                toGsi,
                List.of(new Deth(Deth.GSI_QKEY, GSI)),
                Payload.of(datagram));
    }

    Path write(String name, List<Packet> packets) {
        boolean isNative = packets.getFirst().envelope().encapsulation().isNative();
        List<MemorySegment> bytes = packets.stream().map(packet -> packet.emit(icrc)).toList();
        return isNative
                ? Captures.erf(name, Erf.INFINIBAND, bytes)
                : Captures.ethernet(name, bytes);
    }

    /// The frames of a capture as we read them, which must be the packets that were written.
    List<Frame> read(
            Path file, List<Packet> written, BiFunction<PacketView, Packet, Expect> fields) {
        List<MemorySegment> bytes = Captures.read(file);
        assertThat(bytes).hasSameSizeAs(written);
        boolean isNative = written.getFirst().envelope().encapsulation().isNative();
        List<Packet> read = new ArrayList<>();
        List<Frame> frames = new ArrayList<>();
        for (MemorySegment frame : bytes) {
            PacketView view = new PacketView();
            int length = (int) frame.byteSize();
            Verdict verdict =
                    isNative
                            ? view.wrapInfiniBand(frame, 0, length)
                            : view.wrapEthernet(frame, 0, length);
            assertThat(verdict).isEqualTo(Verdict.OK);
            assertThat(view.integrity(icrc)).isEqualTo(Verdict.OK);
            Packet packet = Packet.parse(view);
            read.add(packet);
            String title = packet.opcode().toString();
            frames.add(new Frame(title, Optional.of(packet.opcode()), fields.apply(view, packet)));
        }
        assertThat(read).isEqualTo(written);
        return frames;
    }
}
