package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// A run of attacks in tables: what was forged, and which check stopped how many.
final class AttackReport {
    /// What becomes of packets that no check stops: they may come, and get no further than this.
    private static final Map<String, String> REMARKS =
            Map.ofEntries(
                    Map.entry("no byte, with any key", "carried out, which moves nothing"),
                    Map.entry("READ repeated as it was", "answered again, with the same bytes"),
                    Map.entry("READ repeated from its middle", "answered again, with the same"),
                    Map.entry("atomic repeated", "answered again, with the stored value"),
                    Map.entry("a fatal NAK, as the peer could send", "the end of the queue pair"),
                    Map.entry(
                            "data for a READ, as the peer could send",
                            "taken, into the bytes that wait for it"),
                    Map.entry("SENDs without receive, one NAK", "not carried out"),
                    Map.entry(
                            "a map of what was not sent yet",
                            "taken for what is in flight, which is nothing of it"),
                    Map.entry("the oldest is called placed", "believed until the timer ends"),
                    Map.entry(
                            "the packet in flight is called lost",
                            "believed: that packet leaves once more for each"),
                    Map.entry(
                            "placed, and other words at its turn", "carried out as it was placed"),
                    Map.entry("to a group as if from the member itself", "passed over in silence"),
                    Map.entry(
                            "from a stranger with the queue key",
                            "taken, into the receive request"),
                    Map.entry(
                            "questions without end, all answered",
                            "answered; the oldest answers are forgotten"),
                    Map.entry("taking all receives", "taken, into the receive requests"));

    private AttackReport() {}

    static String markdown(AttackTotals totals, String seeds, double seconds) {
        StringBuilder text = new StringBuilder();
        text.append("# Attacks on the transport\n\n| what | how many |\n|---|---:|\n");
        text.append("| seeds | %s |%n".formatted(seeds));
        row(text, "devices attacked", totals.worlds);
        row(text, "attacks", totals.attacks.size());
        row(text, "times each was run", totals.rounds);
        row(text, "packets forged", totals.packets());
        row(text, "packets forged a second", Math.round(totals.packets() / seconds));
        row(text, "packets of the rightful peers", totals.legitimate);
        row(text, "packets of bystander connections", totals.innocentPackets);
        row(text, "rounds of their work, none disturbed", totals.innocentRounds);
        text.append("\n| check | counter | packets stopped |\n|---|---|---:|\n");
        for (int i = 0; i < totals.checks.size(); i++) {
            Counter check = totals.checks.get(i);
            text.append(
                    "| %s | `%s` | %,d |%n"
                            .formatted(check.meaning(), check.title(), totals.stopped(i)));
        }
        text.append("\n| family | attack | packets | stopped by |\n|---|---|---:|---|\n");
        for (int i = 0; i < totals.attacks.size(); i++) {
            Attack attack = totals.attacks.get(i);
            text.append(
                    "| %s | %s | %,d | %s |%n"
                            .formatted(
                                    attack.family(),
                                    attack.name(),
                                    totals.packets(i),
                                    stoppers(totals, i)));
        }
        return text.toString();
    }

    private static String stoppers(AttackTotals totals, int attack) {
        List<Integer> checks =
                IntStream.range(0, totals.checks.size())
                        .filter(check -> totals.stopped(attack, check) > 0)
                        .boxed()
                        .sorted(
                                Comparator.comparingLong(
                                        check -> -totals.stopped(attack, (int) check)))
                        .toList();
        List<String> words = new ArrayList<>();
        for (int check : checks) {
            words.add(
                    "%s %,d"
                            .formatted(
                                    totals.checks.get(check).name(),
                                    totals.stopped(attack, check)));
        }
        String remark = REMARKS.getOrDefault(totals.attacks.get(attack).name(), "");
        if (!remark.isEmpty()) {
            words.add(remark);
        }
        return String.join(", ", words);
    }

    /// Checks that stopped too few packets to say that they were tried.
    static List<String> seldom(AttackTotals totals) {
        List<String> seldom = new ArrayList<>();
        // 10,000 in CI, where every attack is run 20,000 times.
        long least = Math.max(1, totals.rounds / 2);
        for (int i = 0; i < totals.checks.size(); i++) {
            if (totals.stopped(i) < least) {
                seldom.add(
                        "%s stopped %,d packets, fewer than %,d"
                                .formatted(totals.checks.get(i), totals.stopped(i), least));
            }
        }
        return seldom;
    }

    private static void row(StringBuilder text, String what, long count) {
        text.append("| %s | %,d |%n".formatted(what, count));
    }
}
