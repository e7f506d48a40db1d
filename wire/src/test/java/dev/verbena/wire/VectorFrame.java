package dev.verbena.wire;

import dev.verbena.wire.capture.CaptureReader;
import dev.verbena.wire.capture.CaptureStatus;
import dev.verbena.wire.capture.Erf;
import dev.verbena.wire.capture.ErfVerdict;
import dev.verbena.wire.capture.LinkType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// One frame of a stored capture, numbered from 1 as capture tools do.
///
/// @param packet the bytes that were on the wire, out of their ERF record if they were in one
record VectorFrame(
        String file, int number, LinkType linkType, boolean isLinkPacket, MemorySegment packet) {

    /// All frames of a file, whose end must be a clean one.
    static List<VectorFrame> read(String file) {
        String path = "/vectors/" + file;
        List<VectorFrame> frames = new ArrayList<>();
        try (InputStream in =
                        Objects.requireNonNull(VectorFrame.class.getResourceAsStream(path), path);
                CaptureReader reader = CaptureReader.open(Channels.newChannel(in))) {
            while (reader.next() == CaptureStatus.PACKET) {
                byte[] captured = reader.packet().toArray(ValueLayout.JAVA_BYTE);
                frames.add(
                        of(
                                file,
                                frames.size() + 1,
                                reader.linkType(),
                                MemorySegment.ofArray(captured)));
            }
            if (reader.next() != CaptureStatus.END) {
                throw new AssertionError(file + ": " + reader.problemText());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return frames;
    }

    private static VectorFrame of(
            String file, int number, LinkType linkType, MemorySegment captured) {
        if (!linkType.equals(LinkType.ERF)) {
            return new VectorFrame(file, number, linkType, false, captured);
        }
        ErfVerdict verdict = Erf.check(captured, 0, captured.byteSize());
        if (verdict != ErfVerdict.OK) {
            throw new AssertionError(file + " frame " + number + ": " + verdict);
        }
        return new VectorFrame(
                file,
                number,
                linkType,
                Erf.type(captured, 0) == Erf.INFINIBAND_LINK,
                captured.asSlice(Erf.payloadAt(captured, 0), Erf.payloadLength(captured, 0)));
    }

    /// Takes the frame to the door of its link; flow-control packets have one of their own.
    Verdict wrap(PacketView view) {
        if (isLinkPacket) {
            return FlowControl.check(packet, 0, length());
        }
        return linkType.equals(LinkType.ETHERNET)
                ? view.wrapEthernet(packet, 0, length())
                : view.wrapInfiniBand(packet, 0, length());
    }

    int length() {
        return (int) packet.byteSize();
    }

    byte[] bytes() {
        return packet.toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public String toString() {
        return file + " frame " + number;
    }
}
