package dev.verbena.fabric;

/// The order of what happens at one instant: by port, and at a port as below.
final class Orders {
    private static final int PER_PORT = 8;

    private Orders() {}

    static int arrival(int port) {
        return port * PER_PORT;
    }

    /// Of the sending half; the end of a pause has the one behind it.
    static int departure(int port) {
        return port * PER_PORT + 1;
    }

    static int pauseRenewal(int port) {
        return port * PER_PORT + 3;
    }

    static int timer(int port) {
        return port * PER_PORT + 4;
    }

    /// Of a node whose first port this is.
    static int pipeline(int port) {
        return port * PER_PORT + 5;
    }

    static int outward(int port) {
        return port * PER_PORT + 6;
    }
}
