package dev.verbena.benchmarks.soak;

import dev.verbena.collectives.RankFailedException;
import dev.verbena.verbs.ConnectionFailedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/// The program of `bin/soak` and `bin/soak-ranks`: one side of an endurance run, or the page about
/// it.
public final class Soak {
    private Soak() {}

    /// `server URI RECORD`, `client URI PEER MINUTES SEED RECORD` or `page COMMIT CLIENT SERVER
    /// LOST PASSED`; for collective operations `rank URI RANK SIZE ROOT MINUTES SEED RECORD` and
    /// `ranks-page COMMIT SEED RECORD…`.
    public static void main(String[] arguments)
            throws IOException, ConnectionFailedException, RankFailedException {
        Locale.setDefault(Locale.ROOT);
        boolean isRight =
                switch (arguments[0]) {
                    case "server" -> Server.run(arguments[1], Path.of(arguments[2]));
                    case "client" -> client(arguments);
                    case "page" -> SoakPage.print(arguments);
                    case "rank" -> RankLoop.run(arguments);
                    case "ranks-page" -> RankLoopPage.print(arguments);
                    default -> throw new IllegalArgumentException("no part " + arguments[0]);
                };
        System.exit(isRight ? 0 : 1);
    }

    private static boolean client(String[] arguments) throws IOException {
        Duration time = Duration.ofMillis((long) (Double.parseDouble(arguments[3]) * 60_000));
        long seed = Long.parseLong(arguments[4]);
        System.out.println("seed " + seed);
        return Client.run(arguments[1], arguments[2], time, seed, Path.of(arguments[5]));
    }
}
