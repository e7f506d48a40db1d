package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.BenchException;
import dev.verbena.benchmarks.results.Command;
import dev.verbena.benchmarks.results.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The limit of the system calls that our provider makes: `src/main/c`, compiled here.
final class BareC implements MeasuredProgram {
    static final String NAME = "bare C";

    /// What the protocol asks for beside the system calls: checksums, and the bytes at their place.
    static final String WITH_CRC = "bare C with CRC";

    private static final Duration COMPILE_LIMIT = Duration.ofMinutes(1);
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Path program;
    private final boolean isWithCrc;

    private BareC(Path program, boolean isWithCrc) {
        this.program = program;
        this.isWithCrc = isWithCrc;
    }

    /// The same with a CRC-32 of each payload at both ends, and a copy into the target's memory.
    BareC withCrc() {
        return new BareC(program, true);
    }

    static BareC compile(Path sources, Path directory) throws IOException {
        Path program = Files.createDirectories(directory).resolve("bare");
        List<String> words = new ArrayList<>(List.of("gcc", "-O2", "-Wall", "-Wextra", "-o"));
        words.add(program.toString());
        try (Stream<Path> files = Files.list(sources)) {
            files.map(Path::toString).filter(name -> name.endsWith(".c")).forEach(words::add);
        }
        Command.run(COMPILE_LIMIT, Map.of(), words);
        return new BareC(program, false);
    }

    @Override
    public String name() {
        return isWithCrc ? WITH_CRC : NAME;
    }

    /// Queue pairs are nothing to a socket, so every number of them stands beside the same figure.
    @Override
    public boolean takes(Subject subject, WireEnds place) {
        return !isWithCrc || (subject.kind() == Subject.Kind.BANDWIDTH && subject.isUsual());
    }

    @Override
    public double run(Subject subject, WireEnds place) {
        String json = Command.run(LIMIT, Map.of(), words(subject, place));
        if (subject.kind() == Subject.Kind.LATENCY) {
            return Values.number(json, "t_typical");
        }
        double wrong = Values.number(json, "wrong_sums");
        if (wrong > 0) {
            throw new BenchException("bare C: %.0f wrong checksums".formatted(wrong));
        }
        double lost = Values.number(json, "lost");
        if (lost > 0) {
            throw new BenchException("bare C lost %.0f packets: %s".formatted(lost, json.strip()));
        }
        boolean isRate = subject.kind() == Subject.Kind.RATE;
        return Values.number(json, isRate ? "mmsgs" : "gbits");
    }

    List<String> words(Subject subject, WireEnds place) {
        List<String> words = new ArrayList<>(List.of(program.toString()));
        words.add(
                switch (subject.kind()) {
                    case BANDWIDTH -> "bw";
                    case LATENCY -> "lat";
                    case RATE -> "rate";
                });
        option(words, "--size", subject.bytes());
        option(words, "--set", subject.setBytes());
        option(words, "--mtu", place.roceMtu());
        option(words, "--rcvbuf", subject.setting().rcvbufBytes());
        option(words, "--local", place.left().address());
        option(words, "--peer", place.right().address());
        option(words, "--answer", subject.setting().isCoalesced() ? "off" : "on");
        if (isWithCrc) {
            words.addAll(List.of("--crc", "--copy"));
        }
        if (!place.isLoopback()) {
            option(words, "--local-ns", place.left().namespace());
            option(words, "--peer-ns", place.right().namespace());
        }
        return words;
    }

    private static void option(List<String> words, String name, Object value) {
        words.add(name);
        words.add(value.toString());
    }
}
