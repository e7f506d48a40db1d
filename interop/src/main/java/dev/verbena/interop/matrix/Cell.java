package dev.verbena.interop.matrix;

/// One thing that two implementations must agree about.
record Cell(String name, Extent extent, Script script) {
    /// Under what it can make a difference.
    enum Extent {
        /// Each message is a packet.
        PACKET,
        /// Messages take several packets, so that segmentation can make a difference.
        MESSAGE,
        /// Faults of the network can as well, and the script knows what must come through.
        FAULTS
    }

    /// What both sides do and must see; opens the encounter itself.
    @FunctionalInterface
    interface Script {
        void run(ConnectedSides it);
    }

    boolean isPlayed(Conditions conditions) {
        return switch (extent) {
            case PACKET -> conditions.gso() && !conditions.isFaulty();
            case MESSAGE -> !conditions.isFaulty();
            case FAULTS -> true;
        };
    }

    @Override
    public String toString() {
        return name;
    }
}
