package dev.verbena.job;

import dev.verbena.fabric.FabricKind;
import dev.verbena.fabric.FabricSettings;

/// The time of an all-reduce in the network that follows from arithmetic alone: a tree of switches
/// with equal cables, and vectors of whole packets.
///
/// ```text
///   first packet: up, combined at each tier, and down | the others, each a gap later
/// ```
///
/// @param tiers of switches
/// @param children of the switch that has most
record NetworkForm(FabricSettings settings, int tiers, int children) {
    /// The headers of a packet: a BTH, its number, what is done with it, and the ICRC.
    private static final int HEADERS = 12 + 8 + 4 + 4;

    /// Of a full packet on a link.
    private double packetNs() {
        int mtu = settings.mtu();
        int wire = settings.framing().wireBytes(HEADERS + mtu, mtu, false);
        return wire * 8e9 / settings.cable().rate().bitsPerSecond();
    }

    /// The ALU takes in a packet of each child.
    private double combinedNs() {
        double bytes = (double) settings.mtu() * children;
        return bytes * 1e9 / settings.reduction().bytesPerSecond();
    }

    /// From the begin of a packet to the end of its result. A switch combines packets that it has
    /// as a whole; on InfiniBand it sends a result on before it has all of it.
    double roundNs() {
        boolean isCut = settings.kind() instanceof FabricKind.InfiniBand;
        int transmissions = tiers + (isCut ? 1 : tiers);
        double cables = 2.0 * tiers * settings.cable().delayPs() / 1000;
        double switches = (2 * tiers - 1) * settings.switchLatencyPs() / 1000.0;
        return transmissions * packetNs() + tiers * combinedNs() + cables + switches;
    }

    /// From one packet to the next: the slower of the link and the ALU, or the window.
    double gapNs(int window) {
        return Math.max(Math.max(packetNs(), combinedNs()), roundNs() / window);
    }

    double ns(long bytes, int window) {
        return roundNs() + (bytes / settings.mtu() - 1) * gapNs(window);
    }
}
