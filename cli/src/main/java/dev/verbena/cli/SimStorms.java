package dev.verbena.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.verbena.fabric.WatchdogEvent;
import java.io.IOException;
import java.util.Formatter;
import java.util.List;

/// What a watchdog has found, in the result of a simulation.
final class SimStorms {
    private static final double PS_PER_MS = 1e9;
    private static final int LINES = 16;

    private SimStorms() {}

    static void text(List<WatchdogEvent> all, Formatter out) {
        for (WatchdogEvent each : all.subList(0, Math.min(all.size(), LINES))) {
            out.format(
                    " watchdog: %s after %.2f ms, %s port %d priority %d, by %s; discarded %,d\n",
                    each.isStorm() ? "storm" : "restored",
                    each.timePs() / PS_PER_MS,
                    each.node(),
                    each.port(),
                    each.priority(),
                    each.neighbour(),
                    each.discarded());
        }
        if (all.size() > LINES) {
            out.format("   %,d more; --json has all\n", all.size() - LINES);
        }
    }

    static void json(List<WatchdogEvent> all, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("watchdog");
        for (WatchdogEvent each : all) {
            json.writeStartObject();
            json.writeNumberField("time_ms", each.timePs() / PS_PER_MS);
            json.writeStringField("node", each.node());
            json.writeNumberField("port", each.port());
            json.writeStringField("neighbour", each.neighbour());
            json.writeNumberField("priority", each.priority());
            json.writeBooleanField("storm", each.isStorm());
            json.writeNumberField("discarded", each.discarded());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
