package dev.verbena.cli;

import dev.verbena.fabric.Fabric;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.wire.capture.CaptureWriter;
import dev.verbena.wire.capture.LinkType;
import dev.verbena.wire.capture.PcapWriter;
import dev.verbena.wire.capture.PcapngWriter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The capture files of a simulation, as long as it runs.
final class SimCaptures implements AutoCloseable {
    private final List<CaptureWriter> writers = new ArrayList<>();

    SimCaptures(Fabric fabric, int hosts, Map<Integer, Path> files) throws IOException {
        LinkType type =
                fabric.settings().layer() == LinkLayer.ETHERNET ? LinkType.ETHERNET : LinkType.ERF;
        for (Map.Entry<Integer, Path> entry : files.entrySet()) {
            if (entry.getKey() < 0 || entry.getKey() >= hosts) {
                throw new IllegalArgumentException(
                        "no host %d to capture at: use 0 to %d"
                                .formatted(entry.getKey(), hosts - 1));
            }
            CaptureWriter writer = open(entry.getValue(), type);
            writers.add(writer);
            fabric.capture(entry.getKey(), writer);
        }
    }

    private static CaptureWriter open(Path file, LinkType type) throws IOException {
        FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING);
        return file.toString().endsWith(".pcapng")
                ? PcapngWriter.on(channel, type)
                : PcapWriter.on(channel, type);
    }

    void flush() throws IOException {
        for (CaptureWriter writer : writers) {
            writer.flush();
        }
    }

    @Override
    public void close() throws IOException {
        for (CaptureWriter writer : writers) {
            writer.close();
        }
    }
}
