package dev.verbena.testkit.junit;

import dev.verbena.testkit.Choices;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.NoDeviceException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ParameterResolutionException;

/// One seed of a test: its hosts, from the first parameter that needs them to the end.
final class Run implements AutoCloseable {
    private static final AtomicLong RUNS = new AtomicLong();

    private final Plan plan;
    private final long seed;
    private final Optional<Path> pcap;
    private final DeviceUris uris;
    private final Choices choices;
    private @Nullable RdmaGroup group;
    private @Nullable RdmaThreads threads;
    private @Nullable Thread testThread;
    private boolean hasFailed;

    Run(Plan plan, long seed) {
        this.plan = plan;
        this.seed = seed;
        pcap = plan.pcap(seed);
        uris = new DeviceUris(plan, seed, RUNS.incrementAndGet(), pcap);
        choices = Choices.from(seed);
    }

    Plan plan() {
        return plan;
    }

    long seed() {
        return seed;
    }

    /// Where this run's packets are, when they are kept.
    Optional<Path> pcap() {
        return pcap;
    }

    Choices choices() {
        return choices;
    }

    RdmaThreads threads() {
        if (threads == null) {
            threads = new RdmaThreads(this);
        }
        return threads;
    }

    /// This thread runs a method of the test.
    void isTestThread() {
        testThread = Thread.currentThread();
    }

    void requireTestThread() {
        Thread self = Thread.currentThread();
        if (testThread != null && !testThread.equals(self)) {
            throw new IllegalStateException(
                    "thread %s starts the first thread of the test: let the test's own thread %s do"
                                    .formatted(self.getName(), testThread.getName())
                            + " it, to take turns with it");
        }
    }

    /// Ends the test's threads; returns what the test has failed with.
    @Nullable Throwable finish(@Nullable Throwable thrown) {
        Throwable ended = threads == null ? thrown : threads.finish(thrown);
        hasFailed = ended != null;
        return ended;
    }

    /// The hosts, opened when they are asked for first.
    RdmaGroup group() {
        if (group == null) {
            group = new RdmaGroup(this::open);
            for (String name : plan.hostNames()) {
                group.add(name, plan.test().memory());
            }
        }
        return group;
    }

    private Device open(String name) {
        String uri = uris.next(name);
        try {
            return Devices.open(uri);
        } catch (NoDeviceException absent) {
            throw hasProvider(DeviceUris.scheme(uri)) ? absent : providerMissing(uri, absent);
        }
    }

    private static boolean hasProvider(String scheme) {
        return Devices.available().stream().anyMatch(it -> scheme.equalsIgnoreCase(it.getScheme()));
    }

    private static ParameterResolutionException providerMissing(
            String uri, NoDeviceException cause) {
        String scheme = DeviceUris.scheme(uri);
        String artifact = scheme.equals("loopback") ? "transport" : scheme;
        return new ParameterResolutionException(
                """
                @RdmaTest opens %s:// devices, and nothing provides them. Add, for tests:

                    Maven   <dependency>
                              <groupId>dev.verbena</groupId>
                              <artifactId>verbena-%s</artifactId>
                              <version>the same as of verbena-testkit</version>
                              <scope>test</scope>
                            </dependency>
                    Gradle  testImplementation("dev.verbena:verbena-%s:VERSION")
                """
                        .formatted(scheme, artifact, artifact),
                cause);
    }

    /// Closes everything, after a success or a failure of the test.
    @Override
    public void close() {
        if (threads != null) {
            // Not yet, when the test's method was never called.
            threads.finish(new IllegalStateException("the test did not run"));
        }
        if (group == null) {
            return;
        }
        List<String> left = group.close();
        boolean wasStopped = hasFailed && threads != null;
        if (!left.isEmpty() && !wasStopped) {
            throw new AssertionError(
                    FailureText.of(
                            "the test left a device open: "
                                    + String.join(", ", left)
                                    + "\n"
                                    + "(a test closes the devices that it opens; it is closed now)",
                            this));
        }
    }
}
