package dev.verbena.conformance.hostile;

import dev.verbena.testkit.OpenFiles;
import dev.verbena.testkit.Seed;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.Device;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// Processes of [HostilePeerProgram], one after another, against a device of ours that stays.
///
/// Every request of ours ends once and in time, every connection ends, no byte arrives that the
/// peer has not registered, and files come back, whatever becomes of the process.
public final class HostilePeers {
    private static final long PATIENCE_NS = 60_000_000_000L;
    private static final int LONGEST_MS = 200;
    private static final int SLACK_FILES = 4;

    private final Device device;
    private final Function<PeerFate, List<String>> command;
    private final Map<PeerFate, Integer> seen = new EnumMap<>(PeerFate.class);

    /// @param command starts a JVM with this library on its class path, up to the class to run
    public HostilePeers(Device device, Function<PeerFate, List<String>> command) {
        this.device = device;
        this.command = command;
    }

    /// So many processes times `-Dcampaign`, at least one of each fate.
    ///
    /// @param uri of the processes' device
    public void run(String uri, long processes) throws IOException, InterruptedException {
        Seed seed = Seed.forTest("HostilePeers", System.nanoTime());
        SplittableRandom random = seed.random();
        List<PeerFate> fates = List.of(PeerFate.values());
        long count = Math.max(fates.size(), Seed.campaign(processes));
        try (PeerServer server = new PeerServer(device)) {
            int files = 0;
            for (int i = 0; i < count; i++) {
                PeerFate fate = fates.get(i % fates.size());
                runOne(server, uri, fate, random.split());
                seen.merge(fate, 1, Integer::sum);
                files = i == 0 ? OpenFiles.count() : files;
            }
            if (OpenFiles.count() > files + SLACK_FILES) {
                throw new AssertionError(
                        "%d files are open, %d before".formatted(OpenFiles.count(), files));
            }
            String title =
                    "processes: %,d, of which %s; %,d connections, %,d requests ended: %s"
                            .formatted(
                                    count,
                                    seen,
                                    server.connections(),
                                    server.ended(),
                                    server.statuses());
            System.out.println(title);
            HostileReport.write("processes", title, "");
        }
    }

    private void runOne(PeerServer server, String uri, PeerFate fate, SplittableRandom random)
            throws IOException, InterruptedException {
        long seed = random.nextLong();
        String what = "process with seed " + seed + ", " + fate;
        List<String> line = new ArrayList<>(command.apply(fate));
        line.addAll(
                List.of(
                        HostilePeerProgram.class.getName(),
                        uri,
                        device.gids(1).getFirst().toString(),
                        String.valueOf(PeerServer.PORT),
                        String.valueOf(seed),
                        fate.name()));
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            long endNs = System.nanoTime() + PATIENCE_NS;
            List<String> said = new ArrayList<>();
            while (!said.contains("ready") && process.isAlive() && System.nanoTime() < endNs) {
                server.turn(random, true);
                while (out.ready()) {
                    said.add(out.readLine());
                }
            }
            if (!said.contains("ready") && fate != PeerFate.OUT_OF_FILES) {
                throw new AssertionError(what + " did not connect: " + said);
            }
            long killNs = System.nanoTime() + random.nextLong(LONGEST_MS * 1_000_000L);
            while (process.isAlive() && System.nanoTime() < endNs) {
                server.turn(random, true);
                if (fate == PeerFate.KILLED && System.nanoTime() > killNs) {
                    process.destroyForcibly();
                }
            }
        } finally {
            process.destroyForcibly();
        }
        if (!process.waitFor(PATIENCE_NS, TimeUnit.NANOSECONDS)) {
            throw new AssertionError(what + " does not end");
        }
        settle(server, random, what);
    }

    /// Its requests end, and so do its connections.
    private static void settle(PeerServer server, SplittableRandom random, String what) {
        long endNs = System.nanoTime() + PATIENCE_NS;
        while (!server.isAtRest()) {
            server.turn(random, false);
            if (System.nanoTime() > endNs) {
                throw new AssertionError(what + " has ended, and not so: " + server);
            }
        }
        server.requireNoForeignByte(what);
        server.forget();
    }

    static boolean isOver(Connection connection) {
        return connection.state() == Connection.State.DISCONNECTED
                || connection.state() == Connection.State.FAILED;
    }
}
