package dev.verbena.verbs;

/// A part of a local memory region.
public record LocalSlice(MemoryRegion region, long offset, long length) {
    public LocalSlice {
        Require.within(region, offset, length, region.length());
    }

    /// A part of this slice.
    public LocalSlice slice(long from, long bytes) {
        Require.within(this, from, bytes, length);
        return new LocalSlice(region, offset + from, bytes);
    }

    @Override
    public String toString() {
        return region + ", " + length + " bytes from byte " + offset + " on";
    }
}
