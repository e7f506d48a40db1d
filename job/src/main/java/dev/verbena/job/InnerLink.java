package dev.verbena.job;

import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.Rate;

/// What joins the ranks of a host, as NVLink does.
///
/// @param bytesPerSecond that a rank can send, and receive at the same time; headers come on top
/// @param latencyNs from one rank to another
public record InnerLink(double bytesPerSecond, long latencyNs) {
    /// Assumed.
    public static final InnerLink USUAL = new InnerLink(450e9, 500);

    private static final int BTH_AND_ICRC = 16;
    private static final double LEAST = 1e6;
    private static final double MOST = 10e12;
    private static final long LATENCY_MAX_NS = 1_000_000_000;

    public InnerLink {
        if (!(bytesPerSecond >= LEAST && bytesPerSecond <= MOST)) {
            throw new IllegalArgumentException(
                    "an inner link of %.0f bytes per second: use 1 MB/s to 10 TB/s"
                            .formatted(bytesPerSecond));
        }
        if (latencyNs < 0 || latencyNs > LATENCY_MAX_NS) {
            throw new IllegalArgumentException(
                    "an inner link of %,d ns: use 0 to a second".formatted(latencyNs));
        }
    }

    /// The rate of a link on which full packets carry so many bytes.
    Rate rate(FabricSettings settings) {
        int mtu = settings.mtu();
        double wire = settings.framing().wireBytes(BTH_AND_ICRC + mtu, mtu, false);
        return new Rate(Math.round(bytesPerSecond * Byte.SIZE * wire / mtu));
    }
}
