package dev.verbena.collectives.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A long message that was acknowledged.
///
/// @param postedNs by the clock of the sender, as is
/// @param ackedNs when it knew that the receiver had all of it
public record Message(int from, int to, int lane, long bytes, long postedNs, long ackedNs) {
    public long tookNs() {
        return Math.max(1, ackedNs - postedNs);
    }

    /// All that traces have.
    public static List<Message> all(List<RankTrace> traces) {
        List<Message> found = new ArrayList<>();
        for (RankTrace trace : traces) {
            for (TracedStep step : trace.steps()) {
                if (step.hasTransfer()) {
                    found.add(
                            new Message(
                                    trace.rank(),
                                    step.peer(),
                                    step.lane(),
                                    step.bytes(),
                                    step.doneNs(),
                                    step.ackedNs()));
                }
            }
        }
        return found;
    }

    /// By length, how long half of the messages of that length took at most.
    public static Map<Long, Double> usualNs(List<Message> messages) {
        Map<Long, List<Double>> byBytes = new HashMap<>();
        for (Message each : messages) {
            byBytes.computeIfAbsent(each.bytes, _ -> new ArrayList<>()).add((double) each.tookNs());
        }
        Map<Long, Double> usual = new HashMap<>();
        byBytes.forEach((bytes, times) -> usual.put(bytes, Median.of(times)));
        return usual;
    }
}
