package dev.verbena.verbs.spi;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LimitExceededException;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;

/// Rules for memory that becomes a region. `who` is the protection domain, for the message.
public final class RegionRules {
    /// A thread that owns nothing: a segment that it can access is not confined to any thread.
    private static final Thread NOBODY = Thread.ofVirtual().unstarted(() -> {});

    private RegionRules() {}

    /// Checks the size of a new region.
    ///
    /// @param most bytes that a region of the device can have
    public static void requireSize(Object who, long bytes, long most) {
        if (bytes < 0 || bytes > most) {
            throw new LimitExceededException(
                    who.toString(), "no region of " + bytes + " bytes", "use 0 to " + most);
        }
    }

    /// The rights of a new region. IBA 10.6.3.1: remote write access uses the local write right of
    /// the device.
    public static Set<Access> rights(Access... given) {
        EnumSet<Access> set = EnumSet.noneOf(Access.class);
        set.addAll(Set.of(given));
        if (set.contains(Access.REMOTE_WRITE) || set.contains(Access.REMOTE_ATOMIC)) {
            set.add(Access.LOCAL_WRITE);
        }
        return Set.copyOf(set);
    }

    /// Checks that the memory stays where it is.
    public static void requireNative(Object who, MemorySegment segment) {
        if (!segment.isNative()) {
            throw new InvalidRequestException(
                    who.toString(),
                    "a heap segment can move under the device",
                    "allocate native memory, best with ProtectionDomain.allocate");
        }
    }

    /// Any thread may use a shared, automatic or global segment; a confined one has an owner.
    public static void requireShared(Object who, MemorySegment segment) {
        boolean isAlive = segment.scope().isAlive();
        if (!isAlive || !segment.isAccessibleBy(NOBODY)) {
            throw new InvalidRequestException(
                    who.toString(),
                    isAlive
                            ? "the segment is confined to one thread"
                            : "the segment's arena is closed",
                    "use an open arena that is shared, automatic or global");
        }
    }

    /// Checks that a device may write what it is given the right to write.
    ///
    /// @param rights of the region; see [#rights]
    public static void requireWritable(Object who, MemorySegment segment, Set<Access> rights) {
        if (segment.isReadOnly() && rights.contains(Access.LOCAL_WRITE)) {
            throw new InvalidRequestException(
                    who.toString(),
                    "the segment is read-only and the rights include writing",
                    "register it with REMOTE_READ alone, or with no right");
        }
    }

    /// The machine has no memory for a region.
    public static LimitExceededException noMemory(Object who, long bytes, OutOfMemoryError full) {
        return new LimitExceededException(
                who.toString(),
                "no " + bytes + " bytes of native memory: " + full.getMessage(),
                "raise -XX:MaxDirectMemorySize, or allocate less",
                full);
    }
}
