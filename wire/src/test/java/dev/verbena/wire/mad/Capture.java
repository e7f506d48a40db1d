package dev.verbena.wire.mad;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Datagrams to QP1 in a stored capture of Ethernet frames.
final class Capture {
    private static final int UDP_LENGTH_OF_MAD = 8 + 12 + 8 + Mad.LENGTH_TOTAL + 4;
    private static final int UD_SEND_ONLY = 0x64;

    private Capture() {}

    static List<byte[]> mads(String file) {
        ByteBuffer capture = ByteBuffer.wrap(bytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        List<byte[]> mads = new ArrayList<>();
        capture.position(24);
        while (capture.hasRemaining()) {
            int length = capture.getInt(capture.position() + 8);
            ByteBuffer frame = capture.slice(capture.position() + 16, length);
            capture.position(capture.position() + 16 + length);
            int udp = udpAt(frame);
            if (udp > 0
                    && frame.getShort(udp + 4) == UDP_LENGTH_OF_MAD
                    && frame.get(udp + 8) == UD_SEND_ONLY
                    && (frame.getInt(udp + 12) & 0xFF_FFFF) == 1) {
                byte[] mad = new byte[Mad.LENGTH_TOTAL];
                frame.get(udp + 28, mad);
                mads.add(mad);
            }
        }
        return mads;
    }

    /// Where the UDP header of a frame is, or 0 when it has none.
    private static int udpAt(ByteBuffer frame) {
        int etherType = frame.getShort(12) & 0xFFFF;
        if (etherType == 0x0800 && frame.get(23) == 17) {
            return 34;
        }
        return etherType == 0x86DD && frame.get(20) == 17 ? 54 : 0;
    }

    private static byte[] bytes(String file) {
        String path = "/vectors/" + file;
        try (InputStream stream =
                Objects.requireNonNull(Capture.class.getResourceAsStream(path), path)) {
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
