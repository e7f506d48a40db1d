package dev.verbena.cli.plan;

import dev.verbena.cli.plan.Section.Note;
import dev.verbena.plan.CableLine;
import dev.verbena.plan.FabricPlan;
import dev.verbena.plan.Figure;
import dev.verbena.plan.Medium;
import dev.verbena.plan.SwitchModel;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Where each figure of a report is from.
final class SourceNotes {
    private final Set<Note> notes = new LinkedHashSet<>();

    SourceNotes(List<FabricPlan> fabrics) {
        for (FabricPlan fabric : fabrics) {
            int rate = fabric.inputs().rate();
            for (SwitchModel model : fabric.bill().switches().keySet()) {
                add(model.name() + " links", model.ports().get(rate));
                add(model.name() + " typical W", counted(model.typicalWatts()));
                add(model.name() + " highest W", counted(model.maxWatts()));
                add(model.name() + " latency ns", model.latencyNs());
                add(model.name() + " US$", dated(model.priceUsd()));
            }
        }
        for (FabricPlan fabric : fabrics) {
            for (CableLine line : fabric.bill().cables()) {
                if (line.medium().isPresent()) {
                    Medium medium = line.medium().get();
                    add(medium.name() + " reach m", medium.reachMetres());
                    add(medium.name() + " ns a metre", medium.nsPerMetre());
                }
            }
        }
    }

    private static @Nullable Figure counted(@Nullable Figure figure) {
        return figure != null && figure.isVendors() ? figure : null;
    }

    private static @Nullable Figure dated(@Nullable Figure figure) {
        return figure != null && figure.isDated() ? figure : null;
    }

    private void add(String what, @Nullable Figure figure) {
        if (figure != null) {
            String text = "%s: %s; %s".formatted(figure, figure.source(), figure.date());
            notes.add(new Note("", "source", what, text));
        }
    }

    List<Note> notes() {
        return List.copyOf(notes);
    }
}
