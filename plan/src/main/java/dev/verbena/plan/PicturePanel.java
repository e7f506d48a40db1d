package dev.verbena.plan;

import java.util.ArrayList;
import java.util.Formatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// One network of a picture.
final class PicturePanel {
    private static final int LEFT = 190;
    private static final int RIGHT = PlanPicture.WIDTH - 40;
    private static final int TOP = 120;
    private static final int BOTTOM = 486;
    private static final int BOX_HEIGHT = 30;
    private static final int NODE_HEIGHT = 34;
    private static final int TOP_SHOWN = 14;
    private static final int LEAVES_SHOWN = 20;
    private static final String SPINE = "#24425f";
    private static final String CORE = "#5b3a6b";

    /// Told apart also by those who see no red or green.
    private static final List<String> RAILS =
            List.of(
                    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6bb1",
                    "#6b7785");

    /// A place in a row.
    private record Spot(double x, double width) {
        double middle() {
            return x + width / 2;
        }
    }

    private final FabricPlan plan;
    private final Sized size;
    private final Formatter out;

    /// By switch of the plane, where it is drawn.
    private final Map<Integer, Spot> leaves = new LinkedHashMap<>();

    private final Map<Integer, Spot> spines = new LinkedHashMap<>();
    private final Map<Integer, Spot> cores = new LinkedHashMap<>();

    PicturePanel(FabricPlan plan, Formatter out) {
        this.plan = plan;
        this.out = out;
        size = plan.plane();
    }

    void draw() {
        title();
        int rows = 1 + (size.tiers() > 1 ? 1 : 0) + (size.tiers() > 2 ? 1 : 0);
        int step = (BOTTOM - TOP) / rows;
        int leafY = TOP + (rows - 1) * step;
        int spineY = leafY - step;
        int coreY = spineY - step;
        StringBuilder shapes = new StringBuilder();
        Formatter front = new Formatter(shapes, Locale.ROOT);
        if (size.tiers() > 2) {
            pods(front, spineY, leafY);
            row(front, cores, size.cores(), coreY, CORE, "core");
        } else {
            blocks(front, leafY);
            if (size.tiers() > 1) {
                row(front, spines, size.spines(), spineY, SPINE, "spine");
            }
        }
        leafLinks(spineY, leafY);
        coreLinks(coreY, spineY);
        out.format("%s", shapes);
        labels(coreY, spineY, leafY);
    }

    private void title() {
        Inputs inputs = plan.inputs();
        text(
                40,
                44,
                24,
                "bold",
                SPINE,
                "%s for %,d GPUs".formatted(plan.network().title(), inputs.cluster().gpus()));
        String planes =
                plan.planes().size() == 1
                        ? ""
                        : ", 1 of %d equal planes is shown".formatted(plan.planes().size());
        text(
                40,
                70,
                15,
                "normal",
                "#52606d",
                "%d Gb/s a link, %s%s".formatted(inputs.rate(), inputs.layoutText(), planes));
        text(
                RIGHT,
                44,
                17,
                "bold\" text-anchor=\"end",
                SPINE,
                "%,d switches, %,d cables".formatted(plan.switches(), plan.cables()));
        text(
                RIGHT,
                70,
                15,
                "normal\" text-anchor=\"end",
                "#52606d",
                "bisection %s Tb/s, %.0f%%"
                        .formatted(
                                Figure.plain(plan.bisectionTbits()), 100 * plan.bisectionShare()));
    }

    private void labels(int coreY, int spineY, int leafY) {
        boolean isPair = size.isPair();
        if (size.cores() > 0) {
            label(coreY, size.cores(), "core", plan.models().get(2));
            between(
                    coreY,
                    spineY,
                    size.coreCables(),
                    cablesBetween(size.spineUplinks(), size.coresPerGroup()));
        }
        if (size.spines() > 0) {
            label(spineY, size.spinesInAll(), "spine", plan.models().get(1));
            between(spineY, leafY, size.leafCables(), cablesBetween(size.uplinks(), size.spines()));
        }
        label(leafY, size.leaves(), isPair ? "switch" : "leaf", plan.models().getFirst());
        between(leafY, BOTTOM, size.hosts() + size.managementLinks(), "to NICs");
        int nodes = plan.inputs().cluster().nodes();
        text(
                40,
                BOTTOM + 21,
                17,
                "bold",
                SPINE,
                "%,d %s".formatted(nodes, nodes == 1 ? "node" : "nodes"));
        int nics = plan.inputs().cluster().nicsPerNode();
        text(
                40,
                BOTTOM + 40,
                13,
                "normal",
                "#52606d",
                "%d %s each".formatted(nics, nics == 1 ? "NIC" : "NICs"));
    }

