package dev.verbena.ibverbs;

/// A bind on its way: what to take back when it fails.
record WindowBind(IbvWindow window, int newKey, int oldKey) {
    void failed() {
        window.failed(newKey, oldKey);
    }
}
