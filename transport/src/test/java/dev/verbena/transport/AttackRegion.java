package dev.verbena.transport;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A region that is cut from the canary memory, or a window on a part of one, with what its key
/// opens by the attack's own books.
final class AttackRegion {
    final String name;
    final MemoryRegion region;
    final long address;
    final long length;
    final @Nullable MemoryWindow window;

    /// The one queue pair that it opens to, when it is a window of type 2.
    final @Nullable Target only;

    int key;
    boolean isOpen = true;

    private final Set<Access> rights;

    AttackRegion(String name, MemoryRegion region) {
        this(name, region, 0, region.length(), region.rights(), null, null);
        key = region.remoteKey();
    }

    /// A window, not yet bound.
    AttackRegion(
            String name,
            MemoryRegion region,
            long offset,
            long length,
            Set<Access> rights,
            @Nullable MemoryWindow window,
            @Nullable Target only) {
        this.name = name;
        this.region = region;
        this.address = region.address() + offset;
        this.length = length;
        this.rights = rights;
        this.window = window;
        this.only = only;
    }

    boolean gives(Access right) {
        return rights.contains(right);
    }

    /// Ends the key of a region, for a new one; returns the old one.
    int renew() {
        int old = key;
        key = region.renew();
        isOpen = true;
        return old;
    }

    /// A target's program binds the window, anew if it was bound; returns the key before.
    int bind(Target by) {
        int old = key;
        MemoryWindow bound = Objects.requireNonNull(window, "only windows are bound");
        by.pair.sends().bind(bound, region, address - region.address(), length, rights).post();
        key = bound.remoteKey();
        isOpen = true;
        return old;
    }

    /// Whether bytes like these lie in it somewhere.
    boolean shows(MemorySegment bytes, long at, int count) {
        MemorySegment own = region.segment().asSlice(address - region.address(), length);
        for (long from = 0; from + count <= length; from++) {
            if (MemorySegment.mismatch(own, from, from + count, bytes, at, at + count) < 0) {
                return true;
            }
        }
        return false;
    }

    boolean holds(long from, long bytes) {
        return from >= address && from + bytes <= address + length;
    }
}