    private static String cablesBetween(int uplinks, int above) {
        int least = uplinks / above;
        return uplinks % above == 0
                ? "%d from each to each".formatted(least)
                : "%d or %d from each to each".formatted(least, least + 1);
    }

    private void label(int y, int count, String what, SwitchModel model) {
        String plural =
                what.equals("leaf") ? "leaves" : what.endsWith("h") ? what + "es" : what + "s";
        text(40, y + 14, 17, "bold", SPINE, "%,d %s".formatted(count, count == 1 ? what : plural));
        text(40, y + 33, 13, "normal", "#52606d", escaped(model.name()));
    }

    private void between(int upper, int lower, int cables, String how) {
        double y = (upper + BOX_HEIGHT + lower) / 2.0;
        text(40, y - 2, 13, "normal", "#7a8794", "%,d cables,".formatted(cables));
        text(40, y + 15, 13, "normal", "#7a8794", how);
    }

    private void row(
            Formatter front,
            Map<Integer, Spot> places,
            int count,
            int y,
            String colour,
            String name) {
        List<Integer> shown = Fold.of(count, TOP_SHOWN);
        double step = (double) (RIGHT - LEFT) / shown.size();
        double width = Math.min(76, step * 0.78);
        for (int i = 0; i < shown.size(); i++) {
            double middle = LEFT + (i + 0.5) * step;
            if (shown.get(i) == Fold.GAP) {
                dots(front, middle, y + BOX_HEIGHT / 2.0, count - shown.size() + 1, "");
            } else {
                Spot spot = new Spot(middle - width / 2, width);
                places.put(shown.get(i), spot);
                box(front, spot, y, colour, name + " " + (shown.get(i) + 1));
            }
        }
    }

    /// Groups of nodes with the leaves that they share.
    private void blocks(Formatter front, int leafY) {
        Seating seating = size.seating();
        int each = seating.group();
        int most = each == 1 ? 8 : Math.clamp(LEAVES_SHOWN / Math.min(each, 8) + 1, 3, 6);
        List<Integer> shown = Fold.of(seating.groups(), most);
        double gap = 14;
        double folds = shown.contains(Fold.GAP) ? 0.4 : 0;
        double full =
                (RIGHT - LEFT - gap * (shown.size() - 1)) / (shown.size() - (folds > 0 ? 0.6 : 0));
        double x = LEFT;
        for (int group : shown) {
            double width = group == Fold.GAP ? full * folds : full;
            if (group == Fold.GAP) {
                int last = seating.groups() - 1;
                int first = shown.size() - 2;
                int nodes = seating.firstNode(last) - seating.firstNode(first);
                dots(
                        front,
                        x + width / 2,
                        leafY + BOX_HEIGHT / 2.0,
                        (last - first) * each,
                        " leaves");
                dots(front, x + width / 2, BOTTOM + NODE_HEIGHT / 2.0, nodes, " nodes");
            } else {
                block(front, group, new Spot(x, width), leafY);
            }
            x += width + gap;
        }
    }

    private void block(Formatter front, int group, Spot area, int leafY) {
        out.format(
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"10\" fill=\"#f4f7fa\""
                        + " stroke=\"#dbe3ea\"/>\n",
                area.x(), leafY - 12, area.width(), BOTTOM + NODE_HEIGHT + 24 - leafY);
        Seating seating = size.seating();
        List<Integer> shown = Fold.of(seating.group(), 8);
        double step = area.width() / shown.size();
        double width = Math.min(70, step * 0.8);
        for (int i = 0; i < shown.size(); i++) {
            double middle = area.x() + (i + 0.5) * step;
            if (shown.get(i) == Fold.GAP) {
                dots(
                        front,
                        middle,
                        leafY + BOX_HEIGHT / 2.0,
                        seating.group() - shown.size() + 1,
                        "");
            } else {
                int leaf = group * seating.group() + shown.get(i);
                Spot spot = new Spot(middle - width / 2, width);
                leaves.put(leaf, spot);
                box(front, spot, leafY, colour(leaf), leafName(leaf, width));
            }
        }
        nodes(front, group, area, leafY);
    }

    private String leafName(int leaf, double width) {
        return width < 46
                ? String.valueOf(leaf + 1)
                : (size.isPair() ? "switch " : "leaf ") + (leaf + 1);
    }

