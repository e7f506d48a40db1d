package dev.verbena.cli.plan;

import dev.verbena.plan.CableLine;
import dev.verbena.plan.FabricPlan;
import dev.verbena.plan.Figure;
import dev.verbena.plan.Medium;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The cables of a report, by what they connect.
final class CableRows {
    private final List<FabricPlan> fabrics;

    CableRows(List<FabricPlan> fabrics) {
        this.fabrics = fabrics;
    }

    List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        Set<String> kinds = new LinkedHashSet<>();
        Set<String> media = new LinkedHashSet<>();
        for (FabricPlan fabric : fabrics) {
            for (CableLine line : fabric.bill().cables()) {
                kinds.add(line.between());
                line.medium().filter(Medium::isOptical).ifPresent(it -> media.add(it.name()));
            }
        }
        for (String kind : kinds) {
            rows.add(
                    new Row(
                            key(kind),
                            kind,
                            fabrics.stream().map(it -> line(find(it, kind))).toList()));
        }
        rows.add(
                new Row(
                        "cables",
                        "cables in all",
                        fabrics.stream().map(it -> Cell.of(it.cables())).toList()));
        for (String medium : media) {
            rows.add(
                    new Row(
                            "transceivers" + medium,
                            "transceivers " + medium,
                            fabrics.stream().map(it -> transceivers(it, medium)).toList()));
        }
        return rows;
    }

    private static Optional<CableLine> find(FabricPlan fabric, String kind) {
        return fabric.bill().cables().stream().filter(it -> it.between().equals(kind)).findFirst();
    }

    /// A key without blanks: `nodeToLeaf`.
    private static String key(String kind) {
        StringBuilder key = new StringBuilder();
        for (String word : kind.replace(",", "").split(" ", -1)) {
            key.append(
                    key.isEmpty()
                            ? word
                            : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return key.toString();
    }

    private static Cell line(Optional<CableLine> line) {
        if (line.isEmpty()) {
            return Cell.NONE;
        }
        CableLine cable = line.get();
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("count", cable.count());
        value.put("metres", cable.metres());
        value.put("medium", cable.mediumName());
        value.put("endsAtSwitches", cable.upperEnds());
        value.put("endsAtNodes", cable.hostEnds());
        value.put("linksPerCage", cable.shares());
        String metres = Figure.plain(cable.metres());
        return new Cell("%,d %s, %s m".formatted(cable.count(), cable.mediumName(), metres), value);
    }

    private static Cell transceivers(FabricPlan fabric, String medium) {
        int atSwitches = 0;
        int atNodes = 0;
        for (CableLine line : fabric.bill().cables()) {
            if (line.isOptical() && line.mediumName().equals(medium)) {
                atSwitches += line.upperEnds();
                atNodes += line.hostEnds();
            }
        }
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("atSwitches", atSwitches);
        value.put("atNodes", atNodes);
        String text =
                atNodes == 0
                        ? "%,d at switches".formatted(atSwitches)
                        : "%,d + %,d at nodes".formatted(atSwitches, atNodes);
        return new Cell(text, value);
    }
}
