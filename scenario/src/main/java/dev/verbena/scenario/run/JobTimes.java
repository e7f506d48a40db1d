package dev.verbena.scenario.run;

import dev.verbena.scenario.JobSpec;
import java.util.List;

/// The times of a job in the form of all workloads.
final class JobTimes {
    private JobTimes() {}

    /// @param bytes of one operation or step, at each rank
    static WorkTimes of(JobSpec spec, String kind, List<Double> timesUs, int wanted, long bytes) {
        List<Double> sorted = timesUs.stream().sorted().toList();
        double spanUs = timesUs.stream().mapToDouble(it -> it).sum();
        return new WorkTimes(spec.name(), kind, sorted, wanted, 0, bytes * timesUs.size(), spanUs);
    }
}
