package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.BenchException;
import dev.verbena.benchmarks.results.Command;
import dev.verbena.benchmarks.results.Entry;
import dev.verbena.benchmarks.results.ResultLog;
import dev.verbena.benchmarks.results.Values;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// Where the time of each end of `verbena perf` goes.
final class Profile {
    static final String PLACE = "profile";

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int SECONDS = 20;
    private static final int UNTIL_STEADY_MS = 14_000;
    private static final int SAMPLED_SECONDS = 2;
    private static final int LINES = 30;

    private final VerbenaPerf program;
    private final ResultLog log;

    /// What a function belongs to.
    enum Part {
        KERNEL_COPIES("kernel, copying"),
        KERNEL("kernel, the rest"),
        CHECKSUMS("CRC-32"),
        COPIES("copies in Java"),
        JAVA("Java"),
        REST("C library, JVM");

        final String title;

        Part(String title) {
            this.title = title;
        }

        static Part of(String symbol) {
            boolean copies = Sampling.COPIES.matcher(symbol).find();
            if (symbol.startsWith("[k]")) {
                return copies ? KERNEL_COPIES : KERNEL;
            }
            if (copies) {
                return COPIES;
            }
            if (Sampling.CHECKSUMS.matcher(symbol).find()) {
                return CHECKSUMS;
            }
            return symbol.contains("dev.verbena.") || symbol.contains("java.") ? JAVA : REST;
        }
    }

    Profile(VerbenaPerf program, ResultLog log) {
        this.program = program;
        this.log = log;
    }

    void run(Subject subject, WireEnds place) {
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
                    tell(subject, "sender", left.shares());
                    tell(subject, "receiver", right.shares());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted", e);
        }
    }

    private static Command start(WireEnds.Host host, List<String> words) {
        return Command.start(Sampling.NAMES, host.words(words));
    }

    private void tell(Subject subject, String end, List<Sampling.Share> shares) {
        for (Part part : Part.values()) {
            double percent =
                    shares.stream()
                            .filter(one -> Part.of(one.symbol()) == part)
                            .mapToDouble(Sampling.Share::percent)
                            .sum();
            String what = subject.name() + ", " + end;
            log.add(new Entry.Figure(PLACE, what, part.title, percent, "%"));
        }
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
