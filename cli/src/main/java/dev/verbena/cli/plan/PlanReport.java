package dev.verbena.cli.plan;

import dev.verbena.cli.plan.Section.Note;
import dev.verbena.plan.Bill;
import dev.verbena.plan.Demand;
import dev.verbena.plan.FabricPlan;
import dev.verbena.plan.Figure;
import dev.verbena.plan.Growth;
import dev.verbena.plan.Inputs;
import dev.verbena.plan.Latency;
import dev.verbena.plan.Plan;
import dev.verbena.plan.Sized;
import dev.verbena.plan.SwitchModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/// A plan as sections of rows.
final class PlanReport {
    private final Plan plan;
    private final List<FabricPlan> fabrics;

    PlanReport(Plan plan) {
        this.plan = plan;
        fabrics = plan.fabrics();
    }

    /// One line that says what was asked.
    String head() {
        Inputs inputs = plan.inputs();
        Inputs.Cluster cluster = inputs.cluster();
        int nodes = cluster.nodes();
        return "%,d GPUs: %,d %s of %d %s%s, %d Gb/s, %s, %s:1"
                .formatted(
                        cluster.gpus(),
                        nodes,
                        nodes == 1 ? "node" : "nodes",
                        cluster.nicsPerNode(),
                        cluster.nicsPerNode() == 1 ? "NIC" : "NICs",
                        cluster.portsPerNic() == 1
                                ? ""
                                : " of %d ports".formatted(cluster.portsPerNic()),
                        inputs.rate(),
                        inputs.layoutText(),
                        Figure.plain(inputs.rule().oversubscription()));
    }

    List<String> networks() {
        return fabrics.stream().map(it -> it.network().word()).toList();
    }

    List<String> titles() {
        return fabrics.stream().map(it -> it.network().title()).toList();
    }

    List<Section> sections() {
        List<Section> sections = new ArrayList<>();
        sections.add(Section.table("switches", "Switches", switches()));
        sections.add(Section.table("cables", "Cables", new CableRows(fabrics).rows()));
        sections.add(Section.table("cost", "Watts and price", cost()));
        sections.add(Section.table("latency", "Latency of one packet", latency()));
        sections.add(Section.table("growth", "Growth", growth()));
        sections.add(Section.notes("demands", "What each demands", demands()));
        sections.add(Section.notes("advice", "Which one", new AdviceNotes(plan).notes()));
        sections.add(Section.notes("notes", "To know", remarks()));
        sections.add(Section.notes("notCounted", "Not counted", notCounted()));
        sections.add(Section.notes("sources", "Sources", new SourceNotes(fabrics).notes()));
        return sections.stream()
                .filter(it -> !it.rows().isEmpty() || !it.notes().isEmpty())
                .toList();
    }

    private Row row(String key, String label, Function<FabricPlan, Cell> cell) {
        return new Row(key, label, fabrics.stream().map(cell).toList());
    }

    private Row count(String key, String label, ToIntFunction<FabricPlan> of) {
        return row(key, label, it -> Cell.of(of.applyAsInt(it)));
    }

    private boolean any(Predicate<FabricPlan> holds) {
        return fabrics.stream().anyMatch(holds);
    }

    private List<Row> switches() {
        List<Row> rows = new ArrayList<>();
        rows.add(row("models", "switch", it -> Cell.of(models(it))));
        rows.add(row("radix", "links of a switch", PlanReport::radices));
        rows.add(count("tiers", "tiers", FabricPlan::tiers));
        if (any(it -> it.planes().size() > 1)) {
            rows.add(count("planes", "planes, each alone", it -> it.planes().size()));
        }
        rows.add(count("leaves", "leaves", FabricPlan::leaves));
        rows.add(count("spines", "spines", FabricPlan::spines));
        if (any(it -> it.cores() > 0)) {
            rows.add(count("cores", "cores", FabricPlan::cores));
            rows.add(count("pods", "pods", it -> it.planes().stream().mapToInt(Sized::pods).sum()));
        }
        rows.add(count("switches", "switches in all", FabricPlan::switches));
        rows.add(row("leafRatio", "hosts to uplinks of a leaf", PlanReport::leafRatio));
        if (any(it -> it.cores() > 0)) {
            rows.add(row("spineRatio", "down to up of a spine", PlanReport::spineRatio));
        }
        rows.add(row("bisectionTbits", "bisection, Tb/s", PlanReport::bisection));
        return rows;
    }

