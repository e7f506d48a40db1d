package dev.verbena.fabric.manage;

import java.lang.foreign.MemorySegment;

/// Sees requests of subnet managers that change a node.
@FunctionalInterface
public interface SetObserver {
    /// Takes a request that a node has got.
    ///
    /// @param mad the request, which is not changed any more
    /// @param isObeyed whether its M_Key was right
    void seen(int node, MemorySegment mad, boolean isObeyed);
}
