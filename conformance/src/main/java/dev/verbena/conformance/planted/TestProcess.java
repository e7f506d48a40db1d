package dev.verbena.conformance.planted;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Runs the tests of a module against one directory of classes, in a JVM of its own.
final class TestProcess {
    private final PlantedModule module;

    TestProcess(PlantedModule module) {
        this.module = module;
    }

    /// How the tests ended: the test that caught the bug, if any did, how many tests passed, and
    /// the end of their output.
    record Outcome(Optional<String> caughtBy, int passed, String output) {}

    /// Runs the tests against the classes that were compiled below `home`, with further properties
    /// for their JVM.
    Outcome run(Path home, Duration limit, Map<String, String> properties)
            throws IOException, InterruptedException {
        Path log = home.resolve("log");
        Process process =
                new ProcessBuilder(command(home.resolve(PlantedRun.CLASSES), properties))
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return new Outcome(Optional.of(PlantedResult.TIME_LIMIT), 0, tail(log));
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        Optional<String> failed = after(log, TestRunner.FAILED);
        Optional<String> passed = after(log, TestRunner.PASSED);
        if (failed.isEmpty() && passed.isEmpty()) {
            failed = Optional.of("the end of the JVM with code " + process.exitValue());
        }
        return new Outcome(failed, passed.map(Integer::parseInt).orElse(0), tail(log));
    }

    private List<String> command(Path classes, Map<String, String> properties) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-ea");
        command.add("-Xmx1g");
        command.add("-XX:+UseSerialGC"); // starts fastest, and most of these JVMs live briefly
        command.add("--enable-native-access=ALL-UNNAMED");
        module.properties().forEach((name, value) -> command.add("-D" + name + "=" + value));
        properties.forEach((name, value) -> command.add("-D" + name + "=" + value));
        command.add("--class-path");
        command.add(
                Stream.concat(Stream.of(classes, module.testClasses()), module.classPath().stream())
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator)));
        command.add(TestRunner.class.getName());
        command.add(module.testClasses().toString());
        return command;
    }

    private static Optional<String> after(Path log, String marker) throws IOException {
        return lines(log).stream()
                .filter(line -> line.startsWith(marker))
                .map(line -> line.substring(marker.length()).strip())
                .findFirst();
    }

    private static String tail(Path log) throws IOException {
        List<String> lines = lines(log);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
    }

    // A bug can make a test print anything, so the bytes need not be UTF-8.
    private static List<String> lines(Path log) throws IOException {
        return new String(Files.readAllBytes(log), StandardCharsets.ISO_8859_1).lines().toList();
    }
}