    static String models(FabricPlan plan) {
        Set<String> names = new LinkedHashSet<>();
        plan.bill().switches().keySet().forEach(it -> names.add(it.name()));
        return String.join(", ", names);
    }

    private static Cell radices(FabricPlan plan) {
        Set<String> texts = new LinkedHashSet<>();
        List<Object> values = new ArrayList<>();
        for (SwitchModel model : plan.bill().switches().keySet()) {
            Figure links = model.ports().get(plan.inputs().rate());
            if (links != null) {
                texts.add(links.toString());
                values.add(Values.of(links));
            }
        }
        return new Cell(String.join(", ", texts), values);
    }

    private static Cell leafRatio(FabricPlan plan) {
        Sized plane = plan.plane();
        int hosts = plane.seating().most();
        return ratio(hosts, plane.uplinks());
    }

    private static Cell spineRatio(FabricPlan plan) {
        Sized plane = plan.plane();
        int up = plane.spineUplinks();
        return up == 0 ? Cell.NONE : ratio((int) Math.round(plane.spineRatio() * up), up);
    }

    private static Cell ratio(int down, int up) {
        if (up == 0) {
            return new Cell("%d to none".formatted(down), Map.of("down", down, "up", up));
        }
        double ratio = Values.rounded((double) down / up);
        return new Cell(
                "%d to %d (%s:1)".formatted(down, up, Figure.plain(ratio)),
                Map.of("down", down, "up", up, "ratio", ratio));
    }

    private static Cell bisection(FabricPlan plan) {
        double tbits = Values.rounded(plan.bisectionTbits());
        long percent = Math.round(100 * plan.bisectionShare());
        return new Cell(
                "%s, %d%% of full".formatted(Figure.plain(tbits), percent),
                Map.of("tbits", tbits, "percentOfFull", percent));
    }

    private List<Row> cost() {
        return List.of(
                row(
                        "typicalWatts",
                        "switches, typical W",
                        it -> amount(it.bill().typicalWatts(), "no vendor figure")),
                row(
                        "maxWatts",
                        "switches, highest W",
                        it -> amount(it.bill().maxWatts(), "no vendor figure")),
                row(
                        "priceUsd",
                        "switches, US$",
                        it -> amount(it.bill().price(), "no dated price")));
    }

    private static Cell amount(Bill.@Nullable Amount amount, String none) {
        if (amount == null) {
            return Cell.of(none);
        }
        String text =
                amount.low() == amount.high()
                        ? Figure.plain(amount.low())
                        : Figure.plain(amount.low()) + "-" + Figure.plain(amount.high());
        Set<String> signs = new LinkedHashSet<>();
        amount.sources().forEach(it -> signs.add("[" + it.mark().sign() + "]"));
        return new Cell(
                text + " " + String.join("", signs),
                Map.of("low", amount.low(), "high", amount.high()));
    }

    private List<Row> latency() {
        return List.of(
                row(
                        "nearest",
                        "nearest NICs, ns",
                        it -> path(it.latency(), it.latency().nearest())),
                row("nearestPath", "  through", it -> way(it.latency().nearest())),
                row(
                        "farthest",
                        "farthest NICs, ns",
                        it -> path(it.latency(), it.latency().farthest())),
                row("farthestPath", "  through", it -> way(it.latency().farthest())));
    }

