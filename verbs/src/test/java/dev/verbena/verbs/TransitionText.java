package dev.verbena.verbs;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// The rows of [QueuePairTransitions] as text: a page for people, and lines to compare.
final class TransitionText {
    /// What libibverbs calls an attribute, and its bit in `ibv_qp_attr_mask`.
    record Name(String name, int bit) {}

    static final Map<QueuePairAttribute, Name> NAMES =
            Map.ofEntries(
                    Map.entry(QueuePairAttribute.CURRENT_STATE, new Name("CUR_STATE", 1)),
                    Map.entry(QueuePairAttribute.DRAIN_NOTIFY, new Name("EN_SQD_ASYNC_NOTIFY", 2)),
                    Map.entry(QueuePairAttribute.ACCESS, new Name("ACCESS_FLAGS", 3)),
                    Map.entry(QueuePairAttribute.PARTITION_INDEX, new Name("PKEY_INDEX", 4)),
                    Map.entry(QueuePairAttribute.PORT, new Name("PORT", 5)),
                    Map.entry(QueuePairAttribute.QUEUE_KEY, new Name("QKEY", 6)),
                    Map.entry(QueuePairAttribute.ADDRESS, new Name("AV", 7)),
                    Map.entry(QueuePairAttribute.PATH_MTU, new Name("PATH_MTU", 8)),
                    Map.entry(QueuePairAttribute.TIMEOUT, new Name("TIMEOUT", 9)),
                    Map.entry(QueuePairAttribute.RETRY_COUNT, new Name("RETRY_CNT", 10)),
                    Map.entry(QueuePairAttribute.RNR_RETRY, new Name("RNR_RETRY", 11)),
                    Map.entry(QueuePairAttribute.RECEIVE_PSN, new Name("RQ_PSN", 12)),
                    Map.entry(
                            QueuePairAttribute.READS_AS_INITIATOR,
                            new Name("MAX_QP_RD_ATOMIC", 13)),
                    Map.entry(QueuePairAttribute.MIN_RNR_TIMER, new Name("MIN_RNR_TIMER", 15)),
                    Map.entry(QueuePairAttribute.SEND_PSN, new Name("SQ_PSN", 16)),
                    Map.entry(
                            QueuePairAttribute.READS_AS_RESPONDER,
                            new Name("MAX_DEST_RD_ATOMIC", 17)),
                    Map.entry(QueuePairAttribute.PEER_QUEUE_PAIR, new Name("DEST_QPN", 20)),
                    Map.entry(QueuePairAttribute.RATE_LIMIT, new Name("RATE_LIMIT", 25)));

    private TransitionText() {}

    /// All rows as a markdown table, in an order that does not depend on the code's.
    static String table() {
        StringBuilder page = new StringBuilder();
        page.append("| type | from | to | who | required | optional |\n");
        page.append("|---|---|---|---|---|---|\n");
        List<QueuePairTransitions.Row> rows =
                QueuePairTransitions.rows().stream()
                        .sorted(
                                Comparator.comparing(QueuePairTransitions.Row::type)
                                        .thenComparing(QueuePairTransitions.Row::from)
                                        .thenComparing(QueuePairTransitions.Row::to)
                                        .thenComparing(QueuePairTransitions.Row::byItself))
                        .toList();
        for (QueuePairTransitions.Row row : rows) {
            page.append(
                    "| %s | %s | %s | %s | %s | %s |\n"
                            .formatted(
                                    row.type(),
                                    row.from().symbol(),
                                    row.to().symbol(),
                                    row.byItself() ? "by itself" : "program",
                                    sorted(row.required()),
                                    sorted(row.optional())));
        }
        return page.toString();
    }

    /// A row in the names of libibverbs.
    static String line(QueuePairTransitions.Row row, Set<String> optional) {
        return line(row.from().symbol(), row.to().symbol(), names(row.required()), optional);
    }

    /// The same from a line that a person typed: from, to | required | optional.
    static String line(String typed) {
        List<String> parts = words(typed, "\\|");
        List<String> states = words(parts.get(0), " +");
        return line(
                states.get(0),
                states.get(1),
                new TreeSet<>(words(parts.get(1), " +")),
                new TreeSet<>(words(parts.get(2), " +")));
    }

    static Set<String> names(Collection<QueuePairAttribute> attributes) {
        return attributes.stream()
                .map(attribute -> NAMES.getOrDefault(attribute, new Name("?", -1)).name())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String line(String from, String to, Set<String> required, Set<String> optional) {
        return "%s to %s needs %s takes %s".formatted(from, to, required, optional);
    }

    private static List<String> words(String text, String separator) {
        return text.isBlank() ? List.of() : List.of(text.strip().split(separator, -1));
    }

    private static String sorted(Set<QueuePairAttribute> attributes) {
        return attributes.stream()
                .sorted()
                .map(QueuePairAttribute::name)
                .collect(Collectors.joining(", "));
    }
}
