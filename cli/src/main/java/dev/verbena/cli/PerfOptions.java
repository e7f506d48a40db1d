package dev.verbena.cli;

import dev.verbena.verbs.QueuePairType;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// The options of a test. The client sends them to the server, so that both run the same test.
///
/// @param isCaller whether the programs' threads drive the devices
record PerfOptions(Measure measure, Pairs pairs, Posting posting, Amount amount, boolean isCaller) {
    /// The test.
    record Measure(PerfVerb verb, PerfKind kind, AtomicKind atomic, boolean isBidirectional) {}

    /// The queue pairs.
    ///
    /// @param mtu largest payload of a packet, or 0 for the MTU of the ports
    /// @param timeout of an acknowledgement: 4.096 µs times two to this power
    record Pairs(QueuePairType type, int count, int mtu, int timeout, int retryCount) {}

    /// How requests are posted.
    ///
    /// @param txDepth requests under way per queue pair
    /// @param rxDepth receives posted per queue pair
    /// @param cqModeration requests per completion
    /// @param postList requests that are posted at once
    /// @param inlineBytes messages up to this length are copied when posted
    record Posting(int txDepth, int rxDepth, int cqModeration, int postList, int inlineBytes) {}

    /// How much is sent.
    ///
    /// @param bytesMax the largest message of the run
    /// @param iterations messages per queue pair, when there is no duration
    /// @param durationSeconds how long to measure, or 0 to count messages
    /// @param rotateBytes the working set that messages rotate through, or 0
    /// @param warmUpMs how long to run before measuring
    record Amount(
            long bytesMax, long iterations, int durationSeconds, long rotateBytes, int warmUpMs) {}

    /// Whether messages may be lost, and each that comes is noticed.
    boolean mayLose() {
        return pairs.type != QueuePairType.RC && measure.verb.needsReceives();
    }

    /// The same options, driven in another way; each side chooses that for itself.
    PerfOptions withCaller(boolean caller) {
        return new PerfOptions(measure, pairs, posting, amount, caller);
    }

    /// The same options with the largest payload that both sides take.
    PerfOptions withMtu(int agreed) {
        Pairs same = new Pairs(pairs.type, pairs.count, agreed, pairs.timeout, pairs.retryCount);
        return new PerfOptions(measure, same, posting, amount, isCaller);
    }

    /// The test as a user names it: `write bw`.
    String test() {
        return (measure.verb + " " + measure.kind).toLowerCase(Locale.ROOT);
    }

    /// One line for the peer; [#parse] reads it.
    String toText() {
        return "verb=%s kind=%s type=%s atomic=%s bidirectional=%s qps=%d bytes=%d iters=%d"
                        .formatted(
                                measure.verb,
                                measure.kind,
                                pairs.type,
                                measure.atomic,
                                measure.isBidirectional,
                                pairs.count,
                                amount.bytesMax,
                                amount.iterations)
                + " duration=%d tx=%d rx=%d mtu=%d cqmod=%d list=%d inline=%d timeout=%d retry=%d"
                        .formatted(
                                amount.durationSeconds,
                                posting.txDepth,
                                posting.rxDepth,
                                pairs.mtu,
                                posting.cqModeration,
                                posting.postList,
                                posting.inlineBytes,
                                pairs.timeout,
                                pairs.retryCount)
                + " rotate=%d warmup=%d".formatted(amount.rotateBytes, amount.warmUpMs);
    }

    /// Reads the text of [#toText]; each side decides itself how it drives its device.
    static PerfOptions parse(String line, boolean caller) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String word : line.strip().split(" ", -1)) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                values.put(word.substring(0, equals), word.substring(equals + 1));
            }
        }
        try {
            return new PerfOptions(
                    measure(values), pairs(values), posting(values), amount(values), caller);
        } catch (IllegalArgumentException malformed) {
            throw new PerfException(
                    "peer: its options cannot be read ("
                            + malformed.getMessage()
                            + "); use the"
                            + " same version of verbena on both sides",
                    malformed);
        }
    }

    private static Measure measure(Map<String, String> values) {
        return new Measure(
                PerfVerb.valueOf(text(values, "verb")),
                PerfKind.valueOf(text(values, "kind")),
                AtomicKind.valueOf(text(values, "atomic")),
                Boolean.parseBoolean(text(values, "bidirectional")));
    }

    private static Pairs pairs(Map<String, String> values) {
        return new Pairs(
                QueuePairType.valueOf(text(values, "type")),
                number(values, "qps"),
                number(values, "mtu"),
                number(values, "timeout"),
                number(values, "retry"));
    }

    private static Posting posting(Map<String, String> values) {
        return new Posting(
                number(values, "tx"),
                number(values, "rx"),
                number(values, "cqmod"),
                number(values, "list"),
                number(values, "inline"));
    }

    private static Amount amount(Map<String, String> values) {
        return new Amount(
                Long.parseLong(text(values, "bytes")),
                Long.parseLong(text(values, "iters")),
                number(values, "duration"),
                Long.parseLong(text(values, "rotate")),
                number(values, "warmup"));
    }

    private static int number(Map<String, String> values, String key) {
        return Integer.parseInt(text(values, key));
    }

    private static String text(Map<String, String> values, String key) {
        String value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException("no " + key);
        }
        return value;
    }
}
