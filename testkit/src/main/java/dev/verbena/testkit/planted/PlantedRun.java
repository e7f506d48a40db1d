package dev.verbena.testkit.planted;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
/// The tests run once on an unchanged copy first, where all must pass. The copy is compiled and run
/// on the class path: what a module finds through `provides` in its module-info is not found there.
public final class PlantedRun {
    /// How long the tests of one bug may take unless told otherwise.
    public static final Duration DEFAULT_LIMIT = Duration.ofMinutes(2);

    /// More would only wait for each other, and for their time limits.
    private static final int AT_A_TIME =
            Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 4);

    /// Where the compiled copy lies, below the home of each bug.
    static final String CLASSES = "classes";

    private final PlantedModule module;
    private final Duration limit;
    private final TestProcess tests;

    public PlantedRun(PlantedModule module) {
        this(module, DEFAULT_LIMIT);
    }

    /// With a limit for the tests of one bug; a bug that makes them exceed it counts as caught.
    public PlantedRun(PlantedModule module, Duration limit) {
        this.module = module;
        this.limit = limit;
        this.tests = new TestProcess(module);
    }

    /// What became of each bug, in order, or of each one in the part that `-Dplanted.part` asks
    /// for. A plan that does not fit the sources, or makes them not compile, fails before any test
    /// is run; whether it fits is seen of all.
    public List<PlantedResult> run(List<PlantedBug> all) throws IOException, InterruptedException {
        List<PlantedBug> bugs = PlantedPart.wanted().of(all);
        Path work = Files.createTempDirectory("planted");
        try {
            for (PlantedBug bug : all) {
                Path home = work.resolve("fitting");
                bug.plantIn(copySources(home));
                delete(home);
            }
            for (int i = 0; i < bugs.size(); i++) {
                Path home = work.resolve("bug-" + i);
                bugs.get(i).plantIn(copySources(home));
                compile(bugs.get(i).name(), home);
            }
            requireHealthy(work.resolve("unchanged"));
            return runAll(bugs, work);
        } finally {
            delete(work);
        }
    }

    /// Each has a JVM of its own, which uses one core; the order of the results is the plan's.
    private List<PlantedResult> runAll(List<PlantedBug> bugs, Path work)
            throws IOException, InterruptedException {
        List<PlantedResult> results = new ArrayList<>();
        ExecutorService pool = Executors.newFixedThreadPool(AT_A_TIME);
        try {
            List<Future<PlantedResult>> running = new ArrayList<>();
            for (int i = 0; i < bugs.size(); i++) {
                PlantedBug bug = bugs.get(i);
                Path home = work.resolve("bug-" + i);
                running.add(pool.submit(() -> runOne(bug, home)));
            }
            for (Future<PlantedResult> future : running) {
                PlantedResult result = future.get();
                results.add(result);
                // Each takes seconds; whoever waits wants to see them pass.
                System.out.printf(
                        "planted %d of %d, %s: %s%n",
                        results.size(), bugs.size(), result.bug().name(), result.fate());
            }
        } catch (ExecutionException failure) {
            throw new IOException("the tests of a planted bug could not be run", failure);
        } finally {
            pool.shutdownNow();
        }
        return List.copyOf(results);
    }

    private void requireHealthy(Path home) throws IOException, InterruptedException {
        copySources(home);
        compile("none", home);
        // The limit is meant for bugs; a short one must not fail the sound copy.
        Duration patience = limit.compareTo(DEFAULT_LIMIT) > 0 ? limit : DEFAULT_LIMIT;
        TestProcess.Outcome outcome = tests.run(home, patience);
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

    private PlantedResult runOne(PlantedBug bug, Path home)
            throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        TestProcess.Outcome outcome = tests.run(home, limit);
        long tookMs = (System.nanoTime() - startNs) / 1_000_000;
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
