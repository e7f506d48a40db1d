package dev.verbena.wire.capture;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/// Reads whole capture files in memory, for tests that compare them.
final class Captures {
    private Captures() {}

    /// One packet with all that a reader tells of it.
    record Packet(
            int section, int index, LinkType type, long timestampNs, long original, Bytes bytes) {
        Packet {
            assert section >= 0 : "section " + section;
        }
    }

    /// Bytes that compare by content.
    record Bytes(List<Byte> content) {
        static Bytes of(byte[] bytes) {
            List<Byte> content = new ArrayList<>(bytes.length);
            for (byte value : bytes) {
                content.add(value);
            }
            return new Bytes(content);
        }
    }

    /// What reading a file to its end or first problem gave.
    record Outcome(List<Packet> packets, CaptureStatus status, String problem, long position) {}

    static byte[] vector(String name) {
        try (InputStream in = Captures.class.getResourceAsStream("/vectors/" + name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static CaptureReader open(byte[] file) throws IOException {
        return CaptureReader.open(Channels.newChannel(new ByteArrayInputStream(file)));
    }

    static Outcome read(byte[] file) throws IOException {
        return read(Channels.newChannel(new ByteArrayInputStream(file)));
    }

    static Outcome read(ReadableByteChannel channel) throws IOException {
        List<Packet> packets = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open(channel)) {
            while (reader.next() == CaptureStatus.PACKET) {
                byte[] bytes = reader.packet().toArray(ValueLayout.JAVA_BYTE);
                packets.add(
                        new Packet(
                                reader.sectionIndex(),
                                reader.interfaceIndex(),
                                reader.linkType(),
                                reader.timestampNs(),
                                reader.originalLength(),
                                Bytes.of(bytes)));
            }
            return new Outcome(packets, reader.next(), reader.problemText(), reader.position());
        }
    }

    static byte[] random(SplittableRandom random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /// A channel that gives a few bytes at a time, as a pipe may.
    static ReadableByteChannel trickle(byte[] file, SplittableRandom random) {
        return new ReadableByteChannel() {
            private int at;

            @Override
            public int read(ByteBuffer target) {
                if (at == file.length) {
                    return -1;
                }
                int most = Math.min(target.remaining(), file.length - at);
                int count = 1 + random.nextInt(Math.min(most, 100));
                target.put(Arrays.copyOfRange(file, at, at + count));
                at += count;
                return count;
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {}
        };
    }
}
