package dev.verbena.cli;

import dev.verbena.job.NcclOperation;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The processes of ranks 1 and up, started by rank 0. They end with it.
final class CollWorkers implements AutoCloseable {
    private static final long END_LIMIT_S = 20;
    private static final int FIRST_ADDRESS = 2;

    private final List<Process> processes = new ArrayList<>();

    /// @param flags of the command, as words
    /// @param pattern a device with `%d` for the number of a rank
    CollWorkers(
            NcclOperation operation,
            List<String> flags,
            String pattern,
            int size,
            InetSocketAddress root)
            throws IOException {
        for (int rank = 1; rank < size; rank++) {
            List<String> command = new ArrayList<>(PerfProcess.java());
            command.addAll(List.of("coll", operation.toString()));
            command.addAll(flags);
            command.addAll(List.of("--device", pattern.replace("%d", "" + (FIRST_ADDRESS + rank))));
            ProcessBuilder builder = new ProcessBuilder(command);
            Map<String, String> environment = builder.environment();
            environment.put("RANK", "" + rank);
            environment.put("WORLD_SIZE", "" + size);
            environment.put("MASTER_ADDR", root.getAddress().getHostAddress());
            environment.put("MASTER_PORT", "" + root.getPort());
            builder.redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT);
            processes.add(builder.start());
        }
    }

    /// The address in a URI of a device.
    static String address(String uri) {
        String rest = uri.substring(uri.indexOf("://") + 3);
        int query = rest.indexOf('?');
        return query < 0 ? rest : rest.substring(0, query);
    }

    /// Waits for all; returns whether all have ended well.
    boolean await() {
        boolean isRight = true;
        for (Process process : processes) {
            isRight &= ended(process) && process.exitValue() == 0;
        }
        return isRight;
    }

    private static boolean ended(Process process) {
        try {
            return process.waitFor(END_LIMIT_S, TimeUnit.SECONDS);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        for (Process process : processes) {
            process.destroyForcibly();
        }
    }
}
