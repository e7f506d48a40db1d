package dev.verbena.benchmarks.congestion;

import dev.verbena.verbs.ConnectionFailedException;
import java.io.IOException;
import java.util.Locale;

/// The program of `bin/congestion`: one side of a run, or the page about all of them.
public final class Congestion {
    static final int PORT = 7472;

    /// Bytes of a message: what a flow has sent is known to so much.
    static final int MESSAGE = 64 << 10;

    private Congestion() {}

    /// `sink URI RECORD`, `sources PEER RECORD URI@FROM-TO…` or `page COMMIT MBITS DIRECTORY
    /// OPTIONS`.
    public static void main(String[] arguments) throws IOException, ConnectionFailedException {
        Locale.setDefault(Locale.ROOT);
        switch (arguments[0]) {
            case "sink" -> Sink.run(arguments);
            case "sources" -> Sources.run(arguments);
            case "page" -> System.exit(Page.print(arguments) ? 0 : 1);
            default -> throw new IllegalArgumentException("no part " + arguments[0]);
        }
    }
}
