package dev.verbena.transport;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;

/// A region that is cut from the field, and whether its key is in force by the attack's own books.
final class Plot {
    final String name;
    final MemoryRegion region;
    final long address;
    final long length;
    int key;
    boolean isOpen = true;

    private final int rights;

    Plot(String name, MemoryRegion region) {
        this.name = name;
        this.region = region;
        this.address = region.address();
        this.length = region.length();
        this.key = region.remoteKey();
        this.rights = Access.bits(region.rights());
    }

    boolean gives(Access right) {
        return (rights & right.bit()) != 0;
    }

    /// Ends the key, for a new one; returns the old one.
    int renew() {
        int old = key;
        key = region.renew();
        isOpen = true;
        return old;
    }

    boolean holds(long from, long bytes) {
        return from >= address && from + bytes <= address + length;
    }
}
