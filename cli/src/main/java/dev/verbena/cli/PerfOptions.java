package dev.verbena.cli;

import dev.verbena.verbs.QueuePairType;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// The options of a test. The client sends them to the server, so that both run the same test.
///
/// @param bytesMax the largest message of the run
/// @param iterations messages per queue pair, when there is no duration
/// @param durationSeconds how long to measure, or 0 to count messages
/// @param txDepth requests under way per queue pair
/// @param rxDepth receives posted per queue pair
/// @param mtu largest payload of a packet, or 0 for the MTU of the ports
/// @param cqModeration requests per completion
/// @param postList requests that are posted at once
/// @param inlineBytes messages up to this length are copied when posted
/// @param timeout of an acknowledgement: 4.096 µs times two to this power
/// @param rotateBytes the working set that messages rotate through, or 0
/// @param warmUpMs how long to run before measuring
/// @param isCaller whether the programs' threads drive the devices
record PerfOptions(
        PerfVerb verb,
        PerfKind kind,
        QueuePairType type,
        AtomicKind atomic,
        boolean isBidirectional,
        int queuePairs,
        long bytesMax,
        long iterations,
        int durationSeconds,
        int txDepth,
        int rxDepth,
        int mtu,
        int cqModeration,
        int postList,
        int inlineBytes,
        int timeout,
        int retryCount,
        long rotateBytes,
        int warmUpMs,
        boolean isCaller) {
    /// Whether messages may be lost, and each that comes is noticed.
    boolean mayLose() {
        return type != QueuePairType.RC && verb.needsReceives();
    }

    /// The same options, driven in another way; each side chooses that for itself.
    PerfOptions withCaller(boolean caller) {
        return with(mtu, caller);
    }

    /// The same options with the largest payload that both sides take.
    PerfOptions withMtu(int agreed) {
        return with(agreed, isCaller);
    }

    private PerfOptions with(int agreed, boolean caller) {
        return new PerfOptions(
                verb,
                kind,
                type,
                atomic,
                isBidirectional,
                queuePairs,
                bytesMax,
                iterations,
                durationSeconds,
                txDepth,
                rxDepth,
                agreed,
                cqModeration,
                postList,
                inlineBytes,
                timeout,
                retryCount,
                rotateBytes,
                warmUpMs,
                caller);
    }

    /// The test as a user names it: `write bw`.
    String test() {
        return (verb + " " + kind).toLowerCase(Locale.ROOT);
    }

    /// One line for the peer; [#parse] reads it.
    String toText() {
        return "verb=%s kind=%s type=%s atomic=%s bidirectional=%s qps=%d bytes=%d iters=%d"
                        .formatted(
                                verb,
                                kind,
                                type,
                                atomic,
                                isBidirectional,
                                queuePairs,
                                bytesMax,
                                iterations)
                + " duration=%d tx=%d rx=%d mtu=%d cqmod=%d list=%d inline=%d timeout=%d retry=%d"
                        .formatted(
                                durationSeconds,
                                txDepth,
                                rxDepth,
                                mtu,
                                cqModeration,
                                postList,
                                inlineBytes,
                                timeout,
                                retryCount)
                + " rotate=%d warmup=%d".formatted(rotateBytes, warmUpMs);
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
                    PerfVerb.valueOf(text(values, "verb")),
                    PerfKind.valueOf(text(values, "kind")),
                    QueuePairType.valueOf(text(values, "type")),
                    AtomicKind.valueOf(text(values, "atomic")),
                    Boolean.parseBoolean(text(values, "bidirectional")),
                    number(values, "qps"),
                    Long.parseLong(text(values, "bytes")),
                    Long.parseLong(text(values, "iters")),
                    number(values, "duration"),
                    number(values, "tx"),
                    number(values, "rx"),
                    number(values, "mtu"),
                    number(values, "cqmod"),
                    number(values, "list"),
                    number(values, "inline"),
                    number(values, "timeout"),
                    number(values, "retry"),
                    Long.parseLong(text(values, "rotate")),
                    number(values, "warmup"),
                    caller);
        } catch (IllegalArgumentException malformed) {
            throw new PerfException(
                    "peer: its options cannot be read ("
                            + malformed.getMessage()
                            + "); use the"
                            + " same version of verbena on both sides",
                    malformed);
        }
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
