package dev.verbena.scenario.run;

import java.util.List;

/// What became of one workload.
///
/// @param kind words such as `32 flows of 1,048,576 bytes`
/// @param timesUs of its messages, operations or steps that are over, the shortest first
/// @param wanted how many there should be
/// @param failed flows whose queue pair gave up
/// @param spanUs from its start to its end
public record WorkTimes(
        String name,
        String kind,
        List<Double> timesUs,
        int wanted,
        int failed,
        long bytes,
        double spanUs) {
    public WorkTimes {
        timesUs = List.copyOf(timesUs);
    }

    /// The smallest time that so many percent of all do not exceed; NaN where none is over.
    public double percentile(double percent) {
        if (timesUs.isEmpty()) {
            return Double.NaN;
        }
        int index = (int) Math.ceil(percent / 100 * timesUs.size()) - 1;
        return timesUs.get(Math.clamp(index, 0, timesUs.size() - 1));
    }

    /// Bytes by time, in Gb/s.
    public double goodput() {
        return spanUs == 0 ? 0 : bytes * 8e-3 / spanUs;
    }

    public double completedPercent() {
        return wanted == 0 ? 100 : 100.0 * timesUs.size() / wanted;
    }
}
