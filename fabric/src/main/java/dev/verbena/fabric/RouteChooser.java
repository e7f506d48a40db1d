package dev.verbena.fabric;

/// Which of several equal ports a packet takes.
abstract class RouteChooser {
    abstract int choose(long tag, short[] ports);

    /// Whether packets that are alike take the same port.
    boolean isSteady() {
        return true;
    }

    /// What a chooser may look at in its switch.
    interface Egress {
        /// Bytes that wait at a port in the lane that a packet would take.
        long waitingBytes(int port, long tag);

        /// Rate of the cable at a port.
        long bitsPerSecond(int port);
    }

    /// @param salt seed of the switch's own random choices
    static RouteChooser of(
            Routing routing, int salt, SwitchPlace place, Egress egress, Clock clock) {
        int seed = routing.isOneHash() ? EthernetSwitch.SALT : salt;
        return switch (routing.spread()) {
            case ECMP -> new EcmpChooser(seed);
            case WEIGHTED -> new WeightedChooser(seed, egress);
            case FLOWLET -> new FlowletChooser(seed, routing.flowletGapPs(), clock);
            case ADAPTIVE -> new AdaptiveChooser(salt, egress);
            case SPRAY -> new SprayChooser(salt);
            case FIXED -> new FixedChooser(place);
        };
    }
}
