package dev.verbena.cli;

import dev.verbena.verbs.DatagramHeader;
import dev.verbena.verbs.QueuePairType;
import java.util.Locale;

/// The four pingpong programs of libibverbs, and their differences.
enum PingpongType {
    RC(QueuePairType.RC, 4096, 1),
    UC(QueuePairType.UC, 4096, 1),
    UD(QueuePairType.UD, 1024, 1),
    /// Reliable connections that take from one shared receive queue. It always tells of as many
    /// queue pairs as it could have.
    SRQ(QueuePairType.RC, 4096, 256);

    private final QueuePairType service;
    private final int usualBytes;
    private final int addresses;

    PingpongType(QueuePairType service, int usualBytes, int addresses) {
        this.service = service;
        this.usualBytes = usualBytes;
        this.addresses = addresses;
    }

    QueuePairType service() {
        return service;
    }

    /// Default size of a message.
    int usualBytes() {
        return usualBytes;
    }

    /// How many addresses each side sends, which is also how many queue pairs it may have.
    int addresses() {
        return addresses;
    }

    /// Bytes in front of a message in memory.
    int headerBytes() {
        return this == UD ? DatagramHeader.LENGTH : 0;
    }

    /// The name of the program in libibverbs.
    String program() {
        return "ibv_" + name().toLowerCase(Locale.ROOT) + "_pingpong";
    }
}
