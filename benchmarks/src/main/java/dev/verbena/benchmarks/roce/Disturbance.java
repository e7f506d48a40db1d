package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What goes on beside a measurement, from the moment its server listens.
///
/// @param loops programs that only count, each of which wants a processor for itself
/// @param isStopped whether the server stands still for 5 ms, some 20 times a second
record Disturbance(String name, int loops, boolean isStopped) {
    static final Disturbance NONE = new Disturbance("alone", 0, false);

    private static final String LOOP = "while :; do :; done";

    static List<Disturbance> all() {
        return List.of(
                NONE,
                new Disturbance("1 busy loop beside it", 1, false),
                new Disturbance("2 busy loops", 2, false),
                new Disturbance("4 busy loops", 4, false),
                new Disturbance("stopped for 5 ms, 20 times a second", 0, true));
    }

    /// The programs that disturb; they end when this is closed.
    static final class Beside implements AutoCloseable {
        private final List<Command> commands = new ArrayList<>();

        @Override
        public void close() {
            commands.forEach(Command::close);
        }
    }

    Beside begin(Command server) {
        Beside beside = new Beside();
        for (int i = 0; i < loops; i++) {
            beside.commands.add(Command.start(Map.of(), List.of("sh", "-c", LOOP)));
        }
        if (isStopped) {
            String script =
                    "while kill -STOP %1$d; do sleep 0.005; kill -CONT %1$d; sleep 0.045; done"
                            .formatted(server.pid());
            beside.commands.add(Command.start(Map.of(), List.of("sh", "-c", script)));
        }
        return beside;
    }

    /// How long a program may take that needs so long when it is alone.
    Duration limit(Duration alone) {
        return alone.multipliedBy(1 + loops);
    }
}
