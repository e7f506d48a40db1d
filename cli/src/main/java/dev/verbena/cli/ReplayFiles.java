package dev.verbena.cli;

import dev.verbena.job.chakra.ChakraGroups;
import dev.verbena.job.chakra.ChakraTrace;
import dev.verbena.job.goal.GoalBinary;
import dev.verbena.job.goal.GoalText;
import dev.verbena.job.replay.Budget;
import dev.verbena.job.replay.Job;
import dev.verbena.job.replay.TraceException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Opens the files of `verbena replay`.
final class ReplayFiles {
    private static final int GROUPS_MAX_BYTES = 1 << 26;

    private ReplayFiles() {}

    /// Reads a GOAL schedule, in the form that its first bytes have.
    static Job goal(Path file) throws IOException {
        if (!Files.exists(file)) {
            throw new UsageException("no file " + file);
        }
        if (!Files.isRegularFile(file)) {
            throw new TraceException(file + ": it is no regular file");
        }
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(file)) {
            MemorySegment bytes =
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            if (GoalBinary.isBinary(bytes)) {
                return GoalBinary.read(file.toString(), bytes);
            }
        }
        // Each byte is a character, so that no byte of a comment is malformed.
        try (Reader in = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            return GoalText.read(file.toString(), in);
        }
    }

    /// Reads the Chakra traces `PREFIX.0.et`, `PREFIX.1.et`, and so on.
    ///
    /// @param groupFile names groups of ranks; null where all ranks are the one group
    static Job chakra(Path prefix, @Nullable Path groupFile) throws IOException {
        int ranks = ranks(prefix);
        ChakraGroups groups = new ChakraGroups(ranks);
        if (groupFile != null) {
            if (Files.size(groupFile) > GROUPS_MAX_BYTES) {
                throw new TraceException(
                        "%s: more than %,d bytes".formatted(groupFile, GROUPS_MAX_BYTES));
            }
            byte[] bytes = Files.readAllBytes(groupFile);
            groups.add(groupFile.toString(), new String(bytes, StandardCharsets.UTF_8));
        }
        ChakraTrace trace = new ChakraTrace(prefix.toString(), ranks, groups);
        for (int rank = 0; rank < ranks; rank++) {
            Path file = prefix.resolveSibling(prefix.getFileName() + "." + rank + ".et");
            try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
                trace.add(file.toString(), in);
            }
        }
        return trace.job();
    }

    /// Ranks up to the largest for which there is a file.
    private static int ranks(Path prefix) throws IOException {
        Path parent = prefix.toAbsolutePath().getParent();
        Path name = prefix.getFileName();
        if (parent == null || name == null) {
            throw new TraceException("--chakra %s: no prefix of files".formatted(prefix));
        }
        Pattern own = Pattern.compile(Pattern.quote(name.toString()) + "\\.([0-9]{1,9})\\.et");
        int ranks = 0;
        int files = 0;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(parent)) {
            for (Path file : all) {
                Matcher matcher = own.matcher(String.valueOf(file.getFileName()));
                if (matcher.matches()) {
                    files++;
                    ranks = Math.max(ranks, Integer.parseInt(matcher.group(1)) + 1);
                }
            }
        }
        if (ranks == 0) {
            throw new TraceException("--chakra %s: no file %s.0.et".formatted(prefix, name));
        }
        if (files < ranks || ranks > Budget.RANKS_MAX) {
            throw new TraceException(
                    "--chakra %s: %,d files up to rank %,d; use one for each rank, and %,d at most"
                            .formatted(prefix, files, ranks - 1, Budget.RANKS_MAX));
        }
        return ranks;
    }
}
