package dev.verbena.job.chakra;

import dev.verbena.job.replay.TraceException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.ByteBuffer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/// The messages of one file: each follows its length. The file may be compressed by gzip.
final class ChakraStream {
    /// The longest message: a node has a few hundred bytes.
    private static final int MESSAGE_MAX = 1 << 24;

    private static final int GZIP_FIRST = 0x1F;
    private static final int GZIP_SECOND = 0x8B;

    private final String file;
    private final InputStream in;
    private int number;

    private ChakraStream(String file, InputStream in) {
        this.file = file;
        this.in = in;
    }

    /// @param in is looked at, and taken apart when it is compressed
    static ChakraStream of(String file, InputStream in) throws IOException {
        PushbackInputStream start = new PushbackInputStream(in, 2);
        byte[] magic = start.readNBytes(2);
        start.unread(magic);
        boolean isCompressed =
                magic.length == 2
                        && (magic[0] & 0xFF) == GZIP_FIRST
                        && (magic[1] & 0xFF) == GZIP_SECOND;
        if (!isCompressed) {
            return new ChakraStream(file, start);
        }
        try {
            return new ChakraStream(file, new GZIPInputStream(start));
        } catch (ZipException | EOFException malformed) {
            throw new TraceException(file + ": malformed gzip", malformed);
        }
    }

    /// The place of the last message, for errors.
    String place() {
        return "%s, message %d".formatted(file, number);
    }

    TraceException wrong(String problem) {
        return new TraceException(place() + ": " + problem);
    }

    /// The next message, or null at the end.
    @Nullable ProtoMessage next() throws IOException {
        try {
            int first = in.read();
            if (first < 0) {
                return null;
            }
            number++;
            long length = length(first);
            if (length > MESSAGE_MAX) {
                throw wrong(
                        "%s bytes, and %,d are the most"
                                .formatted(Long.toUnsignedString(length), MESSAGE_MAX));
            }
            byte[] bytes = in.readNBytes((int) length);
            if (bytes.length < length) {
                throw wrong("the file ends after %,d of %,d bytes".formatted(bytes.length, length));
            }
            return new ProtoMessage(ByteBuffer.wrap(bytes));
        } catch (ZipException | EOFException malformed) {
            throw new TraceException(place() + ": malformed gzip", malformed);
        }
    }

    private long length(int first) throws IOException {
        long length = first & 0x7F;
        int last = first;
        for (int shift = 7; last >= 0x80; shift += 7) {
            last = in.read();
            if (last < 0) {
                throw wrong("the file ends within its length");
            }
            if (shift > 28) {
                throw wrong("its length has more than five bytes");
            }
            length |= (last & 0x7FL) << shift;
        }
        return length;
    }
}
