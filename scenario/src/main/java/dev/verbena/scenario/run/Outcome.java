package dev.verbena.scenario.run;

import dev.verbena.fabric.CongestionCounts;
import dev.verbena.fabric.Deadlock;
import dev.verbena.fabric.FabricCounts;
import dev.verbena.fabric.PortCounts;
import dev.verbena.scenario.Scenario;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What one run of a scenario did.
///
/// @param isPartial whether it was ended early
/// @param works in the order of the scenario's flows, then the job
/// @param moments empty at the flow level
/// @param ports as they were at the end; none at the flow level
/// @param devices counters of all devices, by name
/// @param failed sentences about flows that failed
/// @param originPs time of the fabric at which the run began
public record Outcome(
        Scenario scenario,
        boolean isPartial,
        boolean isOver,
        double spanUs,
        List<WorkTimes> works,
        Optional<JobResult> job,
        Optional<Moments> moments,
        List<PortCounts> ports,
        FabricCounts counts,
        CongestionCounts congestion,
        Map<String, Long> devices,
        Optional<Deadlock> deadlock,
        List<String> failed,
        long originPs) {
    /// At the flow level nothing is counted.
    static final FabricCounts NO_COUNTS = new FabricCounts(0, 0, 0, 0, 0, 0, 0, 0);

    static final CongestionCounts NO_CONGESTION = new CongestionCounts(0, 0, 0);

    public Outcome {
        works = List.copyOf(works);
        ports = List.copyOf(ports);
        devices = Map.copyOf(devices);
        failed = List.copyOf(failed);
    }
}
