package dev.verbena.collectives.link;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.UnsupportedException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Equal pieces of memory, made some at a time: a region for each link would be too many.
final class Slab implements AutoCloseable {
    private static final int MOST_AT_A_TIME = 64;

    /// A piece: `bytes` of the slab from `offset` of the region on.
    ///
    /// @param bytes of the region, or null where it has a length alone
    record Piece(MemoryRegion region, @Nullable MemorySegment bytes, long offset) {
        long address() {
            return region.address() + offset;
        }
    }

    private final ProtectionDomain domain;
    private final MemorySource source;
    private final long bytes;
    private final List<MemoryRegion> regions = new ArrayList<>();
    private @Nullable MemorySegment last;
    private int used;
    private int made;
    private int next = 1;

    Slab(ProtectionDomain domain, MemorySource source, long bytes) {
        this.domain = domain;
        this.source = source;
        this.bytes = bytes;
    }

    Piece take() {
        if (used == made) {
            MemoryRegion region =
                    source.make(domain, next * bytes, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            regions.add(region);
            last = bytesOf(region);
            used = 0;
            made = next;
            next = Math.min(2 * next, MOST_AT_A_TIME);
        }
        return new Piece(regions.getLast(), last, bytes * used++);
    }

    private static @Nullable MemorySegment bytesOf(MemoryRegion region) {
        try {
            return region.segment();
        } catch (UnsupportedException lengthAlone) {
            return null;
        }
    }

    @Override
    public void close() {
        regions.forEach(MemoryRegion::close);
        regions.clear();
    }
}
