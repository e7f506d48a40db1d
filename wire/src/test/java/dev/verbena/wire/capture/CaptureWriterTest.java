package dev.verbena.wire.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.wire.WireException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.HexFormat;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class CaptureWriterTest {
    private static final MemorySegment PACKET =
            MemorySegment.ofArray(new byte[] {0x0A, 0x0B, 0x0C, 0x0D, 0x0E});

    @Test
    void writesPcapWithNanosecondsUnlessToldOtherwise() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (CaptureWriter writer = PcapWriter.on(Channels.newChannel(out), LinkType.INFINIBAND)) {
            writer.write(3_000_000_007L, PACKET, 1, 4);
        }
        assertThat(hex(out))
                .isEqualTo(
                        "4d3cb2a1"
                                + "02000400"
                                + "0000000000000000"
                                + "00000400"
                                + "f7000000"
                                + "03000000"
                                + "07000000"
                                + "04000000"
                                + "04000000"
                                + "0b0c0d0e");
    }

    @Test
    void writesPcapngWithSectionInterfaceAndPaddedPacket() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PcapngWriter writer = PcapngWriter.on(Channels.newChannel(out), LinkType.ERF)) {
            writer.write(0, 0x1_0000_0002L, 99, PACKET, 0, 5);
        }
        assertThat(hex(out))
                .isEqualTo(
                        "0a0d0d0a"
                                + "1c000000"
                                + "4d3c2b1a"
                                + "01000000"
                                + "ffffffffffffffff"
                                + "1c000000"
                                + "01000000"
                                + "20000000"
                                + "c5000000"
                                + "00000400"
                                + "09000100"
                                + "09000000"
                                + "00000000"
                                + "20000000"
                                + "06000000"
                                + "28000000"
                                + "00000000"
                                + "01000000"
                                + "02000000"
                                + "05000000"
                                + "63000000"
                                + "0a0b0c0d0e000000"
                                + "28000000");
    }

    @Test
    void clearsThePaddingThatAnEarlierPacketLeftInTheBuffer() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] ones = new byte[1000];
        Arrays.fill(ones, (byte) 0xFF);
        try (PcapngWriter writer = PcapngWriter.on(Channels.newChannel(out), LinkType.ETHERNET)) {
            // The headers go first, so that both packets lie at the same place of the buffer.
            writer.flush();
            writer.write(0, MemorySegment.ofArray(ones), 0, 1000);
            writer.flush();
            out.reset();
            writer.write(0, PACKET, 0, 5);
        }
        assertThat(hex(out)).hasSize(2 * 40).endsWith("0a0b0c0d0e000000" + "28000000");
    }

    @Test
    void refusesWhatTheFormatCannotHold() throws IOException {
        WritableByteChannel nowhere = Channels.newChannel(new ByteArrayOutputStream());
        PcapWriter pcap = PcapWriter.on(nowhere, LinkType.ETHERNET);
        assertRefused(() -> pcap.write(-1, PACKET, 0, 5), "timestamp -1 ns");
        assertRefused(() -> pcap.write((1L << 32) * 1_000_000_000, PACKET, 0, 5), "timestamp");
        assertRefused(() -> pcap.write(1, 0, 5, PACKET, 0, 5), "interface 0 only, not 1");
        assertRefused(() -> pcap.write(0, 0, 1L << 32, PACKET, 0, 5), "original length");
        assertRefused(() -> pcap.write(0, PACKET, 0, 262_145), "262145 bytes; the limit is 262144");
        assertThatThrownBy(() -> pcap.write(0, PACKET, 3, 5))
                .isInstanceOf(IndexOutOfBoundsException.class);

        PcapngWriter pcapng = PcapngWriter.on(nowhere);
        assertRefused(() -> pcapng.write(0, PACKET, 0, 5), "interface 0; 0 have been added");
        for (int i = 0; i < PcapngWriter.INTERFACES_MAX; i++) {
            assertThat(pcapng.addInterface(LinkType.ETHERNET)).isEqualTo(i);
        }
        assertRefused(() -> pcapng.addInterface(LinkType.ETHERNET), "limit of 256");
        assertRefused(() -> pcapng.write(-1, PACKET, 0, 5), "before 1970");
        assertRefused(() -> pcapng.write(0, 0, 1L << 32, PACKET, 0, 5), "original length");
        assertRefused(() -> pcapng.write(0, 0, 5, PACKET, 0, 262_145), "262145 bytes; the limit");
        assertRefused(() -> new LinkType(0x1_0000), "link type");
    }

    @Test
    void keepsWhatAFailedWriteDidNotTake() throws IOException {
        Stubborn channel = new Stubborn();
        PcapWriter writer = PcapWriter.on(channel, LinkType.ETHERNET);
        writer.write(1, PACKET, 0, 5);
        assertThatThrownBy(writer::flush)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("block");
        channel.stubborn = false;
        writer.close();
        assertThat(channel.open).isFalse();
        assertThat(Captures.read(channel.out.toByteArray()).packets()).hasSize(1);
    }

    private static void assertRefused(ThrowingCallable call, String text) {
        assertThatThrownBy(call).isInstanceOf(WireException.class).hasMessageContaining(text);
    }

    private static String hex(ByteArrayOutputStream out) {
        return HexFormat.of().formatHex(out.toByteArray());
    }

    /// Takes ten bytes and then nothing, as a channel that does not block.
    private static final class Stubborn implements WritableByteChannel {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private boolean stubborn = true;
        private boolean open = true;

        @Override
        public int write(ByteBuffer source) {
            int before = out.size();
            int most = stubborn ? 10 - before : Integer.MAX_VALUE;
            for (int i = 0; i < most && source.hasRemaining(); i++) {
                out.write(source.get());
            }
            return out.size() - before;
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void close() {
            open = false;
        }
    }
}
