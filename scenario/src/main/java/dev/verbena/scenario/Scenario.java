package dev.verbena.scenario;

import dev.verbena.fabric.CableFault;
import dev.verbena.fabric.Workload;
import dev.verbena.job.HostWork;
import java.util.List;
import java.util.Optional;

/// A scenario that was read, and can be run.
///
/// @param isFlowLevel whether collectives are simulated message by message
/// @param asked messages between hosts, as they are written
/// @param flows the same messages, which hosts begin a little apart; all run beside the job
/// @param slow ranks of the job that are slow
/// @param hasBaseline whether it is run once more without faults and slow hosts
/// @param limitPs when the run ends at the latest
public record Scenario(
        String title,
        String about,
        boolean isFlowLevel,
        Network network,
        List<Workload> asked,
        List<Workload> flows,
        Optional<JobSpec> job,
        List<HostWork.SlowRank> slow,
        List<Fault> faults,
        boolean hasBaseline,
        long limitPs,
        Recording recording,
        List<Check> checks) {
    /// A fault with the cables that it concerns.
    ///
    /// @param text in the form that `verbena sim --fault` takes
    /// @param words the same in a sentence
    public record Fault(String text, String words, List<CableFault> cables) {
        public Fault {
            cables = List.copyOf(cables);
        }
    }

    /// What is kept of a run over time.
    ///
    /// @param samples points of time at most
    public record Recording(int samples, boolean hasPorts, boolean hasSteps) {}

    public Scenario {
        asked = List.copyOf(asked);
        flows = List.copyOf(flows);
        slow = List.copyOf(slow);
        faults = List.copyOf(faults);
        checks = List.copyOf(checks);
    }

    public long seed() {
        return network.settings().seed();
    }

    /// The same where nothing goes wrong.
    public Scenario healthy() {
        return new Scenario(
                title,
                about,
                isFlowLevel,
                network,
                asked,
                flows,
                job,
                List.of(),
                List.of(),
                false,
                limitPs,
                recording,
                List.of());
    }
}
