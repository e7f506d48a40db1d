package dev.verbena.wire.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import dev.verbena.wire.capture.Captures.Bytes;
import dev.verbena.wire.capture.Captures.Outcome;
import dev.verbena.wire.capture.Captures.Packet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CaptureRoundTripTest {
    private static final long PCAP_NS_BOUND = (1L << 32) * 1_000_000_000;

    @Test
    void readsBackEveryPacketWrittenAsPcap() throws IOException {
        SplittableRandom random = Seed.forTest("CaptureRoundTripTest pcap", 0xCA9).random();
        for (long i = Seed.campaign(200); i > 0; i--) {
            TimePrecision precision =
                    random.nextBoolean() ? TimePrecision.NANOSECONDS : TimePrecision.MICROSECONDS;
            LinkType linkType = new LinkType(random.nextInt(0x1_0000));
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            WritableByteChannel channel = Channels.newChannel(out);
            List<Packet> written = new ArrayList<>();
            try (CaptureWriter writer = PcapWriter.on(channel, linkType, precision, 65_535)) {
                int packets = random.nextInt(30);
                for (int packet = 0; packet < packets; packet++) {
                    long ns = random.nextLong(PCAP_NS_BOUND);
                    long kept = precision == TimePrecision.NANOSECONDS ? ns : ns - ns % 1000;
                    written.add(write(writer, random, 0, linkType, ns, kept));
                }
            }
            assertReadsBack(out.toByteArray(), random, written);
        }
    }

    @Test
    void readsBackEveryPacketOfSeveralInterfacesWrittenAsPcapng() throws IOException {
        SplittableRandom random = Seed.forTest("CaptureRoundTripTest pcapng", 0xCA9E).random();
        for (long i = Seed.campaign(200); i > 0; i--) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            List<Packet> written = new ArrayList<>();
            List<LinkType> interfaces = new ArrayList<>();
            try (PcapngWriter writer = PcapngWriter.on(Channels.newChannel(out))) {
                int steps = random.nextInt(40);
                for (int step = 0; step < steps; step++) {
                    if (interfaces.isEmpty() || random.nextInt(5) == 0) {
                        LinkType linkType = new LinkType(random.nextInt(0x1_0000));
                        assertThat(writer.addInterface(linkType)).isEqualTo(interfaces.size());
                        interfaces.add(linkType);
                    } else {
                        int index = random.nextInt(interfaces.size());
                        long ns = random.nextLong(Long.MAX_VALUE) >>> random.nextInt(63);
                        written.add(write(writer, random, index, interfaces.get(index), ns, ns));
                    }
                }
            }
            assertReadsBack(out.toByteArray(), random, written);
        }
    }

    private static Packet write(
            CaptureWriter writer,
            SplittableRandom random,
            int index,
            LinkType linkType,
            long timestampNs,
            long keptNs)
            throws IOException {
        // Mostly short, now and then so long that the buffers fill and grow.
        int most = random.nextInt(20) == 0 ? CaptureWriter.PACKET_BYTES_MAX : 300;
        int length = random.nextInt(most + 1);
        int at = random.nextInt(9);
        byte[] memory = Captures.random(random, at + length);
        MemorySegment segment = MemorySegment.ofArray(memory);
        long original = random.nextBoolean() ? length : random.nextLong(1L << 32);
        if (original == length && index == 0) {
            writer.write(timestampNs, segment, at, length);
        } else {
            writer.write(index, timestampNs, original, segment, at, length);
        }
        if (random.nextInt(10) == 0) {
            writer.flush();
        }
        byte[] packet = Arrays.copyOfRange(memory, at, at + length);
        return new Packet(0, index, linkType, keptNs, original, Bytes.of(packet));
    }

    private static void assertReadsBack(byte[] file, SplittableRandom random, List<Packet> written)
            throws IOException {
        Outcome outcome = Captures.read(file);
        assertThat(outcome.status()).as(outcome.problem()).isEqualTo(CaptureStatus.END);
        assertThat(outcome.packets()).isEqualTo(written);
        assertThat(Captures.read(Captures.trickle(file, random))).isEqualTo(outcome);
    }
}