    private void nodes(Formatter front, int group, Spot area, int leafY) {
        Seating seating = size.seating();
        int first = seating.firstNode(group);
        int count = seating.firstNode(group + 1) - first;
        int most = Math.max(3, (int) (area.width() / 60));
        List<Integer> shown = Fold.of(count, most);
        double step = area.width() / Math.max(1, shown.size());
        double width = Math.min(84, step * 0.82);
        for (int i = 0; i < shown.size(); i++) {
            double middle = area.x() + (i + 0.5) * step;
            if (shown.get(i) == Fold.GAP) {
                dots(front, middle, BOTTOM + NODE_HEIGHT / 2.0, count - shown.size() + 1, "");
            } else {
                Spot spot = new Spot(middle - width / 2, width);
                node(front, spot, first + shown.get(i) + 1, width);
                nicLinks(group, spot, leafY);
            }
        }
    }

    private void node(Formatter front, Spot spot, int number, double width) {
        front.format(
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"5\" fill=\"#ffffff\""
                        + " stroke=\"#9aa7b3\"/>\n",
                spot.x(), BOTTOM, spot.width(), NODE_HEIGHT);
        front.format(
                "<text x=\"%.1f\" y=\"%d\" font-size=\"12\" text-anchor=\"middle\""
                        + " fill=\"#3d4b58\">%s%d</text>\n",
                spot.middle(), BOTTOM + 24, width < 62 ? "" : "node ", number);
        int rails = plan.inputs().cluster().nicsPerNode();
        int drawn = size.seating().firstRail(size.seating().group());
        for (int rail = 0; rail < drawn && rails <= 16; rail++) {
            double x = nicX(spot, rail, drawn);
            front.format(
                    "<rect x=\"%.1f\" y=\"%d\" width=\"4\" height=\"7\" fill=\"%s\"/>\n",
                    x - 2, BOTTOM - 2, colourOfRail(rail));
        }
    }

    private static double nicX(Spot node, int rail, int rails) {
        return node.x() + node.width() * (rail + 1) / (rails + 1);
    }

    private void nicLinks(int group, Spot node, int leafY) {
        Seating seating = size.seating();
        int rails = seating.firstRail(seating.group());
        for (int at = 0; at < seating.group(); at++) {
            Spot leaf = leaves.get(group * seating.group() + at);
            for (int rail = seating.firstRail(at);
                    leaf != null && rail < seating.firstRail(at + 1);
                    rail++) {
                out.format(
                        "<path d=\"M%.1f %dL%.1f %d\" stroke=\"%s\" stroke-opacity=\"0.55\"/>\n",
                        nicX(node, rail, rails),
                        BOTTOM,
                        leaf.middle(),
                        leafY + BOX_HEIGHT,
                        colourOfRail(rail));
            }
        }
    }

    /// Pods with their spines and leaves.
    private void pods(Formatter front, int spineY, int leafY) {
        List<Integer> shown = Fold.of(size.pods(), 4);
        double gap = 16;
        boolean folded = shown.contains(Fold.GAP);
        double full =
                (RIGHT - LEFT - gap * (shown.size() - 1)) / (shown.size() - (folded ? 0.7 : 0));
        double x = LEFT;
        for (int pod : shown) {
            double width = pod == Fold.GAP ? full * 0.3 : full;
            if (pod == Fold.GAP) {
                dots(
                        front,
                        x + width / 2,
                        (spineY + leafY) / 2.0,
                        size.pods() - shown.size() + 1,
                        " pods");
            } else {
                pod(front, pod, new Spot(x, width), spineY, leafY);
            }
            x += width + gap;
        }
    }

    private void pod(Formatter front, int pod, Spot area, int spineY, int leafY) {
        out.format(
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"10\" fill=\"#f4f7fa\""
                        + " stroke=\"#dbe3ea\"/>\n",
                area.x(), spineY - 12, area.width(), BOTTOM + NODE_HEIGHT + 24 - spineY);
        int most = (int) (area.width() / 50);
        int first = pod * size.leavesPerPod();
        int count = Math.min(size.leavesPerPod(), size.leaves() - first);
        podRow(
                front,
                spines,
                pod * size.spines(),
                size.spines(),
                new Band(area, most, spineY, SPINE));
        podRow(front, leaves, first, count, new Band(area, most, leafY, ""));
        int links = 0;
        for (int leaf = first; leaf < first + count; leaf++) {
            links += size.seating().down(leaf);
            Spot spot = leaves.get(leaf);
            if (spot != null) {
                out.format(
                        "<path d=\"M%.1f %dV%d\" stroke=\"%s\" stroke-width=\"3\""
                                + " stroke-opacity=\"0.6\"/>\n",
                        spot.middle(), leafY + BOX_HEIGHT, BOTTOM, colour(leaf));
            }
        }
        front.format(
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"5\" fill=\"#ffffff\""
                        + " stroke=\"#9aa7b3\"/>\n",
                area.x() + 10, BOTTOM, area.width() - 20, NODE_HEIGHT);
        front.format(
                "<text x=\"%.1f\" y=\"%d\" font-size=\"13\" text-anchor=\"middle\">pod %d: %,d"
                        + " NICs</text>\n",
                area.middle(), BOTTOM + 22, pod + 1, links);
    }

