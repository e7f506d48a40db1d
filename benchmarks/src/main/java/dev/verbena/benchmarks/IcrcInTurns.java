package dev.verbena.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.IntSupplier;

/// Times an ICRC and the JDK's CRC-32 in turns of a few thousand calls within one JVM, and prints
/// the median of the ratios.
///
/// On a shared machine two JMH forks meet different moments, and a ratio of their medians is worth
/// little; two turns that follow each other within a millisecond meet the same one.
public final class IcrcInTurns {
    private static final int CALLS = 4_000;
    private static final int WARM_UP_ROUNDS = 200;
    private static final int ROUNDS = 500;

    /// Keeps the results alive, so that no call can be left out.
    private static int sink;

    private IcrcInTurns() {}

    /// The median of three runs, each in a JVM of its own: how code was compiled differs between
    /// them.
    static double forked(String method, String memory) throws IOException {
        double[] ratios = new double[3];
        for (int i = 0; i < ratios.length; i++) {
            Process process =
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    IcrcInTurns.class.getName(),
                                    method,
                                    memory)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            try (BufferedReader output = process.inputReader()) {
                ratios[i] = Double.parseDouble(String.valueOf(output.readLine()));
            }
        }
        Arrays.sort(ratios);
        return ratios[1];
    }

    /// Takes a method of [IcrcBenchmark] and a [Memory].
    public static void main(String[] arguments) {
        IcrcBenchmark benchmark = new IcrcBenchmark();
        benchmark.memory = Memory.valueOf(arguments[1]);
        benchmark.payload = 4096;
        benchmark.setUp();
        IntSupplier icrc =
                switch (arguments[0]) {
                    case "frame" -> benchmark::frame;
                    case "bare" -> benchmark::bare;
                    case "pieces" -> benchmark::pieces;
                    default -> throw new IllegalArgumentException(arguments[0]);
                };
        double[] ratios = new double[ROUNDS];
        for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
            double reference = nsPerCall(benchmark::crc32);
            double own = nsPerCall(icrc);
            if (round >= 0) {
                ratios[round] = reference / own;
            }
        }
        Arrays.sort(ratios);
        System.out.println(ratios[ROUNDS / 2]);
        if (sink == 42) {
            System.out.println();
        }
    }

    private static double nsPerCall(IntSupplier work) {
        int sum = 0;
        long start = System.nanoTime();
        for (int i = 0; i < CALLS; i++) {
            sum += work.getAsInt();
        }
        long end = System.nanoTime();
        sink += sum;
        return (end - start) / (double) CALLS;
    }
}
