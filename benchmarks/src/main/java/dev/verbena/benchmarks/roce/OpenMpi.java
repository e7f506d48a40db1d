package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.BenchException;
import dev.verbena.benchmarks.results.Command;
import dev.verbena.benchmarks.results.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Debian's Open MPI: a C loop around MPI_Allreduce, compiled here.
///
/// For two namespaces mpirun runs in one of them, and starts its daemon in the other by an agent in
/// place of ssh. The daemon has another name of its host there, so that Open MPI sees two machines.
/// Each daemon would bind its first process to the first processor: nothing is bound.
final class OpenMpi implements AllReduceProgram {
    static final String TCP = "Open MPI, tcp";
    static final String SHARED_MEMORY = "Open MPI, shared memory";

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final DebianPackage RUN = new DebianPackage("mpirun", "openmpi-bin");
    private static final DebianPackage COMPILE = new DebianPackage("mpicc", "libopenmpi-dev");

    private final Path source;
    private final Path directory;
    private final boolean isShared;

    OpenMpi(Path root, Path directory, boolean isShared) {
        source = root.resolve("benchmarks/src/main/c/mpi/all_reduce.c");
        this.directory = directory;
        this.isShared = isShared;
    }

    @Override
    public String name() {
        return isShared ? SHARED_MEMORY : TCP;
    }

    /// Compiles it, too.
    @Override
    public Optional<String> obstacle() {
        Optional<String> missing = RUN.obstacle().or(COMPILE::obstacle);
        if (missing.isEmpty()) {
            List<String> compile = List.of("mpicc", "-O2", "-Wall", "-Wextra", "-o");
            List<String> files = List.of(program().toString(), source.toString());
            Command.run(LIMIT, Map.of(), Command.join(compile, files));
        }
        return missing;
    }

    private Path program() {
        return directory.resolve("all_reduce");
    }

    @Override
    public Map<Long, Double> run(AllReduceGroup group, WireEnds place) {
        List<String> words = new ArrayList<>(List.of("mpirun", "--allow-run-as-root"));
        words.addAll(List.of("-np", "2", "--bind-to", "none", "--mca", "pml", "ob1"));
        if (isShared) {
            words.addAll(List.of("--oversubscribe", "--mca", "btl", "vader,self"));
        } else {
            words.addAll(List.of("--mca", "btl", "tcp,self"));
            words.addAll(List.of("--mca", "btl_tcp_if_include", place.device()));
            words.addAll(List.of("--mca", "oob_tcp_if_include", place.device()));
            words.addAll(List.of("--mca", "plm_rsh_agent", agent(place).toString()));
            words.add("--host");
            words.add(place.left().address() + ":1," + place.right().address() + ":1");
        }
        words.add(program().toString());
        words.addAll(List.of("" + group.warmup(), "" + group.iterations()));
        group.sizes().forEach(size -> words.add("" + size));
        return times(Command.run(LIMIT, Map.of(), place.left().words(words)));
    }

    /// A script that runs a command "on" the other host: it gets the host and the command.
    private Path agent(WireEnds place) {
        String namespace = place.right().namespace();
        String script =
                """
                #!/bin/sh
                shift
                exec ip netns exec %s unshare --uts sh -c 'hostname %s; exec sh -c "$0"' "$*"
                """
                        .formatted(namespace, namespace);
        try {
            Path file = Files.writeString(directory.resolve("agent"), script);
            if (!file.toFile().setExecutable(true)) {
                throw new BenchException(file + " cannot be made executable");
            }
            return file;
        } catch (IOException e) {
            throw new BenchException("agent: " + e.getMessage(), e);
        }
    }

    /// Lines of bytes, microseconds and wrong elements.
    static Map<Long, Double> times(String printed) {
        Map<Long, Double> times = new LinkedHashMap<>();
        for (String line : printed.lines().toList()) {
            String[] cells = line.strip().split(" ", -1);
            if (cells.length == 3 && cells[0].matches("[0-9]+")) {
                if (!cells[2].equals("0")) {
                    throw new BenchException("Open MPI: wrong elements: " + line);
                }
                times.put(Long.parseLong(cells[0]), Double.parseDouble(cells[1]));
            }
        }
        if (times.isEmpty()) {
            throw new BenchException("no times in: " + Values.shortened(printed));
        }
        return times;
    }
}
