package dev.verbena.fabric;

import dev.verbena.verbs.LinkLayer;

/// The settings of a fabric, apart from its topology.
///
/// @param kind InfiniBand or Ethernet, with the settings that only this kind has
/// @param cable the cable of every link, apart from what cables of the topology have of their own
/// @param switchLatencyPs time from a packet's arrival at a switch until it may leave
/// @param mtu largest payload of a packet
/// @param framing bytes around the payload
/// @param nic delays and rates of NICs
/// @param reduction what switches offer for reductions in the network
/// @param seed seed of all random choices
public record FabricSettings(
        FabricKind kind,
        Cable cable,
        long switchLatencyPs,
        int mtu,
        Framing framing,
        NicProfile nic,
        ReductionSettings reduction,
        long seed) {
    private static final Cable CABLE = new Cable(Rate.gbits(400), 500_000);
    private static final int MTU = 4096;

    /// RoCE at 400 Gb/s; every number is assumed.
    public static final FabricSettings ROCE =
            new FabricSettings(
                    FabricKind.Ethernet.DEFAULT,
                    CABLE,
                    500_000,
                    MTU,
                    new Framing.RoceV2(),
                    NicProfile.IDEAL,
                    ReductionSettings.NONE,
                    1);

    /// InfiniBand at 400 Gb/s; every number is assumed.
    public static final FabricSettings INFINIBAND =
            new FabricSettings(
                    FabricKind.InfiniBand.DEFAULT,
                    CABLE,
                    200_000,
                    MTU,
                    new Framing.InfiniBand(),
                    NicProfile.IDEAL,
                    ReductionSettings.NONE,
                    1);

    public LinkLayer layer() {
        return switch (kind) {
            case FabricKind.Ethernet _ -> LinkLayer.ETHERNET;
            case FabricKind.InfiniBand _ -> LinkLayer.INFINIBAND;
        };
    }

    /// How switches choose among equal ports.
    public Routing routing() {
        return switch (kind) {
            case FabricKind.Ethernet ethernet -> ethernet.routing();
            case FabricKind.InfiniBand infiniBand -> infiniBand.routing();
        };
    }

    public FabricSettings withKind(FabricKind value) {
        return new FabricSettings(
                value, cable, switchLatencyPs, mtu, framing, nic, reduction, seed);
    }

    public FabricSettings withCable(Cable value) {
        return new FabricSettings(kind, value, switchLatencyPs, mtu, framing, nic, reduction, seed);
    }

    public FabricSettings withSwitchLatencyPs(long value) {
        return new FabricSettings(kind, cable, value, mtu, framing, nic, reduction, seed);
    }

    public FabricSettings withMtu(int value) {
        return new FabricSettings(
                kind, cable, switchLatencyPs, value, framing, nic, reduction, seed);
    }

    public FabricSettings withFraming(Framing value) {
        return new FabricSettings(kind, cable, switchLatencyPs, mtu, value, nic, reduction, seed);
    }

    public FabricSettings withSeed(long value) {
        return new FabricSettings(
                kind, cable, switchLatencyPs, mtu, framing, nic, reduction, value);
    }

    public FabricSettings withNic(NicProfile value) {
        return new FabricSettings(
                kind, cable, switchLatencyPs, mtu, framing, value, reduction, seed);
    }

    public FabricSettings withReduction(ReductionSettings value) {
        return new FabricSettings(kind, cable, switchLatencyPs, mtu, framing, nic, value, seed);
    }

    /// Bytes that may arrive at a port of an Ethernet switch after it has paused its neighbour.
    public int neededHeadroom() {
        return BufferSettings.headroom(cable, this);
    }

    /// Length of the largest packet on a link.
    int largestWireBytes() {
        // BTH, RETH and immediate data, ICRC.
        int transport = 12 + 16 + 4 + mtu + 4;
        return framing.wireBytes(transport, mtu, true);
    }
}
