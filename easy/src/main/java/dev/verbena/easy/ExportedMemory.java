package dev.verbena.easy;

import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.RemoteSlice;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// Memory that every peer of the node may read, write and change by atomics.
///
/// Peers find it by its name, [MessageChannel#memory(String)], or by its descriptor, which the
/// program sends them. Any program that can connect to the node can do so: export nothing on a node
/// whose peers you do not trust.
public final class ExportedMemory implements AutoCloseable {
    private final RdmaNode node;
    private final String name;
    private final MemoryRegion region;

    ExportedMemory(RdmaNode node, String name, MemoryRegion region) {
        this.node = node;
        this.name = name;
        this.region = region;
    }

    static byte[] nameBytes(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0 || bytes.length > Protocol.NAME_BYTES_MAX) {
            throw new InvalidRequestException(
                    "memory '" + name + "'",
                    "its name has %d bytes".formatted(bytes.length),
                    "use 1 to " + Protocol.NAME_BYTES_MAX);
        }
        return bytes;
    }

    public String name() {
        return name;
    }

    /// The memory itself, zeroed and aligned to a page.
    public MemorySegment segment() {
        return region.segment();
    }

    /// What a peer needs for [MessageChannel#memory(RemoteSlice)], 20 bytes with
    /// [RemoteSlice#toBytes].
    public RemoteSlice descriptor() {
        return region.remote();
    }

    /// Takes the memory back: peers that use it afterwards lose their channel.
    @Override
    public void close() {
        node.withdraw(this);
        region.close();
    }

    @Override
    public String toString() {
        return "memory '%s' of %s".formatted(name, node);
    }
}
