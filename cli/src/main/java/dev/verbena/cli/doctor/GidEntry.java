package dev.verbena.cli.doctor;

import dev.verbena.verbs.Gid;

/// A place of a port's GID table that is taken.
///
/// @param type `RoCE v2`, `IB/RoCE v1`
record GidEntry(int index, Gid gid, String type, String networkInterface) {

    boolean isVersion2() {
        return type.equals("RoCE v2");
    }

    boolean isLinkLocal() {
        return gid.high() >>> 54 == 0xFE80 >>> 6;
    }

    /// Whether it is what one wants: an address that a router knows, as RoCE v2.
    boolean isRoutable() {
        return isVersion2() && !isLinkLocal();
    }
}
