package dev.verbena.benchmarks.compare;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// Runs [Workload] on two builds in turns, a process for each run, and prints the ratio of CPU
/// time: `Compare BASE-CLASSPATH CLASSPATH PAIRS REPORT`. `bin/compare` builds the first and calls
/// it.
public final class Compare {
    /// What may not become dearer: the whole interval above it fails the command.
    private static final double LIMIT = 1.03;

    private static final String GUARDED = "write allocated";
    private static final int SECONDS = 2;
    private static final List<String> NAMES =
            List.of(
                    "write allocated 64K",
                    "write allocated 64",
                    "read allocated 64K",
                    "read allocated 64",
                    "write registered 64K",
                    "read registered 64K",
                    "write closable 64K",
                    "read closable 64K");

    private Compare() {}

    public static void main(String[] args) throws IOException {
        int pairs = Integer.parseInt(args[2]);
        StringBuilder table = new StringBuilder();
        boolean isDearer = false;
        for (String name : NAMES) {
            double[] ratios = new double[pairs];
            double best = Double.MAX_VALUE;
            for (int i = 0; i < pairs; i++) {
                // Which goes first changes, so that a drift of the machine counts for neither.
                double first = run(i % 2 == 0 ? args[0] : args[1], name);
                double second = run(i % 2 == 0 ? args[1] : args[0], name);
                double base = i % 2 == 0 ? first : second;
                double now = i % 2 == 0 ? second : first;
                ratios[i] = now / base;
                best = Math.min(best, now);
                System.err.printf(
                        Locale.ROOT, "%s, pair %d of %d: %.3f%n", name, i + 1, pairs, ratios[i]);
            }
            Ratios all = Ratios.of(ratios);
            boolean fails = name.startsWith(GUARDED) && all.isWorseThan(LIMIT);
            isDearer |= fails;
            table.append(
                    String.format(
                            Locale.ROOT,
                            "| %s | %,.0f | %.3f | %.3f to %.3f | %s |%n",
                            name,
                            best,
                            all.median(),
                            all.low(),
                            all.high(),
                            fails ? "DEARER" : ""));
        }
        Files.writeString(Path.of(args[3]), table);
        System.out.print(table);
        System.exit(isDearer ? 1 : 0);
    }

    private static double run(String classPath, String name) throws IOException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-Xmx256m",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                classPath,
                                Workload.class.getName(),
                                name,
                                "127.77.0.1",
                                "127.77.0.2",
                                String.valueOf(SECONDS))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            String line = output.readLine();
            if (line == null) {
                throw new IOException("the workload '" + name + "' failed");
            }
            return Double.parseDouble(line);
        }
    }
}
