package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.BenchException;
import dev.verbena.benchmarks.results.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a running process takes over some seconds: time of the processor, as /proc tells, and
/// system calls, as `perf stat` counts them.
final class ProcessWatch implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final double TICK_NS = 1e7; // USER_HZ is 100 on every Linux
    private static final String CALLS = "raw_syscalls:sys_enter";
    private static final String RETURNS = "raw_syscalls:sys_exit";

    private final long pid;
    private final long[] before;
    private final List<Command> counters = new ArrayList<>();

    private ProcessWatch(long pid, boolean countsCalls) throws IOException {
        this.pid = pid;
        if (countsCalls && Command.exists("perf")) {
            counters.add(perf("-e", CALLS));
            counters.add(perf("-e", RETURNS, "--filter", "ret == -11"));
        }
        before = ticks(pid);
    }

    static ProcessWatch start(long pid) {
        return start(pid, true);
    }

    /// Without counting calls, which makes each of them slower.
    static ProcessWatch ofTime(long pid) {
        return start(pid, false);
    }

    private static ProcessWatch start(long pid, boolean countsCalls) {
        try {
            return new ProcessWatch(pid, countsCalls);
        } catch (IOException e) {
            throw new BenchException("process " + pid + ": " + e.getMessage(), e);
        }
    }

    private Command perf(String... events) {
        List<String> words = Command.join(List.of("perf", "stat", "-x", ","), List.of(events));
        words.addAll(List.of("-p", Long.toString(pid)));
        return Command.start(Map.of("LC_ALL", "C"), words);
    }

    /// What was used since the start; calls are there only if the kernel lets us count them.
    record Used(double userNs, double systemNs, OptionalDouble calls, OptionalDouble emptyCalls) {}

    Used stop() {
        try {
            long[] after = ticks(pid);
            List<OptionalDouble> counts = new ArrayList<>();
            for (Command counter : counters) {
                counts.add(count(counter.interrupt(LIMIT)));
            }
            boolean counted = counts.size() == 2;
            return new Used(
                    (after[0] - before[0]) * TICK_NS,
                    (after[1] - before[1]) * TICK_NS,
                    counted ? counts.get(0) : OptionalDouble.empty(),
                    counted ? counts.get(1) : OptionalDouble.empty());
        } catch (IOException e) {
            throw new BenchException("process " + pid + ": " + e.getMessage(), e);
        }
    }

    private static OptionalDouble count(String printed) {
        Matcher found = Pattern.compile("(?m)^(\\d+),").matcher(printed);
        return found.find()
                ? OptionalDouble.of(Double.parseDouble(found.group(1)))
                : OptionalDouble.empty();
    }

    /// Of user code and of the kernel; the name of the program, which may hold spaces, ends in ")".
    private static long[] ticks(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return new long[] {Long.parseLong(words[11]), Long.parseLong(words[12])};
    }

    @Override
    public void close() {
        counters.forEach(Command::close);
    }
}
