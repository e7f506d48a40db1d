package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.BenchException;
import dev.verbena.benchmarks.results.Command;
import dev.verbena.benchmarks.results.Entry;
import dev.verbena.benchmarks.results.ResultLog;
import dev.verbena.benchmarks.results.Values;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// The same megabytes by a TCP socket and by software RoCE: what each end spends on them.
final class TwoPaths {
    static final String PLACE = "two paths";
    static final String TCP = "TCP, SocketChannel";
    static final String DEVICE_THREAD = "RoCE, device thread";

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int SECONDS = 20;

    /// From the moment the server listens: the second JVM, the exchange, and a warm-up that goes on
    /// until it is no faster.
    private static final int UNTIL_STEADY_MS = 13_000;

    private static final int WATCH_MS = 2500;
    private static final int PORT = 18_570;
    private static final double SHARE_MIN = 0.3;
    private static final double GIGABITS_MAX = 10_000;

    private final Path root;
    private final ResultLog log;
    private final WireEnds place = WireEnds.loopback();

    TwoPaths(Path root, ResultLog log) {
        this.root = root;
        this.log = log;
    }

    private record Candidate(String name, List<String> server, List<String> client) {}

    void run(int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (Candidate one :
                    List.of(
                            tcp(),
                            roce(DEVICE_THREAD, "thread"),
                            roce("RoCE, spinning", "caller"))) {
                try {
                    measure(one);
                } catch (BenchException failed) {
                    String text = Values.shortened(String.valueOf(failed.getMessage()));
                    log.add(new Entry.Note(PLACE, one.name, "failed: " + text));
                    System.out.printf("%s failed: %s%n", one.name, text);
                }
            }
        }
    }

    /// How often a byte is copied at one end. This is known, not counted: TCP copies in `write` and
    /// in `read`; RoCE copies in `sendmsg`, and at the receiver in `recvmsg` and into the region.
    static String copies(String who, String end) {
        return end.equals("sender") || who.equals(TCP) ? "1" : "2";
    }

    private Candidate tcp() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = root.resolve("benchmarks/target/classes").toString();
        List<String> program = List.of(java, "-cp", classes, TcpStream.class.getName());
        List<String> where = List.of(place.right().address(), Integer.toString(PORT));
        List<String> client = Command.join(Command.join(program, List.of("send")), where);
        client.add(Integer.toString(SECONDS));
        return new Candidate(
                TCP, Command.join(Command.join(program, List.of("receive")), where), client);
    }

    private Candidate roce(String name, String progress) {
        List<String> client = Command.join(perf(place.left(), progress), List.of("--json"));
        client.add(place.right().address());
        return new Candidate(name, perf(place.right(), progress), client);
    }

    private List<String> perf(WireEnds.Host host, String progress) {
        List<String> words =
                List.of(
                        root.resolve("bin/verbena").toString(),
                        "perf",
                        "write",
                        "bw",
                        "-s",
                        "1048576",
                        "--report_gbits",
                        "-D",
                        Integer.toString(SECONDS));
        List<String> more =
                List.of(
                        "-p",
                        Integer.toString(PORT),
                        "--progress",
                        progress,
                        "-d",
                        "roce://" + host.address());
        return Command.join(words, more);
    }

    private void measure(Candidate candidate) {
        try (Command receiver = Command.start(Sampling.NAMES, candidate.server)) {
            place.awaitListening(receiver, PORT);
            try (Command sender = Command.start(Sampling.NAMES, candidate.client)) {
                Command.pause(UNTIL_STEADY_MS);
                watch(candidate.name, sender, receiver);
            }
        }
    }

    /// Counts first and samples then: sampling takes time itself.
    private void watch(String who, Command sender, Command receiver) {
        ProcessWatch.Used sent;
        ProcessWatch.Used received;
        double seconds;
        try (ProcessWatch sending = ProcessWatch.start(sender.pid());
                ProcessWatch receiving = ProcessWatch.start(receiver.pid())) {
            long start = System.nanoTime();
            Command.pause(WATCH_MS);
            seconds = (System.nanoTime() - start) / 1e9;
            sent = sending.stop();
            received = receiving.stop();
        }
        try (Sampling left = Sampling.start(sender.pid(), 1);
                Sampling right = Sampling.start(receiver.pid(), 1)) {
            left.finish();
            right.finish();
            double gigabits = Values.number(sender.finish(LIMIT), "BW_average");
            requireSteady(gigabits, sent, seconds);
            receiver.finish(LIMIT);
            add(who, "speed", gigabits, "Gb/s");
            double mebibytes = gigabits * 1e9 / 8 * seconds / (1 << 20);
            add(who, "sender", sent, left.shares(), mebibytes);
            add(who, "receiver", received, right.shares(), mebibytes);
        }
    }

    /// On an overrun machine the programs may not have been at work yet when they were watched.
    private static void requireSteady(double gigabits, ProcessWatch.Used sent, double seconds) {
        double share = (sent.userNs() + sent.systemNs()) / 1e9 / seconds;
        if (share < SHARE_MIN || gigabits > GIGABITS_MAX) {
            throw new BenchException(
                    String.format(
                            Locale.ROOT,
                            "%.3g Gb/s with %.2f of a core is no steady state; try again",
                            gigabits,
                            share));
        }
    }

    private void add(
            String who,
            String end,
            ProcessWatch.Used used,
            List<Sampling.Share> shares,
            double mebibytes) {
        double kibibytes = mebibytes * 1024;
        double all = used.userNs() + used.systemNs();
        add(who, "CPU of the " + end, all / kibibytes, "ns/KiB");
        add(who, "of it in the kernel, " + end, used.systemNs() / kibibytes, "ns/KiB");
        double copying = all * Sampling.share(shares, Sampling.COPIES);
        add(who, "of it copying, " + end, copying / kibibytes, "ns/KiB");
        double checking = all * Sampling.share(shares, Sampling.CHECKSUMS);
        add(who, "of it CRC-32, " + end, checking / kibibytes, "ns/KiB");
        used.calls()
                .ifPresent(
                        calls ->
                                add(
                                        who,
                                        "system calls of the " + end,
                                        calls / mebibytes,
                                        "per MiB"));
        used.emptyCalls()
                .ifPresent(
                        calls ->
                                add(
                                        who,
                                        "of them in vain (EAGAIN), " + end,
                                        calls / mebibytes,
                                        "per MiB"));
    }

    private void add(String who, String what, double value, String unit) {
        log.add(new Entry.Figure(PLACE, what, who, value, unit));
        System.out.printf(Locale.ROOT, "%-24s %-40s %10.1f %s%n", who, what, value, unit);
    }
}
