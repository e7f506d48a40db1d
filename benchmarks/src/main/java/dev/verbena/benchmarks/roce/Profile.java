package dev.verbena.benchmarks.roce;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// Where the time of each end of `verbena perf` goes.
final class Profile {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int SECONDS = 8;
    private static final int UNTIL_STEADY_MS = 5000;
    private static final int SAMPLED_SECONDS = 2;
    private static final int LINES = 30;

    private final VerbenaPerf program;

    Profile(VerbenaPerf program) {
        this.program = program;
    }

    void run(Subject subject, Place place) {
        System.out.printf("%n== %s, %s%n", subject.name(), place.name());
        try (Command server = start(place.right(), program.server(subject, place, SECONDS))) {
            place.awaitListening(server, VerbenaPerf.PORT);
            try (Command client = start(place.left(), program.client(subject, place, SECONDS))) {
                Thread.sleep(UNTIL_STEADY_MS);
                try (Sampling left = Sampling.start(client.pid(), SAMPLED_SECONDS);
                        Sampling right = Sampling.start(server.pid(), SAMPLED_SECONDS)) {
                    left.finish();
                    right.finish();
                    System.out.println(results(client.finish(LIMIT)));
                    server.finish(LIMIT);
                    print("sender", left.shares());
                    print("receiver", right.shares());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted", e);
        }
    }

    private static Command start(Place.Host host, List<String> words) {
        return Command.start(Sampling.NAMES, host.words(words));
    }

    private static void print(String end, List<Sampling.Share> shares) {
        System.out.printf("-- %s%n", end);
        for (Sampling.Share one : shares.subList(0, Math.min(LINES, shares.size()))) {
            System.out.printf(Locale.ROOT, "%6.2f %%  %s%n", one.percent(), readable(one.symbol()));
        }
    }

    /// Without the packages of our classes, results and parameters.
    private static String readable(String symbol) {
        return symbol.replaceAll("\\(.*dev\\.verbena.*\\)$", "")
                .replaceAll("\\[\\.\\] \\S+ (?=dev\\.verbena)", "[.] ")
                .replace("dev.verbena.", "")
                .replace("StubRoutines (initialstubs)", "the JVM's CRC-32")
                .replace("StubRoutines (finalstubs)", "the JVM's copies");
    }

    private static String results(String json) {
        int at = json.indexOf("\"results\"");
        return at < 0 ? Values.shortened(json) : json.substring(at).strip();
    }
}