    /// Where and how a row of a pod is drawn; without a colour it is that of the rail.
    private record Band(Spot area, int most, int y, String colour) {}

    private void podRow(
            Formatter front, Map<Integer, Spot> places, int first, int count, Band band) {
        List<Integer> shown = Fold.of(count, Math.max(3, band.most()));
        double step = band.area().width() / shown.size();
        double width = Math.min(60, step * 0.8);
        for (int i = 0; i < shown.size(); i++) {
            double middle = band.area().x() + (i + 0.5) * step;
            int number = first + shown.get(i);
            if (shown.get(i) == Fold.GAP) {
                dots(front, middle, band.y() + BOX_HEIGHT / 2.0, count - shown.size() + 1, "");
            } else {
                Spot spot = new Spot(middle - width / 2, width);
                places.put(number, spot);
                String colour = band.colour().isEmpty() ? colour(number) : band.colour();
                box(front, spot, band.y(), colour, String.valueOf(shown.get(i) + 1));
            }
        }
    }

    private void leafLinks(int spineY, int leafY) {
        if (size.isPair()) {
            Spot one = leaves.getOrDefault(0, new Spot(0, 0));
            Spot other = leaves.getOrDefault(1, new Spot(0, 0));
            out.format(
                    "<path d=\"M%.1f %dH%.1f\" stroke=\"%s\" stroke-width=\"6\"/>\n",
                    one.middle(), leafY + BOX_HEIGHT / 2, other.middle(), SPINE);
            double middle = (one.middle() + other.middle()) / 2;
            text(middle - 30, leafY + 6, 13, "normal", SPINE, size.uplinks() + " cables");
            return;
        }
        List<String> lines = new ArrayList<>();
        leaves.forEach(
                (leaf, low) ->
                        spines.forEach(
                                (spine, high) -> {
                                    int pod = spine / size.spines();
                                    if (leaf / size.leavesPerPod() == pod) {
                                        lines.add(line(low, leafY, high, spineY));
                                    }
                                }));
        paths(lines, SPINE);
    }

    private void coreLinks(int coreY, int spineY) {
        List<String> lines = new ArrayList<>();
        spines.forEach(
                (spine, low) ->
                        cores.forEach(
                                (core, high) -> {
                                    int group = spine % size.spines() % size.groups();
                                    if (core / size.coresPerGroup() == group) {
                                        lines.add(line(low, spineY, high, coreY));
                                    }
                                }));
        paths(lines, CORE);
    }

    private static String line(Spot low, int lowY, Spot high, int highY) {
        return String.format(
                Locale.ROOT,
                "M%.1f %dL%.1f %d",
                low.middle(),
                lowY,
                high.middle(),
                highY + BOX_HEIGHT);
    }

    private void paths(List<String> lines, String colour) {
        if (!lines.isEmpty()) {
            double opacity = Math.clamp(36.0 / lines.size(), 0.3, 0.75);
            out.format(
                    "<path d=\"%s\" stroke=\"%s\" stroke-opacity=\"%.2f\" fill=\"none\"/>\n",
                    String.join("", lines), colour, opacity);
        }
    }

    private String colour(int leaf) {
        return colourOfRail(size.seating().firstRail(leaf % size.seating().group()));
    }

    private static String colourOfRail(int rail) {
        return RAILS.get(rail % RAILS.size());
    }

    private static void box(Formatter front, Spot spot, int y, String colour, String name) {
        front.format(
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"5\" fill=\"%s\"/>\n",
                spot.x(), y, spot.width(), BOX_HEIGHT, colour);
        front.format(
                "<text x=\"%.1f\" y=\"%d\" font-size=\"12\" text-anchor=\"middle\""
                        + " fill=\"#ffffff\">%s</text>\n",
                spot.middle(), y + 20, name);
    }

    private static void dots(Formatter front, double x, double y, int more, String what) {
        for (int i = -1; i <= 1; i++) {
            front.format(
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"#7a8794\"/>\n", x + 9 * i, y);
        }
        if (more > 0) {
            front.format(
                    "<text x=\"%.1f\" y=\"%.1f\" font-size=\"12\" text-anchor=\"middle\""
                            + " fill=\"#52606d\">%,d more%s</text>\n",
                    x, y + 22, more, what);
        }
    }

    private void text(double x, double y, int size, String weight, String colour, String text) {
        out.format(
                "<text x=\"%.0f\" y=\"%.0f\" font-size=\"%d\" font-weight=\"%s\""
                        + " fill=\"%s\">%s</text>\n",
                x, y, size, weight, colour, text);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
