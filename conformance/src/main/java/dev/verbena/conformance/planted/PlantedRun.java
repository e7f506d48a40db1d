package dev.verbena.conformance.planted;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/// Plants bugs in copies of a module, one at a time, and says which tests caught them.
///
/// The test that caught a bug the last time runs first ([PlantedRecord]), the others of the module
/// when it passes. Afterwards every test class that caught a bug runs on an unchanged copy, where
/// it must pass. The copy is compiled and run on the class path: what a module finds through
/// `provides` in its module-info is not found there.
public final class PlantedRun {
    /// How long the tests of one bug may take unless another limit is given.
    public static final Duration DEFAULT_LIMIT = Duration.ofMinutes(2);

    /// More would only wait for each other, and for their time limits.
    private static final int AT_A_TIME =
            Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 4);

    /// Where the compiled copy lies, below the home of each bug.
    static final String CLASSES = "classes";

    private final PlantedModule module;
    private final Duration limit;
    private final TestProcess tests;
    private final PlantedRecord record;

    public PlantedRun(PlantedModule module) {
        this(module, DEFAULT_LIMIT, PlantedRecord.none());
    }

    /// With a limit for the tests of one bug; a bug that makes them exceed it counts as caught.
    PlantedRun(PlantedModule module, Duration limit, PlantedRecord record) {
        this.module = module;
        this.limit = limit;
        this.tests = new TestProcess(module);
        this.record = record;
    }

    /// What became of each bug that the choice names, in the choice's order. A plan of which any
    /// bug does not fit the sources fails before any test is run.
    public List<PlantedResult> run(List<PlantedBug> all) throws IOException, InterruptedException {
        return run(all, PlantedChoice.wanted());
    }

    List<PlantedResult> run(List<PlantedBug> all, PlantedChoice choice)
            throws IOException, InterruptedException {
        for (PlantedBug bug : all) {
            bug.requireFit(module.mainSources());
        }
        Path work = Files.createTempDirectory("planted");
        try {
            List<PlantedResult> results = runAll(choice, choice.of(all, record), work);
            requireHealthy(results, work.resolve("unchanged"));
            return results;
        } finally {
            delete(work);
        }
    }

    /// Each bug has a JVM of its own, which uses one core.
    private List<PlantedResult> runAll(PlantedChoice choice, PlantedChoice.Chosen chosen, Path work)
            throws IOException, InterruptedException {
        List<PlantedResult> results = new ArrayList<>();
        ExecutorService pool = Executors.newFixedThreadPool(AT_A_TIME);
        try {
            List<Future<Optional<PlantedResult>>> running = new ArrayList<>();
            for (PlantedBug bug : chosen.changed()) {
                Path home = work.resolve("bug-" + running.size());
                running.add(
                        pool.submit(
                                () ->
                                        Instant.now().isBefore(choice.until())
                                                ? Optional.of(runOne(bug, home))
                                                : Optional.empty()));
            }
            for (PlantedBug bug : chosen.others()) {
                Path home = work.resolve("bug-" + running.size());
                running.add(pool.submit(() -> Optional.of(runOne(bug, home))));
            }
            for (int i = 0; i < running.size(); i++) {
                Optional<PlantedResult> result = running.get(i).get();
                result.ifPresent(results::add);
                String outcome =
                        result.isPresent()
                                ? result.get().bug().name() + ": " + result.get().fate()
                                : notTried(chosen.changed().get(i));
                // Each takes seconds: a line for each shows the progress.
                System.out.printf("planted %d of %d, %s%n", i + 1, running.size(), outcome);
            }
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof PlantedException planted) {
                throw planted;
            }
            throw new IOException("the tests of a planted bug could not be run", failure);
        } finally {
            // Until the others have ended they write where the caller deletes.
            pool.shutdownNow();
            pool.close();
        }
        return List.copyOf(results);
    }

    private static String notTried(PlantedBug bug) {
        return bug.name() + ": NOT TRIED, the time for bugs of changed files is over";
    }

    /// A test that fails without a bug as well has caught nothing.
    private void requireHealthy(List<PlantedResult> results, Path home)
            throws IOException, InterruptedException {
        List<String> catchers =
                results.stream().filter(PlantedResult::caught).map(PlantedResult::by).toList();
        if (catchers.isEmpty()) {
            return;
        }
        copySources(home);
        compile("none", home);
        // The limit is meant for bugs; a short one must not fail the sound copy.
        Duration patience = limit.compareTo(DEFAULT_LIMIT) > 0 ? limit : DEFAULT_LIMIT;
        TestProcess.Outcome outcome = tests.run(home, patience, onlyClassesOf(catchers));
        if (outcome.caughtBy().isPresent() || outcome.passed() == 0) {
            throw new PlantedException(
                    "without any bug, "
                            + outcome.passed()
                            + " tests pass and the run ends by "
                            + outcome.caughtBy().orElse("itself")
                            + ":\n"
                            + outcome.output());
        }
    }

    /// All tests, when a bug was caught by something that is not a test, such as the time limit.
    private static Map<String, String> onlyClassesOf(List<String> catchers) {
        return catchers.stream().allMatch(PlantedRecord::isTest)
                ? Map.of(
                        TestRunner.CLASSES,
                        catchers.stream()
                                .map(PlantedRecord::topClass)
                                .distinct()
                                .collect(Collectors.joining(",")))
                : Map.of();
    }

    private PlantedResult runOne(PlantedBug bug, Path home)
            throws IOException, InterruptedException {
        bug.plantIn(copySources(home));
        compile(bug.name(), home);
        long startNs = System.nanoTime();
        TestProcess.Outcome outcome =
                tests.run(
                        home,
                        limit,
                        record.catcher(bug)
                                .map(test -> Map.of(RecordedFirst.PROPERTY, test))
                                .orElse(Map.of()));
        long tookMs = (System.nanoTime() - startNs) / 1_000_000;
        delete(home);
        return new PlantedResult(
                bug, outcome.caughtBy().isPresent(), outcome.caughtBy().orElse(""), tookMs);
    }

    private Path copySources(Path home) throws IOException {
        Path target = home.resolve("src");
        try (Stream<Path> files = Files.walk(module.mainSources())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = target.resolve(module.mainSources().relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
        return target;
    }

    private void compile(String bug, Path home) throws IOException {
        Path classes = Files.createDirectories(home.resolve(CLASSES));
        List<String> options =
                List.of(
                        "-nowarn",
                        "-proc:none",
                        "-parameters",
                        "--release",
                        "25",
                        "-d",
                        classes.toString(),
                        "--class-path",
                        module.classPath().stream()
                                .map(Path::toString)
                                .collect(Collectors.joining(File.pathSeparator)));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
                Stream<Path> files = Files.walk(home.resolve("src"))) {
            // Without its descriptor the module lies on the class path, open to the tests.
            List<Path> sources =
                    files.filter(file -> file.toString().endsWith(".java"))
                            .filter(file -> !file.endsWith("module-info.java"))
                            .toList();
            boolean compiled =
                    compiler.getTask(
                                    messages,
                                    manager,
                                    null,
                                    options,
                                    null,
                                    manager.getJavaFileObjectsFromPaths(sources))
                            .call();
            if (!compiled) {
                throw new PlantedException("bug '" + bug + "' does not compile:\n" + messages);
            }
        }
    }

    private static void delete(Path directory) throws IOException {
        Files.walkFileTree(
                directory,
                new SimpleFileVisitor<Path>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path dir, @Nullable IOException failure) throws IOException {
                        Files.delete(dir);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
