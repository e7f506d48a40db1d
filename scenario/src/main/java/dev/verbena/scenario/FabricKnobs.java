package dev.verbena.scenario;

import dev.verbena.fabric.BufferSettings;
import dev.verbena.fabric.Cable;
import dev.verbena.fabric.Ets;
import dev.verbena.fabric.FabricKind;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.LaneMap;
import dev.verbena.fabric.NicProfile;
import dev.verbena.fabric.RoundTrip;
import dev.verbena.fabric.Routing;
import dev.verbena.fabric.Topology;
import dev.verbena.transport.carrier.PriorityMap;
import dev.verbena.transport.control.ControlFacts;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// The knobs of a simulated fabric as operators turn them, and the settings that follow from them.
///
/// @param switchLatencyPs [#USUAL] for that of the kind
/// @param kind what only RoCE or only InfiniBand has
public record FabricKnobs(
        Cable cable, long switchLatencyPs, int mtu, NicProfile nic, long seed, Kind kind) {
    /// Instead of a number: that of the kind of fabric.
    public static final int USUAL = -1;

    private static final int BLOCK = 64;
    private static final int CLASSES = 8;

    /// RoCE or InfiniBand.
    public sealed interface Kind {}

    /// Knobs of RoCE.
    ///
    /// @param bufferBytes of a switch, or [#USUAL]
    /// @param pausedPriorities that are paused before they drop; none where switches drop
    /// @param xoffBytes 0 for a share of the free buffer
    /// @param headroomBytes [#USUAL] for what the cable needs
    /// @param isByDscp whether the DSCP of packets decides about their priority
    public record Roce(
            Routing routing,
            long bufferBytes,
            List<Integer> pausedPriorities,
            long xoffBytes,
            int headroomBytes,
            Ets ets,
            boolean isByDscp,
            CongestionKnobs congestion)
            implements Kind {}

    /// Knobs of InfiniBand.
    ///
    /// @param laneBytes buffer of a lane of a port, or [#USUAL]
    /// @param hasLanes whether service levels have lanes of their own
    public record InfiniBand(
            long laneBytes, boolean isCutThrough, boolean hasLanes, Routing routing)
            implements Kind {}

    /// The settings for a topology.
    ///
    /// @throws IllegalArgumentException for knobs that do not fit together
    public FabricSettings settings(Topology topology) {
        FabricSettings usual =
                kind instanceof InfiniBand ? FabricSettings.INFINIBAND : FabricSettings.ROCE;
        FabricSettings base =
                usual.withCable(cable)
                        .withSwitchLatencyPs(
                                switchLatencyPs < 0 ? usual.switchLatencyPs() : switchLatencyPs)
                        .withMtu(mtu)
                        .withNic(nic)
                        .withSeed(seed);
        return base.withKind(
                switch (kind) {
                    case Roce roce -> ethernet(roce, line(topology, base));
                    case InfiniBand lanes -> infiniBand(lanes);
                });
    }

    /// What congestion control knows of hosts.
    public ControlFacts line(Topology topology, FabricSettings made) {
        long rate =
                IntStream.range(0, topology.cables())
                        .filter(i -> !topology.isUplink(i))
                        .mapToObj(i -> topology.cablePlan(i).over(cable).rate())
                        .max(Comparator.comparingLong(it -> it.bitsPerSecond()))
                        .orElseGet(cable::rate)
                        .bitsPerSecond();
        return new ControlFacts(rate, mtu, RoundTrip.ns(topology, made));
    }

    private static FabricKind ethernet(Roce roce, ControlFacts line) {
        FabricKind.Ethernet usual = (FabricKind.Ethernet) FabricSettings.ROCE.kind();
        BufferSettings before = usual.buffer();
        int threshold = (int) Math.min(roce.xoffBytes, Integer.MAX_VALUE / 2);
        int paused = 0;
        for (int priority : roce.pausedPriorities) {
            paused |= 1 << priority;
        }
        BufferSettings shared =
                new BufferSettings(
                        roce.bufferBytes < 0 ? before.totalBytes() : roce.bufferBytes,
                        paused,
                        threshold,
                        threshold > 0 ? threshold / 2 : before.xonBytes(),
                        roce.headroomBytes < 0 ? before.headroomBytes() : roce.headroomBytes,
                        before.alpha());
        return usual.withBuffer(shared)
                .withRouting(roce.routing)
                .withMarking(roce.congestion.marking(line))
                .withEts(roce.ets)
                .withPriorities(roce.isByDscp ? PriorityMap.BY_DSCP : PriorityMap.BY_SERVICE_LEVEL);
    }

    private static FabricKind infiniBand(InfiniBand lanes) {
        FabricKind.InfiniBand usual = (FabricKind.InfiniBand) FabricSettings.INFINIBAND.kind();
        int blocks =
                lanes.laneBytes < 0
                        ? usual.bufferBlocks()
                        : (int) Math.min(lanes.laneBytes / BLOCK, Integer.MAX_VALUE);
        return usual.withBufferBlocks(blocks)
                .withCutThrough(lanes.isCutThrough)
                .withLanes(lanes.hasLanes ? LaneMap.modulo(CLASSES) : usual.lanes())
                .withRouting(lanes.routing);
    }
}
