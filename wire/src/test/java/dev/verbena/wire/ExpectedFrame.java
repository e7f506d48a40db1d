package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/// A frame of the vectors as it was written down by hand, every field of it.
///
/// @param checksums the bytes behind the pad: ICRC, and on native links VCRC
record ExpectedFrame(String title, String checksums, Packet packet) {

    static ExpectedFrame frame(
            String title,
            String checksums,
            Envelope envelope,
            Bth bth,
            List<Eth> headers,
            Payload payload) {
        return new ExpectedFrame(title, checksums, new Packet(envelope, bth, headers, payload));
    }

    /// Compares frames of a file, from number `first` on, with the expected ones in both
    /// directions: bytes are read as the records, and the records are written as the bytes.
    static void assertFrames(String file, int first, List<ExpectedFrame> expected) {
        List<VectorFrame> frames = VectorFrame.read(file);
        assertThat(frames).hasSizeGreaterThanOrEqualTo(first - 1 + expected.size());
        for (int i = 0; i < expected.size(); i++) {
            expected.get(i).assertIs(frames.get(first - 1 + i));
        }
    }

    void assertIs(VectorFrame frame) {
        PacketView view = new PacketView();
        Icrc icrc = new Icrc();
        assertThat(frame.wrap(view)).as("%s", frame).isEqualTo(Verdict.OK);
        assertThat(view.integrity(icrc)).as("%s", frame).isEqualTo(Verdict.OK);
        assertThat(view.opcode()).as("%s", frame).hasToString(title);
        assertThat(Packet.parse(view)).as("%s", frame).isEqualTo(packet);
        byte[] bytes = frame.bytes();
        assertThat(HexFormat.of().formatHex(bytes, (int) view.icrcAt(), bytes.length))
                .as("%s", frame)
                .isEqualTo(checksums);
        assertThat(emitted(packet, icrc)).as("%s", frame).isEqualTo(bytes);
    }

    /// Writes over memory that is not clear, so that a byte left out shows.
    static byte[] emitted(Packet packet, Icrc icrc) {
        MemorySegment segment = soiled(packet.length());
        packet.emit(segment, 0, icrc);
        return segment.toArray(ValueLayout.JAVA_BYTE);
    }

    static MemorySegment soiled(int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 0x5A);
        return MemorySegment.ofArray(bytes);
    }
}
