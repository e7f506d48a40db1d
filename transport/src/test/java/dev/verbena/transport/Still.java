package dev.verbena.transport;

/// A driver where time stands still and nobody moves a packet.
class Still implements Driver {
    @Override
    public long nowNs() {
        return 0;
    }

    @Override
    public boolean turn() {
        return false;
    }

    @Override
    public void idle(long deadlineNs) {}

    @Override
    public void wake() {}
}