    private static Cell path(Latency latency, Latency.Path path) {
        long low = Math.round(path.lowNs());
        long high = Math.round(path.highNs());
        String range = low == high ? "%,d".formatted(low) : "%,d to %,d".formatted(low, high);
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("lowNs", low);
        value.put("highNs", high);
        value.put("missing", latency.missing());
        return new Cell(latency.isWhole() ? range : range + " + switches", value);
    }

    private static Cell way(Latency.Path path) {
        String metres = Figure.plain(path.metres());
        return new Cell(
                "%d %s, %s m"
                        .formatted(
                                path.switches(),
                                path.switches() == 1 ? "switch" : "switches",
                                metres),
                Map.of("switches", path.switches(), "metres", path.metres()));
    }

    private List<Row> growth() {
        List<Row> rows = new ArrayList<>();
        rows.add(row("lastGpus", "as many tiers up to", it -> gpus(it.growth().lastGpus())));
        rows.add(row("nextTiers", "then", it -> next(it.growth())));
        rows.add(row("limit", "since", it -> Cell.of(it.growth().limit())));
        if (any(it -> it.growth().addresses() > 0)) {
            rows.add(row("lids", "LIDs of a subnet", it -> lids(it.growth())));
        }
        return rows;
    }

    private static Cell gpus(int gpus) {
        return new Cell("%,d GPUs".formatted(gpus), gpus);
    }

    private static Cell next(Growth growth) {
        return growth.nextTiers() == 0
                ? new Cell("no larger one by this rule", 0)
                : new Cell("%d tiers".formatted(growth.nextTiers()), growth.nextTiers());
    }

    private static Cell lids(Growth growth) {
        return growth.addresses() == 0
                ? Cell.NONE
                : new Cell(
                        "%,d of %,d".formatted(growth.addresses(), Growth.LIDS_MAX),
                        Map.of("used", growth.addresses(), "most", Growth.LIDS_MAX));
    }

    private List<Note> demands() {
        List<Note> notes = new ArrayList<>();
        for (FabricPlan fabric : fabrics) {
            for (Demand demand : Demand.of(fabric)) {
                notes.add(
                        new Note(
                                fabric.network().word(),
                                demand.key(),
                                demand.title(),
                                demand.text()));
            }
        }
        return notes;
    }

    private List<Note> remarks() {
        List<Note> notes = new ArrayList<>();
        if (plan.inputs().lengths().isAssumed()) {
            notes.add(
                    new Note(
                            "",
                            "lengths",
                            "",
                            "Lengths of cables that were not given are assumed: host-metres,"
                                + " spine-metres, core-metres. Media and latency depend on them."));
        }
        for (FabricPlan fabric : fabrics) {
            Sized plane = fabric.plane();
            if (!plane.isEven()) {
                notes.add(
                        new Note(
                                fabric.network().word(),
                                "uneven",
                                "",
                                ("%s: not every leaf has equally many cables to each spine, or"
                                     + " spine to core; %d uplinks do not divide evenly.")
                                        .formatted(
                                                fabric.network().title(),
                                                plane.uplinks() % Math.max(1, plane.spines()) != 0
                                                        ? plane.uplinks()
                                                        : plane.spineUplinks())));
            }
        }
        if (any(it -> it.bill().typicalWatts() != null)) {
            notes.add(
                    new Note(
                            "",
                            "watts",
                            "",
                            "Makers state typical watts with passive cables or without optics:"
                                    + " transceivers come on top."));
        }
        notes.add(
                new Note(
                        "",
                        "latency",
                        "",
                        ("Latency is switches, cables and %,d bytes once, from NIC to NIC: no"
                             + " queue, no NIC, no host. Bisection is counted, not measured.")
                                .formatted(Latency.PACKET_BYTES)));
        return notes;
    }

    private List<Note> notCounted() {
        List<Note> notes = new ArrayList<>();
        for (FabricPlan fabric : fabrics) {
            for (String what : fabric.bill().notCounted()) {
                notes.add(
                        new Note(
                                fabric.network().word(),
                                "missing",
                                "",
                                fabric.network().title() + ", " + what));
            }
        }
        return notes;
    }
}
