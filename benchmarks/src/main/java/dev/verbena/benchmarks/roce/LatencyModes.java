package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.Command;
import dev.verbena.benchmarks.results.Entry;
import dev.verbena.benchmarks.results.ResultLog;
import dev.verbena.benchmarks.results.Values;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Half a round trip of 8 bytes in both modes of a device, beside plain TCP in Java, and what each
/// takes of the processors; then what a device without traffic takes.
final class LatencyModes {
    static final String PLACE = "modes";
    static final String HALF = "half round trip";
    static final String CPU = "processors, both ends";
    static final String IDLE = "processor of an idle device";

    /// What thread mode may take of caller mode, and an idle device of a processor.
    private static final double THREAD_MAX = 1.5;

    private static final double IDLE_MAX = 0.01;
    private static final List<String> VERBS = List.of("write", "read", "send");
    private static final List<String> SOCKETS = List.of("blocking", "nio");
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int PORT = 18_572;
    private static final String SECONDS = "5";
    private static final String ROUND_TRIPS = "200000";

    /// From the moment the server listens until both ends are at work, and warm.
    private static final int UNTIL_STEADY_MS = 5500;

    private static final int WATCH_MS = 1500;
    private static final int IDLE_MS = 5000;

    private final Path root;
    private final ResultLog log;
    private final WireEnds place = WireEnds.loopback();

    LatencyModes(Path root, ResultLog log) {
        this.root = root;
        this.log = log;
    }

    static String roce(String verb, String mode) {
        return verb.toUpperCase(Locale.ROOT) + ", " + mode;
    }

    static String tcp(String kind) {
        return "Java TCP, " + kind;
    }

    boolean run(int rounds) {
        for (int i = 0; i < rounds; i++) {
            for (String verb : VERBS) {
                for (String mode : Operations.MODES) {
                    List<String> client = perf(verb, mode, place.left());
                    client.addAll(List.of("--json", place.right().address()));
                    measure(roce(verb, mode), perf(verb, mode, place.right()), client);
                }
            }
            for (String kind : SOCKETS) {
                List<String> client = socket("ask", kind);
                client.add(SECONDS);
                measure(tcp(kind), socket("answer", kind), client);
            }
            Operations.MODES.forEach(this::idle);
        }
        return judge();
    }

    private List<String> perf(String verb, String mode, WireEnds.Host host) {
        List<String> words = new ArrayList<>(List.of(root.resolve("bin/verbena").toString()));
        words.addAll(List.of("perf", verb, "lat", "-s", "8", "-n", ROUND_TRIPS));
        words.addAll(List.of("--warm_up_ms", "3000", "--progress", mode, "-p", "" + PORT));
        words.addAll(List.of("-d", "roce://" + host.address()));
        return words;
    }

    private List<String> socket(String part, String kind) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = root.resolve("benchmarks/target/classes").toString();
        List<String> words =
                new ArrayList<>(List.of(java, "-cp", classes, TcpPingPong.class.getName()));
        words.addAll(List.of(part, kind, place.right().address(), "" + PORT));
        return words;
    }

    private void measure(String who, List<String> server, List<String> client) {
        try (Command right = Command.start(Map.of(), server)) {
            place.awaitListening(right, PORT);
            try (Command left = Command.start(Map.of(), client)) {
                Command.pause(UNTIL_STEADY_MS);
                double cores = used(WATCH_MS, left, right);
                double typical = Values.number(left.finish(LIMIT), "t_typical");
                // Of a READ perf shows the whole round trip, as perftest does.
                add(who, HALF, who.startsWith("READ") ? typical / 2 : typical, "us");
                add(who, CPU, cores, "cores");
            }
        }
    }

    /// A program that waits for a connection, and has a device open for it.
    private void idle(String mode) {
        String uri = "roce://%s?progress=%s".formatted(place.right().address(), mode);
        List<String> words =
                List.of(
                        root.resolve("bin/verbena").toString(),
                        "rping",
                        "-s",
                        "-a",
                        place.right().address(),
                        "-d",
                        uri);
        try (Command server = Command.start(Map.of(), words)) {
            Command.pause(UNTIL_STEADY_MS);
            if (!server.isAlive()) {
                server.finish(LIMIT);
            }
            add(mode, IDLE, used(IDLE_MS, server), "cores");
        }
    }

    /// The processors that processes take together for a while.
    private static double used(int ms, Command... commands) {
        List<ProcessWatch> watches = new ArrayList<>();
        for (Command command : commands) {
            watches.add(ProcessWatch.ofTime(command.pid()));
        }
        long beginNs = System.nanoTime();
        Command.pause(ms);
        double tookNs = System.nanoTime() - beginNs;
        double usedNs = 0;
        for (ProcessWatch watch : watches) {
            ProcessWatch.Used used = watch.stop();
            usedNs += used.userNs() + used.systemNs();
        }
        return usedNs / tookNs;
    }

    private void add(String who, String what, double value, String unit) {
        log.add(new Entry.Figure(PLACE, what, who, value, unit));
        System.out.printf(Locale.ROOT, "%-28s %-28s %8.3f %s%n", what, who, value, unit);
    }

    private boolean judge() {
        boolean passed = true;
        double socket =
                SOCKETS.stream().mapToDouble(kind -> median(HALF, tcp(kind))).min().orElse(0);
        for (String verb : VERBS) {
            double thread = median(HALF, roce(verb, "thread"));
            double caller = median(HALF, roce(verb, "caller"));
            passed &= holds(verb + ": thread beside caller", thread, THREAD_MAX * caller);
            passed &= holds(verb + ": thread beside Java TCP", thread, socket);
        }
        for (String mode : Operations.MODES) {
            passed &= holds("an idle device, " + mode, median(IDLE, mode), IDLE_MAX);
        }
        return passed;
    }

    private double median(String what, String who) {
        return log.summary(PLACE, what, who).orElseThrow().median();
    }

    private static boolean holds(String what, double value, double most) {
        boolean isMet = value <= most;
        System.out.printf(
                Locale.ROOT,
                "%-32s %8.3f, at most %.3f: %s%n",
                what,
                value,
                most,
                isMet ? "ok" : "FAILED");
        return isMet;
    }
}
