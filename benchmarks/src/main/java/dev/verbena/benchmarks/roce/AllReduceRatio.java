package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.ResultLog;
import java.util.Optional;

/// Our time of an all-reduce over that of Open MPI, round by round: both met the same moments of
/// the machine.
///
/// @param best of the shortest times of each, in any round
record AllReduceRatio(double median, double least, double most, double best) {
    static Optional<AllReduceRatio> of(ResultLog log, String place, String size, String who) {
        double[] ours = log.values(place, size, who);
        double[] theirs = log.values(place, size, OpenMpi.TCP);
        int rounds = Math.min(ours.length, theirs.length);
        if (rounds == 0) {
            return Optional.empty();
        }
        double[] ratios = new double[rounds];
        double ourBest = Double.MAX_VALUE;
        double theirBest = Double.MAX_VALUE;
        for (int i = 0; i < rounds; i++) {
            ratios[i] = ours[i] / theirs[i];
            ourBest = Math.min(ourBest, ours[i]);
            theirBest = Math.min(theirBest, theirs[i]);
        }
        var all = ResultLog.Summary.of(ratios, "");
        return Optional.of(
                new AllReduceRatio(all.median(), all.min(), all.max(), ourBest / theirBest));
    }
}
