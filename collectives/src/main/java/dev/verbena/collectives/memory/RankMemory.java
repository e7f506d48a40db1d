package dev.verbena.collectives.memory;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.UnsupportedException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Memory of a rank, registered with all its devices.
///
/// Memory of a simulation may have a length alone; then [#segment] refuses, and only the number of
/// bytes travels.
public final class RankMemory implements AutoCloseable {
    private final MemoryRegion[] regions;
    private final @Nullable MemorySegment bytes;

    /// @param regions the same bytes, once for each device of the rank
    public RankMemory(List<MemoryRegion> regions) {
        this.regions = regions.toArray(MemoryRegion[]::new);
        bytes = bytesOf(this.regions[0]);
    }

    private static @Nullable MemorySegment bytesOf(MemoryRegion region) {
        try {
            return region.segment();
        } catch (UnsupportedException phantom) {
            return null;
        }
    }

    /// The memory itself.
    ///
    /// @throws UnsupportedException when it has a length alone
    public MemorySegment segment() {
        return bytes == null ? regions[0].segment() : bytes;
    }

    /// The memory itself, or null when it has a length alone.
    public @Nullable MemorySegment bytes() {
        return bytes;
    }

    public long length() {
        return regions[0].length();
    }

    /// The region for one of the rank's devices.
    public MemoryRegion region(int device) {
        return regions[device];
    }

    public Span span() {
        return new Span(this, 0, length());
    }

    public Span span(long offset, long length) {
        return new Span(this, offset, length);
    }

    /// Ends the registration. Close it when no operation uses it any more.
    @Override
    public void close() {
        for (MemoryRegion region : regions) {
            region.close();
        }
    }

    @Override
    public String toString() {
        return regions[0].toString();
    }
}
