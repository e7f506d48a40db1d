package dev.verbena.verbs;

/// A piece of a memory region of ours.
public record LocalSlice(MemoryRegion region, long offset, long length) {
    public LocalSlice {
        if (offset < 0 || length < 0 || offset > region.length() - length) {
            throw new InvalidRequestException(
                    region.toString(),
                    "no bytes " + offset + " to " + (offset + length),
                    "it has " + region.length() + " bytes");
        }
    }

    /// A piece of this piece.
    public LocalSlice slice(long from, long bytes) {
        if (from < 0 || bytes < 0 || from > length - bytes) {
            throw new InvalidRequestException(
                    region.toString(),
                    "no bytes " + from + " to " + (from + bytes) + " in the slice",
                    "it has " + length + " bytes");
        }
        return new LocalSlice(region, offset + from, bytes);
    }
}
