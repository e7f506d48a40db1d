package dev.verbena.interop.matrix;

import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Runs cells between two sides, one after the other, and returns the result of each.
final class CellRunner {
    private final Conditions conditions;
    private final @Nullable Cable cable;
    private final long seed;

    CellRunner(Conditions conditions, @Nullable Cable cable, long seed) {
        this.conditions = conditions;
        this.cable = cable;
        this.seed = seed;
    }

    /// @param ours whose counters tell the packets
    Result cell(Cell cell, Side requester, Side responder, Side ours) {
        if (cable != null) {
            cable.set(conditions.faults(), seed);
        }
        SortedMap<String, Long> before = ours.counters();
        long startNs = System.nanoTime();
        String outcome = Result.GREEN;
        String reason = "";
        try {
            cell.script().run(new ConnectedSides(requester, responder, conditions, seed));
            Set<Difference> differences = EnumSet.noneOf(Difference.class);
            differences.addAll(requester.differences());
            differences.addAll(responder.differences());
            if (!differences.isEmpty()) {
                outcome = Result.DIFFERS;
                reason = differences.stream().map(Enum::name).collect(Collectors.joining(" "));
            }
            requester.close();
            responder.close();
        } catch (UncheckedIOException gone) {
            throw gone; // without the peer there is nothing more to play
        } catch (RuntimeException unexpected) {
            outcome = Result.RED;
            reason = String.valueOf(unexpected.getMessage());
        }
        long ms = (System.nanoTime() - startNs) / 1_000_000;
        SortedMap<String, Long> after = ours.counters();
        Cable.Counts counts = cable == null ? Cable.Counts.NONE : cable.counts();
        if (counts.overrun() > 0) {
            outcome = Result.RED;
            reason = "the cable of the laboratory was full; " + reason;
        }
        return new Result(
                cell.name(),
                requester.name(),
                responder.name(),
                conditions.ip(),
                conditions.mtu(),
                conditions.gso() ? "on" : "off",
                conditions.faults().title(),
                outcome,
                reason,
                grown("sent_pkts", before, after) + grown("rcvd_pkts", before, after),
                grown("req_retransmits", before, after),
                grown("duplicate_request", before, after),
                counts.lost(),
                ms);
    }

    private static long grown(
            String counter, SortedMap<String, Long> before, SortedMap<String, Long> after) {
        return after.getOrDefault(counter, 0L) - before.getOrDefault(counter, 0L);
    }
}
