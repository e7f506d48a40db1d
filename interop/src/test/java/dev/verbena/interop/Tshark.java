package dev.verbena.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The program tshark: what it prints of a capture's fields, all of them in one run.
final class Tshark {
    /// Printed when a dissector gave up on a frame.
    static final String MALFORMED = "_ws.malformed";

    private static final long TIMEOUT_SECONDS = 60;

    private static final String SEPARATOR = "\t";
    private static final String AGGREGATOR = ";";

    /// Guess at the content of a payload from its bytes, and then report it as malformed or do not
    /// show it as data. With random payloads they would be wrong sooner or later.
    private static final List<String> GUESSING_PROTOCOLS =
            List.of(
                    "rpcordma",
                    "smc",
                    "smb_direct",
                    "nvme-rdma",
                    "lnet",
                    "iser",
                    "infiniband.eoib",
                    "infiniband_sdp",
                    "fcoib");

    /// The guess at Ethernet over InfiniBand, whose protocol cannot be disabled without losing all
    /// that Ethernet carries.
    private static final String GUESSING_HEURISTIC = "eth_over_ib";

    private final String program;
    private final String version;
    private final Set<String> fields;

    private Tshark(String program, String version, Set<String> fields) {
        this.program = program;
        this.version = version;
        this.fields = fields;
    }

    /// The tshark on the path.
    static Tshark installed() {
        return at("tshark");
    }

    /// A tshark by its file name, asked for its version and for the fields that it knows.
    static Tshark at(String program) {
        Matcher version =
                Pattern.compile("(\\d+\\.\\d+\\.\\d+)").matcher(run(List.of(program, "--version")));
        if (!version.find()) {
            throw new AssertionError(program + " --version prints no version");
        }
        Set<String> fields =
                run(List.of(program, "-G", "fields"))
                        .lines()
                        .map(line -> line.split("\t", 4))
                        .filter(columns -> columns.length > 2 && columns[0].equals("F"))
                        .map(columns -> columns[2])
                        .collect(Collectors.toUnmodifiableSet());
        return new Tshark(program, version.group(1), fields);
    }

    String version() {
        return version;
    }

    /// What is printed of each frame, in their order: all values of each field that has any.
    ///
    /// A field that this version does not know is printed nowhere.
    List<Map<String, List<String>>> read(Path capture, Collection<String> wanted) {
        List<String> asked = new ArrayList<>();
        // First, so that no line is empty.
        asked.add("frame.number");
        asked.add(MALFORMED);
        wanted.stream().filter(fields::contains).forEach(asked::add);
        return run(command(capture, asked)).lines().map(line -> row(asked, line)).toList();
    }

    private List<String> command(Path capture, List<String> asked) {
        List<String> command = new ArrayList<>(List.of(program, "-n", "-r", capture.toString()));
        GUESSING_PROTOCOLS.forEach(name -> command.addAll(List.of("--disable-protocol", name)));
        command.addAll(List.of("--disable-heuristic", GUESSING_HEURISTIC));
        command.addAll(List.of("-o", "ip.check_checksum:TRUE"));
        command.addAll(List.of("-T", "fields", "-E", "separator=/t", "-E", "occurrence=a"));
        command.addAll(List.of("-E", "aggregator=" + AGGREGATOR, "-E", "quote=n"));
        asked.forEach(field -> command.addAll(List.of("-e", field)));
        return command;
    }

    private static Map<String, List<String>> row(List<String> asked, String line) {
        // A negative limit keeps the empty columns at the end.
        String[] columns = line.split(SEPARATOR, -1);
        if (columns.length != asked.size()) {
            throw new AssertionError(
                    "tshark printed %d columns, asked for %d: %s"
                            .formatted(columns.length, asked.size(), line));
        }
        Map<String, List<String>> row = new LinkedHashMap<>();
        for (int i = 0; i < columns.length; i++) {
            if (!columns[i].isEmpty()) {
                row.put(asked.get(i), List.of(columns[i].split(AGGREGATOR, -1)));
            }
        }
        return row;
    }

    private static String run(List<String> command) {
        try {
            // Files instead of pipes: they need no reader while the program runs.
            Path out = Files.createTempFile("tshark", ".out");
            Path err = Files.createTempFile("tshark", ".err");
            try {
                await(start(command, out, err), command, err);
                return Files.readString(out);
            } finally {
                Files.delete(out);
                Files.delete(err);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Process start(List<String> command, Path out, Path err) {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectOutput(out.toFile())
                            .redirectError(err.toFile())
                            .start();
            process.getOutputStream().close();
            return process;
        } catch (IOException e) {
            throw new AssertionError("tshark is not installed: apt-get install tshark", e);
        }
    }

    private static void await(Process process, List<String> command, Path err) throws IOException {
        try {
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError(
                        "tshark ran longer than %d s: %s".formatted(TIMEOUT_SECONDS, command));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while tshark ran", e);
        } finally {
            process.destroyForcibly();
        }
        if (process.exitValue() != 0) {
            throw new AssertionError(
                    "tshark ended with %d: %s"
                            .formatted(process.exitValue(), Files.readString(err)));
        }
    }
}
