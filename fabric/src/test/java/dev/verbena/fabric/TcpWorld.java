package dev.verbena.fabric;

/// Fabrics for tests of TCP, and what their packets need on a link.
final class TcpWorld {
    static final int SEGMENT = 4096;

    /// Preamble and gap, Ethernet with its checksum, IPv4, and TCP with timestamps.
    static final int DATA = 20 + 14 + 4 + 20 + 32 + SEGMENT;

    static final int ANSWER = DATA - SEGMENT;

    static final long US = 1_000_000;
    static final long MS = 1_000 * US;

    /// Priority 0 may lose packets, and 3 may not.
    static final int LOSSY = 0;

    static final int LOSSLESS = 3;

    private static final long LATENCY = 500_000;

    private TcpWorld() {}

    /// 100 Gb/s, with a buffer of so many bytes in each switch, of which a queue that may lose
    /// packets can have nearly all.
    static FabricSettings settings(long delayPs, long bufferBytes) {
        BufferSettings buffer =
                new BufferSettings(bufferBytes, 1 << LOSSLESS, 40_000, 30_000, 0, 1_000);
        return with(delayPs, buffer);
    }

    /// The same with room for what comes after a pause.
    static FabricSettings paused(long delayPs, long bufferBytes) {
        BufferSettings buffer =
                new BufferSettings(
                        bufferBytes,
                        1 << LOSSLESS,
                        40_000,
                        30_000,
                        BufferSettings.AS_THE_CABLE_NEEDS,
                        1_000);
        return with(delayPs, buffer);
    }

    private static FabricSettings with(long delayPs, BufferSettings buffer) {
        return FabricSettings.ROCE
                .withCable(new Cable(Rate.gbits(100), delayPs))
                .withSwitchLatencyPs(LATENCY)
                .withKind(FabricKind.Ethernet.DEFAULT.withBuffer(buffer));
    }

    /// Hosts at one switch, of which the last has a cable of its own rate.
    static Topology bottleneck(int senders, Rate rate) {
        Wiring wiring = new Wiring("bottleneck");
        int leaf = wiring.addSwitch("leaf 0", senders + 1);
        for (int i = 0; i < senders; i++) {
            wiring.addHost("host " + i, leaf, i);
        }
        wiring.addHost("host " + senders, leaf, senders, CablePlan.USUAL.withRate(rate));
        return wiring.topology();
    }

    /// From the start of a full segment to the end of its answer, over one switch.
    static long roundTripPs(long delayPs, Rate last) {
        Rate first = Rate.gbits(100);
        return first.ps(DATA)
                + last.ps(DATA)
                + last.ps(ANSWER)
                + first.ps(ANSWER)
                + 4 * delayPs
                + 2 * LATENCY;
    }

    /// Payload per time, as a part of what a link of this rate can carry of it.
    static double part(long bytes, long timePs, Rate rate) {
        return (double) bytes / SEGMENT * rate.ps(DATA) / timePs;
    }
}
