package dev.verbena.job.eyes;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What one port carried over time: the bytes of each message, spread evenly over its transit.
final class Load {
    private record Change(long atNs, double bytesPerNs) {}

    private final List<Change> changes = new ArrayList<>();
    private long[] timesNs = {};
    private double[] bytes = {};

    void add(Transit transit) {
        double rate = (double) transit.message().bytes() / transit.tookNs();
        changes.add(new Change(transit.fromNs(), rate));
        changes.add(new Change(transit.untilNs(), -rate));
    }

    /// After the last message, and before the first question.
    void close() {
        changes.sort(Comparator.comparingLong(Change::atNs));
        timesNs = new long[changes.size()];
        bytes = new double[changes.size()];
        double rate = 0;
        double sum = 0;
        for (int i = 0; i < timesNs.length; i++) {
            Change change = changes.get(i);
            timesNs[i] = change.atNs;
            sum += i == 0 ? 0 : rate * (change.atNs - timesNs[i - 1]);
            bytes[i] = sum;
            rate += change.bytesPerNs;
        }
    }

    double bytesDuring(Transit transit) {
        return before(transit.untilNs()) - before(transit.fromNs());
    }

    private double before(long ns) {
        int last = timesNs.length - 1;
        if (last < 0 || ns <= timesNs[0]) {
            return 0;
        }
        if (ns >= timesNs[last]) {
            return bytes[last];
        }
        int low = 0;
        int high = last;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (timesNs[middle] <= ns) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double share = (double) (ns - timesNs[low]) / Math.max(1, timesNs[high] - timesNs[low]);
        return bytes[low] + share * (bytes[high] - bytes[low]);
    }
}
