package dev.verbena.interop.matrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The kept results of one kernel: the matrix, and, where it was run, the suite in the guest.
///
/// @param name the kernel's version in two numbers, such as `6.1`
/// @param matrix the lines of `interop/rxe/run`
/// @param suite the lines of `interop/rxe/ibverbs`; empty where it was not run
record KernelResults(String name, ResultFile.Lines matrix, ResultFile.Lines suite) {
    private static final String PREFIX = "linux-";
    private static final String SUITE = "-ibverbs";
    private static final String SUFFIX = ".jsonl";

    /// Reads `linux-VERSION.jsonl` and `linux-VERSION-ibverbs.jsonl` of every version in a
    /// directory, the oldest kernel first.
    static List<KernelResults> read(Path directory) throws IOException {
        Map<String, KernelResults> found =
                new TreeMap<>(Comparator.comparingLong(KernelResults::minor));
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files = all.filter(it -> !isSuite(it) && isResult(it)).toList();
        }
        for (Path file : files) {
            String name = file.getFileName().toString();
            String version = name.substring(PREFIX.length(), name.length() - SUFFIX.length());
            Path suite = directory.resolve(PREFIX + version + SUITE + SUFFIX);
            found.put(
                    version,
                    new KernelResults(
                            version,
                            new ResultFile(file).read(),
                            Files.exists(suite)
                                    ? new ResultFile(suite).read()
                                    : ResultFile.Lines.NONE));
        }
        return new ArrayList<>(found.values());
    }

    private static boolean isResult(Path file) {
        return file.getFileName().toString().startsWith(PREFIX)
                && file.getFileName().toString().endsWith(SUFFIX);
    }

    private static boolean isSuite(Path file) {
        return file.getFileName().toString().endsWith(SUITE + SUFFIX);
    }

    /// 6.12 is newer than 6.1 and than 6.9.
    private static long minor(String version) {
        String[] parts = version.split("\\.", 2);
        return 1000L * Long.parseLong(parts[0]) + Long.parseLong(parts[1]);
    }

    boolean hasSuite() {
        return !suite.all().isEmpty();
    }
}
