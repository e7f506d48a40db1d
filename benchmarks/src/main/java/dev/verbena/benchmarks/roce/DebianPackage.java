package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.BenchException;
import dev.verbena.benchmarks.results.Command;
import dev.verbena.benchmarks.results.Values;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A program that Debian has a package of, installed when it is missing and we may.
record DebianPackage(String program, String name) {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    /// Empty once it is there; else why it is not.
    Optional<String> obstacle() {
        if (Command.exists(program)) {
            return Optional.empty();
        }
        String remedy = "%s is missing; run: apt-get install %s".formatted(program, name);
        if (!"root".equals(System.getProperty("user.name")) || !Command.exists("apt-get")) {
            return Optional.of(remedy);
        }
        try {
            Map<String, String> quietly = Map.of("DEBIAN_FRONTEND", "noninteractive");
            Command.run(LIMIT, quietly, List.of("apt-get", "update", "-qq"));
            Command.run(
                    LIMIT,
                    quietly,
                    List.of("apt-get", "install", "-y", "-qq", "--no-install-recommends", name));
        } catch (BenchException failed) {
            return Optional.of(
                    remedy + " (" + Values.shortened(String.valueOf(failed.getMessage())) + ")");
        }
        return Command.exists(program) ? Optional.empty() : Optional.of(remedy);
    }
}
