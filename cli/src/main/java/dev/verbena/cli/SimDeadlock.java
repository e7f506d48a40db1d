package dev.verbena.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.verbena.fabric.Deadlock;
import java.io.IOException;
import java.util.Formatter;

/// A deadlock in the result of a simulation.
final class SimDeadlock {
    private static final double PS_PER_US = 1e6;
    private static final int LINES = 16;

    private SimDeadlock() {}

    static void text(Deadlock found, boolean isEthernet, Formatter out) {
        int count = found.cycle().size();
        out.format(
                " deadlock, seen after %.0f us: %,d ports wait for each other in a circle\n",
                found.timePs() / PS_PER_US, count);
        for (Deadlock.Wait each : found.cycle().subList(0, Math.min(count, LINES))) {
            out.format(
                    "   %s port %d to %s, %s %d: %,d bytes wait\n",
                    each.node(),
                    each.port(),
                    each.neighbour(),
                    isEthernet ? "paused in priority" : "without credit in lane",
                    each.lane(),
                    each.waitingBytes());
        }
        if (count > LINES) {
            out.format("   %,d more; --json has all\n", count - LINES);
        }
        if (found.ports() > count) {
            out.format(" %,d other ports wait for them\n", found.ports() - count);
        }
    }

    static void json(Deadlock found, JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("deadlock");
        json.writeNumberField("time_us", found.timePs() / PS_PER_US);
        json.writeNumberField("ports", found.ports());
        json.writeArrayFieldStart("cycle");
        for (Deadlock.Wait each : found.cycle()) {
            json.writeStartObject();
            json.writeStringField("node", each.node());
            json.writeNumberField("port", each.port());
            json.writeStringField("neighbour", each.neighbour());
            json.writeNumberField("lane", each.lane());
            json.writeNumberField("waiting_bytes", each.waitingBytes());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
