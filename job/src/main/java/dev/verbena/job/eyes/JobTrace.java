package dev.verbena.job.eyes;

import dev.verbena.collectives.Communicator;
import dev.verbena.collectives.trace.Message;
import dev.verbena.collectives.trace.RankTrace;
import dev.verbena.collectives.trace.StepTrace;
import dev.verbena.collectives.trace.Verdict;
import dev.verbena.fabric.Fabric;
import dev.verbena.job.JobLayout;
import dev.verbena.job.RankRun;
import java.util.ArrayList;
import java.util.List;

/// Traces of all ranks of a simulated job from now on, and what port counters have counted since.
public final class JobTrace {
    private final RankRun run;
    private final Ways ways;
    private final PortErrors errors;
    private final PortWaits waits;
    private final List<StepTrace> traces = new ArrayList<>();

    /// Begins; no operation is under way.
    ///
    /// @param steps that are kept of each rank
    public JobTrace(RankRun run, JobLayout layout, int steps) {
        this.run = run;
        ways = new Ways(run, layout);
        errors = new PortErrors(run.fabric());
        waits = new PortWaits(run.fabric());
        Fabric fabric = run.fabric();
        for (Communicator rank : run.ranks()) {
            StepTrace trace = new StepTrace(steps, () -> fabric.nowPs() / 1000);
            rank.traceTo(trace);
            traces.add(trace);
        }
    }

    /// What is kept of all ranks.
    public List<RankTrace> traces() {
        List<RankTrace> found = new ArrayList<>();
        for (int rank = 0; rank < traces.size(); rank++) {
            found.add(traces.get(rank).of(rank));
        }
        return found;
    }

    /// Names what holds the job up. Damaged packets come first, because a healthy cable has none;
    /// then a rank, then a cable.
    public Verdict verdict() {
        List<RankTrace> kept = traces();
        List<Message> messages = Message.all(kept);
        waits.read();
        return Verdict.of(
                kept,
                () -> errors.lossyLink(messages, ways),
                () -> new SlowLinks(run.fabric(), ways, waits, messages).verdict());
    }

    /// Keeps no further steps.
    public void end() {
        run.ranks().forEach(it -> it.traceTo(null));
    }
}
