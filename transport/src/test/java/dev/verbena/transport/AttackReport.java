package dev.verbena.transport;

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
                    Map.entry("to a group as if from the member itself", "passed over in silence"),
                    Map.entry(
                            "from a stranger with the queue key",
                            "taken, into the receive request"),
                    Map.entry(
                            "questions without end, all answered",
                            "answered; the oldest answers are forgotten"),
                    Map.entry("taking all receives", "taken, into the receive requests"));

    private AttackReport() {}

    static String markdown(Tally tally, String seeds, double seconds) {
        StringBuilder text = new StringBuilder();
        text.append("# Attacks on the transport\n\n| what | how many |\n|---|---:|\n");
        text.append("| seeds | %s |%n".formatted(seeds));
        row(text, "devices attacked", tally.worlds);
        row(text, "attacks", tally.attacks.size());
        row(text, "times each was run", tally.rounds);
        row(text, "packets forged", tally.packets());
        row(text, "packets forged a second", Math.round(tally.packets() / seconds));
        row(text, "packets of the rightful peers", tally.genuine);
        row(text, "packets of innocent connections", tally.innocentPackets);
        row(text, "rounds of their work, none disturbed", tally.innocentRounds);
        text.append("\n| check | counter | packets stopped |\n|---|---|---:|\n");
        for (int i = 0; i < tally.checks.size(); i++) {
            Counter check = tally.checks.get(i);
            text.append(
                    "| %s | `%s` | %,d |%n"
                            .formatted(check.meaning(), check.title(), tally.stopped(i)));
        }
        text.append("\n| family | attack | packets | stopped by |\n|---|---|---:|---|\n");
        for (int i = 0; i < tally.attacks.size(); i++) {
            Attack attack = tally.attacks.get(i);
            text.append(
                    "| %s | %s | %,d | %s |%n"
                            .formatted(
                                    attack.family(),
                                    attack.name(),
                                    tally.packets(i),
                                    stoppers(tally, i)));
        }
        return text.toString();
    }

    private static String stoppers(Tally tally, int attack) {
        List<Integer> checks =
                IntStream.range(0, tally.checks.size())
                        .filter(check -> tally.stopped(attack, check) > 0)
                        .boxed()
                        .sorted(
                                Comparator.comparingLong(
                                        check -> -tally.stopped(attack, (int) check)))
                        .toList();
        List<String> words = new ArrayList<>();
        for (int check : checks) {
            words.add(
                    "%s %,d"
                            .formatted(
                                    tally.checks.get(check).name(), tally.stopped(attack, check)));
        }
        String remark = REMARKS.getOrDefault(tally.attacks.get(attack).name(), "");
        if (!remark.isEmpty()) {
            words.add(remark);
        }
        return String.join(", ", words);
    }

    /// Checks that stopped too few packets to say that they were tried.
    static List<String> seldom(Tally tally) {
        List<String> seldom = new ArrayList<>();
        // 10,000 in CI, where every attack is run 20,000 times.
        long least = Math.max(1, tally.rounds / 2);
        for (int i = 0; i < tally.checks.size(); i++) {
            if (tally.stopped(i) < least) {
                seldom.add(
                        "%s stopped %,d packets, fewer than %,d"
                                .formatted(tally.checks.get(i), tally.stopped(i), least));
            }
        }
        return seldom;
    }

    private static void row(StringBuilder text, String what, long count) {
        text.append("| %s | %,d |%n".formatted(what, count));
    }
}
