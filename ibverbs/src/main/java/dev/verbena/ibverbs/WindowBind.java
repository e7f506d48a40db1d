package dev.verbena.ibverbs;

/// A bind on its way: of what to what, and what to take back when it fails.
record WindowBind(IbvWindow window, IbvRegion region, int newKey, int oldKey) {
    void failed() {
        window.failed(newKey, oldKey);
    }
}
