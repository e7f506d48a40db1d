package dev.verbena.wire.mad;

import dev.verbena.wire.WireException;

/// The way between the queue pairs that a REQ asks for (IBA 12.6.5).
///
/// @param pkey partition of the connection
/// @param mtu of the paths, the code of a [dev.verbena.wire.PathMtu]
/// @param alternate the path to migrate to, or [CmPath#NONE]
/// @param sapSupported whether the sender takes suggestions of an alternate path
public record CmPaths(int pkey, int mtu, CmPath primary, CmPath alternate, boolean sapSupported) {
    public CmPaths {
        WireException.requireBits("req pkey", pkey, 16);
        WireException.requireBits("req path mtu", mtu, 4);
    }
}
