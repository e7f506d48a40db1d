package dev.verbena.benchmarks.fabric;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// Waits for a process, and sees how much memory it has at most.
final class Peak {
    private static final int LOOK_MS = 20;
    private static final int KIB_PER_MIB = 1024;

    private Peak() {}

    /// Returns its largest resident set in MiB, as Linux tells it shortly before the end.
    static long await(Process process, long limitMinutes) throws IOException, InterruptedException {
        long untilNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(limitMinutes);
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        long mostKib = 0;
        while (!process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS)) {
            mostKib = Math.max(mostKib, kib(status));
            if (System.nanoTime() > untilNs) {
                process.destroyForcibly();
                throw new IOException("it did not end in " + limitMinutes + " minutes");
            }
        }
        if (process.exitValue() != 0) {
            throw new IOException("it ended with " + process.exitValue());
        }
        return mostKib / KIB_PER_MIB;
    }

    private static long kib(Path status) {
        try {
            for (String line : Files.readAllLines(status)) {
                if (line.startsWith("VmHWM:")) {
                    return Long.parseLong(line.replaceAll("\\D", ""));
                }
            }
        } catch (IOException over) {
            // It has just ended.
            return 0;
        }
        return 0;
    }
}
