package dev.verbena.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.capture.CaptureReader;
import dev.verbena.wire.capture.CaptureStatus;
import dev.verbena.wire.capture.CaptureWriter;
import dev.verbena.wire.capture.Erf;
import dev.verbena.wire.capture.ErfVerdict;
import dev.verbena.wire.capture.LinkType;
import dev.verbena.wire.capture.PcapWriter;
import dev.verbena.wire.capture.PcapngWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// Writes captures with our writers, and reads them back with our reader.
final class Captures {
    private static final Path DIRECTORY = Path.of("target", "captures");
    private static final long START_NS = 1_700_000_000_000_000_000L;

    private Captures() {}

    /// Frames from their Ethernet header on; the name's ending says which format.
    static Path ethernet(String name, List<MemorySegment> frames) {
        return write(name, LinkType.ETHERNET, frames);
    }

    /// Native packets, each in an ERF record of a type, since tshark does not know their own link
    /// type.
    static Path erf(String name, int type, List<MemorySegment> packets) {
        List<MemorySegment> records = new ArrayList<>();
        for (MemorySegment packet : packets) {
            int length = (int) packet.byteSize();
            byte[] record = new byte[Erf.recordLength(type, length)];
            long timeNs = START_NS + records.size();
            Erf.emit(MemorySegment.ofArray(record), 0, type, timeNs, packet, 0, length);
            records.add(MemorySegment.ofArray(record));
        }
        return write(name, LinkType.ERF, records);
    }

    private static Path write(String name, LinkType linkType, List<MemorySegment> records) {
        try {
            Path file = Files.createDirectories(DIRECTORY).resolve(name);
            FileChannel channel =
                    FileChannel.open(
                            file,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.TRUNCATE_EXISTING,
                            StandardOpenOption.WRITE);
            try (CaptureWriter writer =
                    name.endsWith(".pcapng")
                            ? PcapngWriter.on(channel, linkType)
                            : PcapWriter.on(channel, linkType)) {
                long timeNs = START_NS;
                for (MemorySegment record : records) {
                    writer.write(timeNs, record, 0, (int) record.byteSize());
                    timeNs += 1_000;
                }
            }
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Every packet of a capture in a segment of its own, without the ERF record around it.
    static List<MemorySegment> read(Path file) {
        List<MemorySegment> packets = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open(FileChannel.open(file))) {
            while (reader.next() == CaptureStatus.PACKET) {
                packets.add(copy(unwrapped(reader)));
            }
            assertThat(reader.next()).as(reader.problemText()).isEqualTo(CaptureStatus.END);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packets;
    }

    private static MemorySegment unwrapped(CaptureReader reader) {
        MemorySegment record = reader.packet();
        if (!reader.linkType().equals(LinkType.ERF)) {
            return record;
        }
        assertThat(Erf.check(record, 0, record.byteSize())).isEqualTo(ErfVerdict.OK);
        return record.asSlice(Erf.payloadAt(record, 0), Erf.payloadLength(record, 0));
    }

    private static MemorySegment copy(MemorySegment bytes) {
        return MemorySegment.ofArray(bytes.toArray(ValueLayout.JAVA_BYTE));
    }
}
