package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.BenchException;
import dev.verbena.benchmarks.results.Command;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Where two processes talk: the two ends of a wire, and the largest payload of a RoCE packet.
record WireEnds(
        String name, Host left, Host right, String device, int roceMtu, Disturbance disturbance) {
    private static final Duration START_LIMIT = Duration.ofMinutes(1);
    private static final int LOOK_MS = 20;

    /// An address, and the network namespace that has it, empty for the one we are in.
    record Host(String address, String namespace) {
        List<String> words(List<String> program) {
            return namespace.isEmpty()
                    ? program
                    : Command.join(List.of("ip", "netns", "exec", namespace), program);
        }
    }

    static WireEnds loopback() {
        Host left = new Host("127.66.0.1", "");
        Host right = new Host("127.66.0.2", "");
        return new WireEnds("loopback", left, right, "lo", 4096, Disturbance.NONE);
    }

    /// The same with something beside it.
    WireEnds with(String newName, Disturbance beside) {
        return new WireEnds(newName, left, right, device, roceMtu, beside);
    }

    boolean isLoopback() {
        return device.equals("lo");
    }

    /// Starts the right end, waits until it listens on a TCP port, runs the left end, and gives
    /// what that prints.
    String pair(
            Duration limit,
            Map<String, String> environment,
            int port,
            List<String> server,
            List<String> client) {
        try (Command right = Command.start(environment, this.right.words(server))) {
            awaitListening(right, port);
            try (var _ = disturbance.begin(right)) {
                return Command.run(disturbance.limit(limit), environment, left.words(client));
            }
        }
    }

    /// A connection just to try would be the only one that some of the servers take; so the kernel
    /// is asked.
    void awaitListening(Command server, int port) {
        String wanted = String.format(Locale.ROOT, ":%04X ", port);
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (!listens(wanted)) {
            if (System.nanoTime() > deadline) {
                throw new BenchException(
                        "port %d: nothing listens after %d s; is the machine overrun?"
                                .formatted(port, START_LIMIT.toSeconds()));
            }
            if (!server.isAlive()) {
                server.finish(START_LIMIT);
                throw new BenchException(
                        "port " + port + ": nothing listens; the server has ended");
            }
            Command.pause(LOOK_MS);
        }
    }

    private boolean listens(String port) {
        List<String> tables = List.of("cat", "/proc/net/tcp", "/proc/net/tcp6");
        return Command.run(START_LIMIT, Map.of(), right.words(tables))
                .lines()
                .map(String::strip)
                .anyMatch(line -> line.contains(port) && line.contains(" 0A "));
    }
}
