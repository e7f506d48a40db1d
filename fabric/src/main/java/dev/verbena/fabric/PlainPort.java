package dev.verbena.fabric;

/// The sending half of a port within a host: one lane, which never waits for the neighbour.
final class PlainPort extends OutPort {
    PlainPort(Fabric fabric, PortPlace place) {
        super(fabric, place, 1, (lanes, _) -> 0);
    }

    @Override
    boolean mayLose(long tag) {
        return true;
    }

    @Override
    boolean isHeld(int lane) {
        return false;
    }

    @Override
    int allowed(int lanesWaiting) {
        return lanesWaiting;
    }

    @Override
    void leaving(int handle, int lane, int wireBytes) {}

    @Override
    void heard(long frame, long nowPs) {
        throw new AssertionError("a port within a host has no neighbour that sends frames");
    }

    @Override
    void taken(long tag, long nowPs) {}

    @Override
    int classes() {
        return ~0;
    }

    @Override
    int laneOf(int level) {
        return 0;
    }
}
