package dev.verbena.wire.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.wire.WireException;
import dev.verbena.wire.capture.Captures.Bytes;
import dev.verbena.wire.capture.Captures.Outcome;
import dev.verbena.wire.capture.Captures.Packet;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CaptureReaderTest {
    private static final byte[] PACKET = {1, 2, 3, 4, 5};
    private static final byte[] OTHER = {9, 8, 7, 6};
    private static final long NS = 1_000_000_000;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readsPcapInEitherByteOrderAndPrecision(boolean big) throws IOException {
        for (boolean nanoseconds : List.of(false, true)) {
            Blocks file = big ? Blocks.big() : Blocks.little();
            file.pcapHeader(nanoseconds ? 0xA1B23C4D : 0xA1B2C3D4, 247);
            file.pcapRecord(4_000_000_000L, 999_999, PACKET).pcapRecord(1, 0, OTHER);

            Outcome outcome = Captures.read(file.bytes());
            long fraction = nanoseconds ? 999_999 : 999_999_000;
            assertThat(outcome.status()).isEqualTo(CaptureStatus.END);
            assertThat(outcome.packets())
                    .containsExactly(
                            packet(0, 0, LinkType.INFINIBAND, 4_000_000_000L * NS + fraction),
                            new Packet(0, 0, LinkType.INFINIBAND, NS, 4, Bytes.of(OTHER)));
        }
    }

    @Test
    void closesItsChannel() throws IOException {
        ReadableByteChannel channel =
                Channels.newChannel(new ByteArrayInputStream(Captures.vector("ib-link-erf.pcap")));
        CaptureReader.open(channel).close();

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void saysWhyThereIsNoPacket() throws IOException {
        CaptureReader reader = Captures.open(Captures.vector("ib-link-erf.pcap"));
        assertThatThrownBy(reader::packet).hasMessageEndingWith("no packet: not started");
        while (reader.next() == CaptureStatus.PACKET) {
            assertThat(reader.length()).isPositive();
        }
        assertThatThrownBy(reader::packet)
                .hasMessageEndingWith("no packet: " + CaptureStatus.END.reason());
    }

    @Test
    void ignoresTheFrameCheckBitsBesideThePcapLinkType() throws IOException {
        byte[] file =
                Blocks.little()
                        .pcapHeader(0xA1B2C3D4, 0x5400_0001)
                        .pcapRecord(1, 0, PACKET)
                        .bytes();
        assertThat(Captures.read(file).packets())
                .containsExactly(packet(0, 0, LinkType.ETHERNET, NS));
    }

    @Test
    void readsSectionsOfBothByteOrdersEachWithItsOwnInterfaces() throws IOException {
        Blocks file = Blocks.little().section();
        file.describe(1, 0, file.sub()).describe(197, 65_535, file.sub());
        file.enhanced(1, 7_000_000, PACKET);
        file.order(ByteOrder.BIG_ENDIAN).section().describe(247, 0, file.sub());
        file.enhanced(0, 8_000_000, PACKET);

        Outcome outcome = Captures.read(file.bytes());
        assertThat(outcome.status()).isEqualTo(CaptureStatus.END);
        assertThat(outcome.packets())
                .containsExactly(
                        packet(0, 1, LinkType.ERF, 7 * NS),
                        packet(1, 0, LinkType.INFINIBAND, 8 * NS));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void appliesResolutionAndOffsetOfEachInterface(boolean big) throws IOException {
        Blocks file = (big ? Blocks.big() : Blocks.little()).section();
        byte[] offset = file.sub().i64(100).bytes();
        byte[] backwards = file.sub().i64(-10).bytes();
        Blocks comment = file.sub().option(1, new byte[333]);
        file.describe(1, 0, comment.option(9, new byte[] {9}).option(0, new byte[0]));
        file.describe(1, 0, file.sub().option(9, new byte[] {3}).option(14, offset));
        file.describe(1, 0, file.sub().option(9, new byte[] {(byte) 0x8A}));
        file.describe(1, 0, file.sub().option(14, backwards));
        file.enhanced(0, 1_700_000_000_123_456_789L, PACKET);
        file.enhanced(1, 5_250, PACKET).enhanced(2, 1024 * 3 + 512, PACKET);
        file.enhanced(3, 4_000_000, PACKET);

        assertThat(Captures.read(file.bytes()).packets())
                .containsExactly(
                        packet(0, 0, LinkType.ETHERNET, 1_700_000_000_123_456_789L),
                        packet(0, 1, LinkType.ETHERNET, 105 * NS + 250_000_000),
                        packet(0, 2, LinkType.ETHERNET, 3 * NS + 500_000_000),
                        packet(0, 3, LinkType.ETHERNET, -6 * NS));
    }

    @Test
    void readsObsoletePacketsWithTheirDropCountAside() throws IOException {
        Blocks file = Blocks.big().section();
        file.describe(1, 0, file.sub()).obsolete(0, 0xFFFF, 2_000_000, PACKET);
        assertThat(Captures.read(file.bytes()).packets())
                .containsExactly(packet(0, 0, LinkType.ETHERNET, 2 * NS));
    }

    @Test
    void cutsSimplePacketsByTheSnapLengthOfTheFirstInterface() throws IOException {
        Blocks file = Blocks.little().section();
        file.describe(1, 5, file.sub()).simple(1500, PACKET).simple(4, OTHER);
        Outcome outcome = Captures.read(file.bytes());
        assertThat(outcome.status()).isEqualTo(CaptureStatus.END);
        assertThat(outcome.packets())
                .containsExactly(
                        new Packet(0, 0, LinkType.ETHERNET, 0, 1500, Bytes.of(PACKET)),
                        new Packet(0, 0, LinkType.ETHERNET, 0, 4, Bytes.of(OTHER)));
    }

    @Test
    void saysThatSimplePacketsHaveNoTime() throws IOException {
        Blocks file = Blocks.little().section();
        file.describe(1, 0, file.sub()).simple(5, PACKET).enhanced(0, 1, PACKET);
        CaptureReader reader = Captures.open(file.bytes());
        assertThat(reader.next()).isEqualTo(CaptureStatus.PACKET);
        assertThat(reader.hasTimestamp()).isFalse();
        assertThat(reader.next()).isEqualTo(CaptureStatus.PACKET);
        assertThat(reader.hasTimestamp()).isTrue();
    }

    @Test
    void skipsALargeUnknownBlockWithoutHoldingIt() throws IOException {
        long zeros = 200L << 20;
        Blocks file = Blocks.little().section();
        byte[] head = file.describe(1, 0, file.sub()).u32(0x0BAD).u32(zeros + 12).bytes();
        byte[] tail = Blocks.little().u32(zeros + 12).enhanced(0, 3_000_000, PACKET).bytes();
        InputStream input =
                new SequenceInputStream(
                        Collections.enumeration(
                                List.of(
                                        new ByteArrayInputStream(head),
                                        new Zeros(zeros),
                                        new ByteArrayInputStream(tail))));

        CaptureReader reader = CaptureReader.open(Channels.newChannel(input));
        assertThat(reader.next()).isEqualTo(CaptureStatus.PACKET);
        assertThat(reader.timestampNs()).isEqualTo(3 * NS);
        assertThat(reader.position()).isEqualTo(head.length + zeros + 4);
        assertThat(reader.bufferBytes()).isLessThan(65_536);
        assertThat(reader.next()).isEqualTo(CaptureStatus.END);
    }

    @Test
    void growsItsBufferToTheLongestPacketAndNoFurther() throws IOException {
        byte[] longest = new byte[CaptureReader.PACKET_BYTES_MAX];
        longest[longest.length - 1] = 42;
        Blocks file = Blocks.little().section();
        file.describe(1, 0, file.sub()).enhanced(0, 1, PACKET).enhanced(0, 2, longest);
        CaptureReader reader = Captures.open(file.enhanced(0, 3, longest).bytes());
        for (int i = 0; i < 3; i++) {
            assertThat(reader.next()).isEqualTo(CaptureStatus.PACKET);
        }
        assertThat(reader.length()).isEqualTo(longest.length);
        assertThat(reader.packet().mismatch(MemorySegment.ofArray(longest))).isEqualTo(-1);
        assertThat(reader.bufferBytes()).isEqualTo(CaptureReader.PACKET_BYTES_MAX);
    }

    @Test
    void refusesToDescribeAPacketThatIsNotThere() throws IOException {
        CaptureReader reader = Captures.open(Captures.vector("rocev2-xrc.pcap"));
        assertThatThrownBy(reader::length).isInstanceOf(WireException.class);
        assertThat(reader.next()).isEqualTo(CaptureStatus.PACKET);
        assertThat(reader.next()).isEqualTo(CaptureStatus.END);
        assertThat(reader.next()).isEqualTo(CaptureStatus.END);
        assertThatThrownBy(reader::segment).isInstanceOf(WireException.class);
        assertThat(reader.problemText()).isEmpty();
    }

    @Test
    void refusesAChannelThatDoesNotBlock() {
        assertThatThrownBy(() -> CaptureReader.open(new Idle())).isInstanceOf(IOException.class);
    }

    private static Packet packet(int section, int index, LinkType type, long timestampNs) {
        return new Packet(section, index, type, timestampNs, 5, Bytes.of(PACKET));
    }

    /// So many zero bytes, without memory for them.
    private static final class Zeros extends InputStream {
        private long left;

        Zeros(long count) {
            left = count;
        }

        @Override
        public int read() {
            return left-- > 0 ? 0 : -1;
        }

        @Override
        public int read(byte[] target, int at, int length) {
            if (left == 0) {
                return -1;
            }
            int count = (int) Math.min(left, length);
            left -= count;
            return count;
        }
    }

    private static final class Idle implements ReadableByteChannel {
        @Override
        public int read(ByteBuffer target) {
            return 0;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
