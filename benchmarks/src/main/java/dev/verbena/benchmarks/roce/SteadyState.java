package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.BenchException;
import dev.verbena.benchmarks.results.Command;
import dev.verbena.benchmarks.results.Entry;
import dev.verbena.benchmarks.results.ResultLog;
import dev.verbena.benchmarks.results.Values;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What both ends of `verbena perf` allocate while they only move data: how much the heap grows, as
/// the JVM tells when asked.
final class SteadyState {
    static final String PLACE = "allocation";

    /// A message that takes an object takes at least 16 bytes; less is the JVM's own now and then.
    static final double BYTES_MAX = 1;

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int SECONDS = 30;
    private static final int UNTIL_STEADY_MS = 14_000;
    private static final int WINDOWS = 5;
    private static final int WINDOW_MS = 500;
    private static final int KIB = 1024;

    private final VerbenaPerf program;
    private final ResultLog log;

    SteadyState(VerbenaPerf program, ResultLog log) {
        this.program = program;
        this.log = log;
    }

    /// Whether nothing was allocated per message.
    boolean run(List<Subject> subjects, WireEnds place) {
        boolean passed = true;
        for (Subject subject : subjects) {
            passed &= measure(subject, place);
        }
        return passed;
    }

    private boolean measure(Subject subject, WireEnds place) {
        try (Command server = Command.start(Map.of(), program.server(subject, place, SECONDS))) {
            place.awaitListening(server, VerbenaPerf.PORT);
            try (Command client =
                    Command.start(Map.of(), program.client(subject, place, SECONDS))) {
                Command.pause(UNTIL_STEADY_MS);
                // To be asked for the first time takes memory too.
                heapBytes(client.pid());
                heapBytes(server.pid());
                double[] left = new double[WINDOWS + 1];
                double[] right = new double[WINDOWS + 1];
                long start = System.nanoTime();
                for (int i = 0; i <= WINDOWS; i++) {
                    left[i] = heapBytes(client.pid());
                    right[i] = heapBytes(server.pid());
                    Command.pause(WINDOW_MS);
                }
                double seconds = (System.nanoTime() - start) / 1e9 / (WINDOWS + 1);
                double messages = perSecond(subject, client.finish(LIMIT)) * seconds;
                boolean sends = add(subject, "sender", growth(left) / messages);
                boolean receives = add(subject, "receiver", growth(right) / messages);
                return sends && receives;
            }
        }
    }

    /// Of one window, the median: a block that a thread takes for itself falls into one of them.
    private static double growth(double[] bytes) {
        double[] growths = new double[bytes.length - 1];
        for (int i = 0; i < growths.length; i++) {
            growths[i] = bytes[i + 1] - bytes[i];
        }
        return ResultLog.Summary.of(growths, "B").median();
    }

    private static double perSecond(Subject subject, String json) {
        return subject.kind() == Subject.Kind.LATENCY
                ? 1e6 / (2 * Values.number(json, "t_avg"))
                : Values.number(json, "MsgRate") * 1e6;
    }

    private boolean add(Subject subject, String end, double bytes) {
        log.add(new Entry.Figure(PLACE, subject.name(), end, bytes, "B/message"));
        System.out.printf(
                Locale.ROOT, "%-52s %-10s %10.3f B/message%n", subject.name(), end, bytes);
        return bytes <= BYTES_MAX;
    }

    /// The bytes in use, of the young and of the old generation.
    private static double heapBytes(long pid) {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        String printed = Command.run(LIMIT, jcmd, Long.toString(pid), "GC.heap_info");
        Matcher used = Pattern.compile("(?m)^.*total .*used ([0-9]+)K").matcher(printed);
        double bytes = 0;
        int generations = 0;
        while (used.find()) {
            bytes += Double.parseDouble(used.group(1)) * KIB;
            generations++;
        }
        if (generations != 2) {
            throw new BenchException("jcmd: unexpected: " + Values.shortened(printed));
        }
        return bytes;
    }
}
