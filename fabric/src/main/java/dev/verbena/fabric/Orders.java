package dev.verbena.fabric;

/// The order of events at one instant: by port, and at a port as below.
final class Orders {
    /// Actions of programs come first.
    static final int AGENDA = 0;

    private static final int PER_PORT = 11;

    private Orders() {}

    static int arrival(int port) {
        return (port + 1) * PER_PORT;
    }

    /// Of the sending half; the end of a pause has the one behind it.
    static int departure(int port) {
        return (port + 1) * PER_PORT + 1;
    }

    static int pauseRenewal(int port) {
        return (port + 1) * PER_PORT + 3;
    }

    /// The pauses of a NIC that has some are at [#nicPause].
    static int nicLoopback(int port) {
        return pauseRenewal(port);
    }

    static int timer(int port) {
        return (port + 1) * PER_PORT + 4;
    }

    static int nicArrival(int port) {
        return (port + 1) * PER_PORT + 5;
    }

    static int nicPace(int port) {
        return (port + 1) * PER_PORT + 6;
    }

    static int nicTcp(int port) {
        return (port + 1) * PER_PORT + 7;
    }

    /// Of a NIC the timer of its reductions; of a switch, by its first port, its sums.
    static int reduction(int port) {
        return (port + 1) * PER_PORT + 8;
    }

    static int nicReceiver(int port) {
        return (port + 1) * PER_PORT + 9;
    }

    /// Of a NIC that pauses its switch.
    static int nicPause(int port) {
        return (port + 1) * PER_PORT + 10;
    }
}
