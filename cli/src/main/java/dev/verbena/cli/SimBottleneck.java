package dev.verbena.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.verbena.fabric.CableFault;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.PortCounts;
import java.io.IOException;
import java.util.Formatter;
import java.util.List;

/// The busiest link of a simulation, over time.
final class SimBottleneck {
    private static final double PS_PER_US = 1e6;
    private static final int MARKS = 64;
    private static final String LEVELS = "▁▂▃▄▅▆▇█";

    private final SimHistory history;
    private final PortCounts port;
    private final int number;
    private final Fabric fabric;

    /// @param number of the port in [Fabric#ports]
    SimBottleneck(SimHistory history, PortCounts port, int number, Fabric fabric) {
        this.history = history;
        this.port = port;
        this.number = number;
        this.fabric = fabric;
    }

    void text(Formatter out) {
        out.format(" the first of them over %.2f us:\n", fabric.nowPs() / PS_PER_US);
        out.format("   %s\n", marks());
    }

    /// A mark for each part of the time.
    private String marks() {
        StringBuilder marks = new StringBuilder();
        int step = 0;
        for (int i = 0; i < MARKS && history.steps() > 0; i++) {
            // The step that holds the middle of this part.
            long atPs = (long) ((i + 0.5) / MARKS * fabric.nowPs());
            while (step < history.steps() - 1 && history.endPs(step) <= atPs) {
                step++;
            }
            int level = (int) Math.round(history.busy(number, step) * (LEVELS.length() - 1));
            marks.append(LEVELS.charAt(level));
        }
        return marks.toString();
    }

    void json(JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("bottleneck");
        SimResult.name(port, json);
        json.writeArrayFieldStart("until_us");
        for (int i = 0; i < history.steps(); i++) {
            json.writeNumber(history.endPs(i) / PS_PER_US);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("utilisation");
        for (int i = 0; i < history.steps(); i++) {
            json.writeNumber(history.busy(number, i));
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /// @param title one line above the picture
    String picture(String title, List<String> names, List<CableFault> faults) {
        String link = "%s port %d to %s".formatted(port.node(), port.port(), port.neighbour());
        return new SimPicture(history).draw(title, names, link, number, faults);
    }
}
