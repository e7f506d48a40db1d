package dev.verbena.manager;

import dev.verbena.manager.FailoverRun.Case;
import dev.verbena.manager.FailoverRun.Failure;
import dev.verbena.manager.FailoverRun.Moment;
import dev.verbena.manager.FailoverRun.Result;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.logging.Level;
import java.util.logging.Logger;

/// The campaign: managers fail at moments that follow from a seed, again and again.
///
/// `Failover RUNS [SEED]`. It ends with 1 if a group, service or subscription was lost, if a node
/// obeyed an old leader after it had the key of a new one, if a route was written before all nodes
/// had the key, if a queue pair of a host failed, or if a run did not end.
public final class Failover {
    /// A change of one link takes about so many writes in a subnet of this size.
    private static final int CHANGE_WRITES = 30;

    private static final double GOAL_MS = 2_000;

    /// Held, since loggers that are not lose their level.
    private static final Logger RATIS = Logger.getLogger("org.apache.ratis");

    private Failover() {}

    /// Runs the campaign and ends with its verdict.
    public static void main(String[] arguments) throws Exception {
        int runs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 6;
        long seed = arguments.length > 1 ? Long.decode(arguments[1]) : System.currentTimeMillis();
        PrintStream out = System.out;
        RATIS.setLevel(Level.SEVERE);
        out.printf(
                "%d runs, seed %d: to repeat, interop/ibsim/failover %d %d%n",
                runs, seed, runs, seed);
        SplittableRandom random = new SplittableRandom(seed);
        Path place = Files.createTempDirectory("failover");
        int bad;
        try (Group group = new Group(place, 3)) {
            bad = campaign(out, group, runs, random);
        } finally {
            Group.delete(place);
        }
        System.exit(bad == 0 ? 0 : 1);
    }

    /// @return runs in which something was wrong
    private static int campaign(PrintStream out, Group group, int runs, SplittableRandom random)
            throws Exception {
        long writes = measure(group);
        out.printf("a bring-up takes %d writes%n", writes);
        List<Double> times = new ArrayList<>();
        int bad = 0;
        for (int i = 0; i < runs; i++) {
            Case next = next(random, writes, i);
            try {
                Result result = one(group, next);
                times.add(result.millis());
                boolean isGood = result.lost() == 0 && result.violations().isEmpty();
                bad += isGood ? 0 : 1;
                out.printf(
                        Locale.ROOT,
                        "%3d %-8s %-7s after %4d writes: %7.1f ms (first node after %.1f), %d lost,"
                                + " %d late writes refused, longest write of a host %.1f ms%n",
                        i,
                        next.moment(),
                        next.failure(),
                        next.writes(),
                        result.millis(),
                        result.takenMillis(),
                        result.lost(),
                        result.refusedWrites(),
                        result.longestWriteMs());
                result.violations().forEach(it -> out.println("    " + it));
            } catch (IllegalStateException failed) {
                bad++;
                out.printf("%3d %s: %s%n", i, next, failed.getMessage());
            }
        }
        summary(out, times, runs, bad);
        return bad;
    }

    /// All moments and failures in turn; the rest by chance.
    private static Case next(SplittableRandom random, long writes, int number) {
        Moment[] moments = Moment.values();
        Failure[] failures = Failure.values();
        Moment moment = moments[number % moments.length];
        // Shifted from row to row: also the first three runs have all failures and all moments.
        Failure failure = failures[(number + number / moments.length) % failures.length];
        int most = moment == Moment.BRING_UP ? (int) writes : CHANGE_WRITES;
        int after = moment == Moment.REST ? 0 : 1 + random.nextInt(most);
        return new Case(moment, failure, after, random.nextLong());
    }

    private static long measure(Group group) throws Exception {
        Path place = Files.createTempDirectory("failover");
        try (FailoverRun run = new FailoverRun(group, place, freeBlock(), 0)) {
            return run.bringUp();
        } finally {
            Group.delete(place);
        }
    }

    private static Result one(Group group, Case what) throws Exception {
        Path place = Files.createTempDirectory("failover");
        try (FailoverRun run = new FailoverRun(group, place, freeBlock(), what.seed())) {
            return run.run(what);
        } finally {
            Group.delete(place);
        }
    }

    private static void summary(PrintStream out, List<Double> times, int runs, int bad) {
        List<Double> sorted = times.stream().sorted().toList();
        long within = sorted.stream().filter(it -> it <= GOAL_MS).count();
        if (!sorted.isEmpty()) {
            out.printf(
                    Locale.ROOT,
                    "%d of %d runs: median %.0f ms, p99 %.0f ms, %d within %.0f ms; %d bad%n",
                    sorted.size(),
                    runs,
                    quantile(sorted, 0.5),
                    quantile(sorted, 0.99),
                    within,
                    GOAL_MS,
                    bad);
        }
    }

    private static double quantile(List<Double> sorted, double share) {
        return sorted.get((int) Math.min(sorted.size() - 1L, Math.round(share * sorted.size())));
    }

    static List<Integer> freePorts(int count) throws IOException {
        List<Integer> ports = new ArrayList<>();
        List<ServerSocket> held = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            held.add(socket);
            ports.add(socket.getLocalPort());
        }
        for (ServerSocket socket : held) {
            socket.close();
        }
        return ports;
    }

    /// A UDP port with room for clients behind it, below those that systems choose themselves.
    static int freeBlock() {
        return 20_000 + 100 * (int) ((ProcessHandle.current().pid() + blocks++) % 100);
    }

    private static int blocks;
}
