package dev.verbena.ibverbs;

/// A bind in flight: its window and region, and the values to restore when it fails.
record WindowBind(IbvWindow window, IbvRegion region, int newKey, int oldKey) {
    void failed() {
        window.failed(newKey, oldKey);
    }
}
