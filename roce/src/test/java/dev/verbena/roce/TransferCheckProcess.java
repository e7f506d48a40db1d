package dev.verbena.roce;

import dev.verbena.conformance.hostile.HostilePeers;
import dev.verbena.testkit.Wait;
import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.Bth;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A [TransferCheckProgram] that runs, and what it moves bytes into, which is a device of this
/// process.
final class TransferCheckProcess implements AutoCloseable {
    private static final long LIMIT_S = 60;
    private static final String END = "(end of output)";

    private final Process process;
    private final Thread errorReader;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private final String device;
    private final Endpoint endpoint;
    private int moved;

    /// @param uri of the program's device
    /// @param peer the device here
    TransferCheckProcess(String uri, Device peer, long seed) throws IOException {
        this(
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classPath(),
                        TransferCheckProgram.class.getName()),
                uri,
                peer,
                seed);
    }

    private TransferCheckProcess(List<String> flags, String uri, Device peer, long seed)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"));
        command.addAll(flags);
        command.addAll(List.of(uri, String.valueOf(seed)));
        process = new ProcessBuilder(command).start();
        Thread.ofVirtual().start(this::read);
        errorReader = Thread.ofVirtual().start(this::readErrors);
        device = await("device ");
        endpoint = Endpoint.parse(await("endpoint "));
        ProtectionDomain domain = peer.protectionDomain();
        CompletionQueue unused = peer.completionQueue(16);
        MemoryRegion target =
                domain.allocate(TransferCheck.BYTES, Access.REMOTE_WRITE, Access.REMOTE_READ);
        QueuePair pair = domain.queuePair(QueuePairType.RC, it -> it.completions(unused));
        pair.connect(endpoint);
        tell(pair.endpoint().toText() + " " + HexFormat.of().formatHex(target.remote().toBytes()));
    }

    /// The same in a module of its own, as an application has it, with other flags of the JVM.
    static TransferCheckProcess inModule(String flag, String uri, Device peer, long seed)
            throws IOException {
        String module = "dev.verbena.roce";
        List<String> flags =
                List.of(
                        flag,
                        "--module-path",
                        places(RoceProvider.class, TransportDevice.class, Device.class, Bth.class),
                        "--patch-module",
                        module + "=" + places(TransferCheckProgram.class),
                        "--add-modules",
                        module,
                        "--module",
                        module + "/" + TransferCheckProgram.class.getName());
        return new TransferCheckProcess(flags, uri, peer, seed);
    }

    /// Where the classes of a test program are.
    static String classPath() {
        return places(
                TransferCheckProgram.class,
                RoceProvider.class,
                TransportDevice.class,
                Device.class,
                Wait.class,
                HostilePeers.class,
                Bth.class);
    }

    private static String places(Class<?>... types) {
        return Stream.of(types)
                .map(TransferCheckProcess::place)
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    /// The directory or archive that a class is in.
    private static String place(Class<?> type) {
        String name = "/" + type.getName().replace('.', '/') + ".class";
        String url = String.valueOf(type.getResource(name));
        String place = url.substring(0, url.length() - name.length());
        boolean isArchive = place.startsWith("jar:");
        String file = isArchive ? place.substring(4, place.length() - 1) : place;
        return Path.of(URI.create(file)).toString();
    }

    private void read() {
        try (BufferedReader in = process.inputReader(StandardCharsets.US_ASCII)) {
            in.lines().forEach(lines::add);
        } catch (IOException | UncheckedIOException ended) {
            // Its output ends with it.
        }
        lines.add(END);
    }

    private void readErrors() {
        try (BufferedReader in = process.errorReader(StandardCharsets.US_ASCII)) {
            in.lines().forEach(errors::add);
        } catch (IOException | UncheckedIOException ended) {
            // As above.
        }
    }

    /// Waits for a line that begins so; returns the rest of it.
    private String await(String beginning) {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
        while (true) {
            String line = next(endNs - System.nanoTime());
            if (line == null || line.equals(END)) {
                throw new AssertionError(
                        "no '%s' but %s from %s: %s".formatted(beginning, line, this, errors()));
            }
            if (line.startsWith(beginning)) {
                return line.substring(beginning.length());
            }
            if (!List.of("device", "endpoint", "moved", "forwarded")
                    .contains(line.split(" ", -1)[0])) {
                throw new AssertionError(this + " says: " + line + " " + lines);
            }
        }
    }

    private @Nullable String next(long waitNs) {
        try {
            return lines.poll(Math.max(0, waitNs), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            throw new AssertionError("interrupted", interrupted);
        }
    }

    private void tell(String line) throws IOException {
        try {
            process.outputWriter().write(line + "\n");
            process.outputWriter().flush();
        } catch (IOException gone) {
            throw new IOException(this + " is gone and said " + lines, gone);
        }
    }

    /// How its device works.
    String device() {
        return device;
    }

    /// The lines of its error output; all of them when it has ended.
    List<String> errors() {
        try {
            if (!process.isAlive()) {
                errorReader.join(Duration.ofSeconds(LIMIT_S));
            }
        } catch (InterruptedException interrupted) {
            throw new AssertionError("interrupted", interrupted);
        }
        return List.copyOf(errors);
    }

    /// The number of its socket.
    int slot() {
        return endpoint.queuePair() >>> 20;
    }

    /// Waits until it has moved bytes so often from now on.
    void movesOn(int times) {
        lines.removeIf(line -> line.startsWith("moved"));
        for (int i = 0; i < times; i++) {
            moved = Integer.parseInt(await("moved "));
        }
    }

    /// Ends it in order; returns how many packets it had to pass on.
    int end() throws IOException, InterruptedException {
        tell("end");
        int forwarded = Integer.parseInt(await("forwarded "));
        await("closed");
        if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new AssertionError(this + " does not end well");
        }
        return forwarded;
    }

    /// Ends it as SIGKILL does.
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor(LIMIT_S, TimeUnit.SECONDS);
    }

    long pid() {
        return process.pid();
    }

    /// Keeps it from running, as SIGSTOP does.
    void stop() throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-STOP", String.valueOf(pid())).start();
        if (!kill.waitFor(LIMIT_S, TimeUnit.SECONDS) || kill.exitValue() != 0) {
            throw new AssertionError(this + " cannot be stopped");
        }
        // The signal was sent; on a busy machine a thread may still answer before it stands.
        Wait.until(this + " stands", Duration.ofSeconds(LIMIT_S), this::isStopped);
    }

    private boolean isStopped() {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid() + "/task"))) {
            return threads.allMatch(TransferCheckProcess::isStopped);
        } catch (IOException ended) {
            throw new UncheckedIOException(this + " has ended", ended);
        }
    }

    private static boolean isStopped(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            // The state is behind the name, which stands in parentheses.
            return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
        } catch (IOException ended) {
            return true;
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    @Override
    public String toString() {
        return "process " + process.pid() + " after " + moved + " moves";
    }
}
