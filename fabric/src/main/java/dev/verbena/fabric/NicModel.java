package dev.verbena.fabric;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// NICs by name, with the constants that data sheets give.
///
/// A data sheet has one latency, taken as that of two NICs together, and one packet rate, of all
/// connections together. Half of the latency is in each NIC, and [#HOST_NS] is added on each side
/// for what a host needs: the store that rings the doorbell and its way over PCIe, or the PCIe
/// write of the data and the loop that sees it. No constant here was fitted to a measurement; that
/// of hosts is an estimate, and hosts differ by a factor of two. docs/predictions.md has the
/// sources, and says which were read and which are remembered.
public enum NicModel {
    /// Adds no time.
    IDEAL(0, 0),

    /// A NIC of 400 Gb/s with assumed values.
    ADAPTER(600, 200),

    /// 40 GbE, PCIe 3.0 x8. Latency 1 us by its product brief; the rate of 35 million is an
    /// estimate.
    CONNECTX_3_PRO(1_000, 35),

    /// 100 Gb/s, PCIe 3.0 x16. Product brief: below 0.7 us, 150 million messages per second.
    CONNECTX_4(700, 150),

    /// 25 to 100 Gb/s, PCIe 3.0. Product brief: below 600 ns, 200 million messages per second. The
    /// Ex is the same chip with PCIe 4.0, which has no constant here.
    CONNECTX_5(600, 200),

    /// 200 Gb/s, PCIe 4.0 x16. User manual: below 600 ns, 215 million messages per second.
    CONNECTX_6(600, 215),

    /// 400 Gb/s, PCIe 5.0 x16. No document with a latency was found: that of ConnectX-6 is taken.
    /// 330 million messages per second are the lower of two rates in product briefs.
    CONNECTX_7(600, 330);

    /// Time of a host on each side.
    private static final int HOST_NS = 170;

    private static final long PS_PER_NS = 1000;

    private final int pairNs;
    private final int packetMillions;

    NicModel(int pairNs, int packetMillions) {
        this.pairNs = pairNs;
        this.packetMillions = packetMillions;
    }

    public NicProfile profile() {
        return switch (this) {
            case IDEAL -> NicProfile.IDEAL;
            case ADAPTER -> NicProfile.ADAPTER_400G;
            default -> ofDataSheet();
        };
    }

    private NicProfile ofDataSheet() {
        long sidePs = (pairNs / 2 + HOST_NS) * PS_PER_NS;
        return new NicProfile(sidePs, sidePs, Math.ceilDiv(1_000_000, packetMillions), 0);
    }

    /// The model of a name, such as `connectx-6`.
    public static Optional<NicModel> of(String name) {
        return Arrays.stream(values()).filter(it -> it.toString().equals(name)).findFirst();
    }

    /// The names of all models, as a sentence lists them.
    public static String names() {
        return Arrays.stream(values()).map(NicModel::toString).collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
