package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.util.Set;

/// A region that is a few numbers, for tests of what needs no device.
record TestRegion(long length, long address, int remoteKey) implements MemoryRegion {
    @Override
    public ProtectionDomain domain() {
        throw new UnsupportedException(toString(), "no domain", "do not ask for it");
    }

    @Override
    public MemorySegment segment() {
        throw new UnsupportedException(toString(), "no memory", "do not ask for it");
    }

    @Override
    public Set<Access> rights() {
        return Set.of();
    }

    @Override
    public int renew() {
        return remoteKey;
    }

    @Override
    public void close() {}

    @Override
    public String toString() {
        return "mr 0x" + Integer.toHexString(remoteKey);
    }
}
