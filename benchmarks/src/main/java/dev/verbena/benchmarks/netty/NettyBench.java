package dev.verbena.benchmarks.netty;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import dev.verbena.benchmarks.results.BenchException;
import dev.verbena.benchmarks.results.Command;
import dev.verbena.benchmarks.results.Entry;
import dev.verbena.benchmarks.results.Machine;
import dev.verbena.benchmarks.results.ResultLog;
import dev.verbena.benchmarks.results.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// `bin/bench netty`: Netty over `roce://` beside Netty's NIO and epoll over TCP, on loopback.
public final class NettyBench {
    static final String PLACE = "netty";
    static final String PAGE = "docs/netty-speed.md";
    static final String KEPT = "benchmarks/results/netty";
    static final String LOG = "netty.jsonl";

    private static final int ROUNDS = 7;
    private static final int SECONDS = 3;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Path root;
    private final Path directory;
    private final ResultLog log = new ResultLog();

    private NettyBench(Path root) throws IOException {
        this.root = root;
        directory = Files.createDirectories(root.resolve("benchmarks/target/netty"));
    }

    /// Takes the root of the checkout, then flags.
    public static void main(String[] arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of(arguments));
        NettyBench bench = new NettyBench(Path.of(words.removeFirst()));
        if (words.equals(List.of("--keep"))) {
            bench.keep();
            return;
        }
        int rounds = number(words, "--runs", ROUNDS);
        int seconds = number(words, "--seconds", SECONDS);
        if (!words.isEmpty()) {
            System.err.println("usage: bin/bench netty [--runs N] [--seconds N] | --keep");
            System.exit(2);
        }
        bench.run(rounds, seconds);
        Path page = bench.directory.resolve("netty-speed.md");
        Files.writeString(page, pageOf(bench.directory));
        System.out.println(page + " has the page; bin/bench netty --keep takes it to docs");
    }

    /// The value of a flag, which is taken out of the words.
    private static int number(List<String> words, String flag, int usual) {
        int at = words.indexOf(flag);
        if (at < 0 || at + 1 == words.size()) {
            return usual;
        }
        words.remove(at);
        String value = words.remove(at);
        if (!value.matches("[1-9]\\d{0,3}")) {
            System.err.println(flag + " " + value + ": use a number from 1 to 9999");
            System.exit(2);
        }
        return Integer.parseInt(value);
    }

    private void run(int rounds, int seconds) throws IOException {
        Machine.describe(PLACE, root, log);
        for (int round = 1; round <= rounds; round++) {
            System.out.printf("-- round %d of %d%n", round, rounds);
            for (NettySubject subject : NettySubject.values()) {
                for (NettyTransport transport : NettyTransport.values()) {
                    if (subject.takes(transport)) {
                        measure(subject, transport, seconds);
                    }
                }
            }
            log.write(directory.resolve(LOG));
        }
    }

    /// A program that fails ends the run: the rounds would not be the same for all.
    private void measure(NettySubject subject, NettyTransport transport, int seconds) {
        String java = ProcessHandle.current().info().command().orElse("java");
        String printed =
                Command.run(
                        LIMIT.plusSeconds(seconds),
                        Map.of(),
                        List.of(
                                java,
                                "-Xmx512m",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                NettyWork.class.getName(),
                                transport.name(),
                                subject.name(),
                                String.valueOf(seconds)));
        for (NettyFigure figure : subject.figures()) {
            double value = Values.number(printed, figure.name());
            if (!(value > 0)) {
                throw new BenchException(transport.label + ", " + figure.subject + ": " + value);
            }
            log.add(new Entry.Figure(PLACE, figure.subject, transport.label, value, figure.unit));
            System.out.printf(
                    Locale.ROOT,
                    "%-58s %-24s %10.2f %s%n",
                    figure.subject,
                    transport.label,
                    value,
                    figure.unit);
        }
    }

    /// Takes what was measured, and its page, into the repository.
    private void keep() throws IOException {
        Path measured = directory.resolve(LOG);
        if (!Files.exists(measured)) {
            throw new BenchException("nothing was measured yet; run bin/bench netty first");
        }
        Path kept = Files.createDirectories(root.resolve(KEPT));
        Files.copy(measured, kept.resolve(LOG), REPLACE_EXISTING);
        Files.writeString(root.resolve(PAGE), pageOf(kept));
    }

    /// The page of the log in a directory.
    static String pageOf(Path logs) throws IOException {
        return new NettyPage(ResultLog.read(List.of(logs.resolve(LOG)))).text();
    }
}
