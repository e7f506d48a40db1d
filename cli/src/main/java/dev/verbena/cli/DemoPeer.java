package dev.verbena.cli;

import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.RemoteSlice;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The second process of `verbena demo`, as the first sees it.
final class DemoPeer implements AutoCloseable {
    private static final long END_LIMIT_S = 5;

    /// Long enough for a JVM that starts beside much other work.
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);

    /// What the peer answers when it has opened a device.
    record Opened(Endpoint endpoint, RemoteSlice memory) {}

    private final Process process;
    private final PrintWriter orders;
    private final BufferedReader answers;

    DemoPeer() throws IOException {
        List<String> command = new ArrayList<>(PerfProcess.java());
        command.add("demo-peer");
        process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        orders = new PrintWriter(process.outputWriter(), true);
        answers = process.inputReader();
    }

    long id() {
        return process.pid();
    }

    Opened open(String uri, int bytes) throws IOException {
        String[] words = ask("open " + uri + " " + bytes, "opened ").split(" ", -1);
        return new Opened(
                Endpoint.parse(words[0]), RemoteSlice.of(HexFormat.of().parseHex(words[1])));
    }

    void connect(Endpoint endpoint) throws IOException {
        ask("connect " + HexFormat.of().formatHex(endpoint.toBytes()), "connected");
    }

    /// The checksum of its memory.
    int checksum() throws IOException {
        return Integer.parseInt(ask("look", "holds "));
    }

    Map<String, Long> counters() throws IOException {
        Map<String, Long> counters = new TreeMap<>();
        for (String word : ask("count", "counted ").split(" ", -1)) {
            int split = word.indexOf('=');
            counters.put(word.substring(0, split), Long.valueOf(word.substring(split + 1)));
        }
        return counters;
    }

    private String ask(String order, String beginning) throws IOException {
        orders.println(order);
        String answer = answer();
        if (answer == null) {
            throw new IOException("the second process, %d, has ended".formatted(id()));
        }
        if (!answer.startsWith(beginning)) {
            throw new IOException("the second process, %d, %s".formatted(id(), answer));
        }
        return answer.substring(beginning.length());
    }

    /// The next line that it says; a process that says nothing is ended, and its output with it.
    private @Nullable String answer() throws IOException {
        Thread limit =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        Thread.sleep(ANSWER_LIMIT);
                                        process.destroyForcibly();
                                    } catch (InterruptedException answered) {
                                        Thread.currentThread().interrupt();
                                    }
                                });
        try {
            return answers.readLine();
        } finally {
            limit.interrupt();
        }
    }

    /// Ends the process by ending its input.
    @Override
    public void close() {
        orders.close();
        try {
            if (!process.waitFor(END_LIMIT_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException asked) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
