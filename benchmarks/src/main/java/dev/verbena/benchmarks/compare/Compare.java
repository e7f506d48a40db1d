package dev.verbena.benchmarks.compare;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// Runs [Workload] on two builds in turns, a process for each run, and writes a table with the
/// ratio of CPU time: `Compare BASE-CLASSPATH CLASSPATH PAIRS WHAT REPORT`. `bin/compare` makes
/// both class paths and calls it.
///
/// Exits with 1 when a guarded row became slower, and with 2 when a run failed.
public final class Compare {
    private static final int RUN_SECONDS_MAX = 60;

    private final String basePath;
    private final String path;

    private Compare(String basePath, String path) {
        this.basePath = basePath;
        this.path = path;
    }

    /// The ratios of one row so far.
    private static final class Series {
        final Row row;
        final double[] ratios;
        double bestNs = Double.MAX_VALUE;

        Series(Row row, int pairs) {
            this.row = row;
            ratios = new double[pairs];
        }

        boolean isSlower() {
            return ratios.length >= Ratios.LEAST && Ratios.of(ratios).isWorseThan(row.limit());
        }

        /// A line of the table; without an interval where the pairs are too few for one.
        String line() {
            String interval = "";
            if (ratios.length >= Ratios.LEAST) {
                Ratios all = Ratios.of(ratios);
                interval = String.format(Locale.ROOT, "%.3f to %.3f", all.low(), all.high());
            }
            return String.format(
                    Locale.ROOT,
                    "| %s | %,.0f | %.3f | %s | %s |%n",
                    row.name(),
                    bestNs,
                    Ratios.median(ratios),
                    interval,
                    isSlower() ? "above " + row.limit() : "");
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int pairs = Integer.parseInt(args[2]);
        List<Series> all = Row.of(args[3]).stream().map(row -> new Series(row, pairs)).toList();
        Compare compare = new Compare(args[0], args[1]);
        boolean isSlower = false;
        try {
            // All rows of a pair before the next pair, so that a disturbance hits few pairs of
            // each.
            for (int i = 0; i < pairs; i++) {
                for (Series series : all) {
                    compare.pair(series, i);
                }
            }
            StringBuilder table = new StringBuilder();
            for (Series series : all) {
                table.append(series.line());
                isSlower |= series.row.isGuarded() && series.isSlower();
            }
            Files.writeString(Path.of(args[4]), table);
        } catch (IOException e) {
            System.err.println("bin/compare: " + e.getMessage());
            System.exit(2);
        }
        System.exit(isSlower ? 1 : 0);
    }

    /// Which build goes first changes, so that a drift of the machine counts for neither.
    private void pair(Series series, int i) throws IOException, InterruptedException {
        boolean isBaseFirst = i % 2 == 0;
        double firstNs = run(isBaseFirst ? basePath : path, series.row);
        double secondNs = run(isBaseFirst ? path : basePath, series.row);
        double nowNs = isBaseFirst ? secondNs : firstNs;
        series.ratios[i] = nowNs / (isBaseFirst ? firstNs : secondNs);
        series.bestNs = Math.min(series.bestNs, nowNs);
        System.err.printf(
                Locale.ROOT,
                "pair %d of %d, %s: %,.0f ns, ratio %.3f%n",
                i + 1,
                series.ratios.length,
                series.row.name(),
                nowNs,
                series.ratios[i]);
    }

    private static double run(String classPath, Row row) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                // The workload waits for the compiler: with both at once a busy
                                // machine leaves some runs half compiled.
                                "-Xbatch",
                                "-XX:+UseSerialGC",
                                "-Xmx256m",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                classPath,
                                Workload.class.getName(),
                                row.name())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        if (!process.waitFor(RUN_SECONDS_MAX, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw failure(row, classPath, "takes more than " + RUN_SECONDS_MAX + " s");
        }
        if (process.exitValue() != 0) {
            throw failure(row, classPath, "ended with " + process.exitValue());
        }
        byte[] output = process.getInputStream().readAllBytes();
        return Double.parseDouble(new String(output, StandardCharsets.UTF_8).strip());
    }

    private static IOException failure(Row row, String classPath, String what) {
        return new IOException(
                "the run of '" + row.name() + "' " + what + "; its class path is " + classPath);
    }
}
