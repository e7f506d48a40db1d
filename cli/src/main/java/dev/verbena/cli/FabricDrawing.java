package dev.verbena.cli;

import dev.verbena.cli.DemoScreen.Style;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;

/// A fat tree of three tiers in 80 columns: a cell for each switch, by the packets it dropped, and
/// one for each host, by the time of its flow.
final class FabricDrawing {
    private static final int PODS = 8;
    private static final int PER_POD = 4;
    private static final int HOSTS_PER_LEAF = 4;
    private static final int CORES = 16;
    private static final int POD_WIDTH = 9;
    private static final int LABEL = 8;
    private static final String[] SHADES = {"·", "░", "▒", "▓", "█"};
    private static final String[] LETTERS = {".", "-", "+", "#", "@"};
    private static final Style[] STYLES = {Style.DIM, Style.WARM, Style.WARM, Style.BAD, Style.BAD};

    private final DemoScreen screen;
    private final ToLongFunction<String> drops;
    private final IntFunction<String> host;
    private final long most;

    /// @param drops packets that a switch dropped, by its name
    /// @param host the cell of a host, painted
    FabricDrawing(DemoScreen screen, ToLongFunction<String> drops, IntFunction<String> host) {
        this.screen = screen;
        this.drops = drops;
        this.host = host;
        long highest = 1;
        for (int i = 0; i < CORES; i++) {
            highest = Math.max(highest, drops.applyAsLong("core " + i));
        }
        for (int i = 0; i < PODS * PER_POD; i++) {
            highest = Math.max(highest, drops.applyAsLong(aggregation(i / PER_POD, i % PER_POD)));
            highest = Math.max(highest, drops.applyAsLong("leaf " + i));
        }
        most = highest;
    }

    private static String aggregation(int pod, int index) {
        return "pod " + pod + " aggregation " + index;
    }

    void print() {
        StringBuilder cores = new StringBuilder(label("cores"));
        for (int i = 0; i < CORES; i += 2) {
            cores.append(' ').append(cell("core " + i)).append("  ");
            cores.append(cell("core " + (i + 1))).append("  ");
        }
        screen.line(cores.toString().stripTrailing());
        links(screen.glyph("╱ ╲ ╱ ╲  ", "/ \\ / \\  "));
        pods("middle", (pod, i) -> cell(aggregation(pod, i)));
        links(screen.glyph("│╳│╳│╳│  ", "|X|X|X|  "));
        pods("leaves", (pod, i) -> cell("leaf " + (pod * PER_POD + i)));
        links(screen.glyph("│ │ │ │  ", "| | | |  "));
        for (int row = 0; row < HOSTS_PER_LEAF; row++) {
            int at = row;
            pods(
                    row == 0 ? "hosts" : "",
                    (pod, i) -> host.apply((pod * PER_POD + i) * HOSTS_PER_LEAF + at) + " ");
        }
        screen.blank();
        StringBuilder legend =
                new StringBuilder("   switch drops:  ").append(shade(0)).append(" none");
        for (int i = 1; i < SHADES.length; i++) {
            legend.append("   ").append(shade(i)).append(" up to ").append(bound(i));
        }
        screen.line(legend.toString());
    }

    /// The text of one cell in a row of pods.
    private interface Cells {
        String of(int pod, int index);
    }

    private void pods(String name, Cells cells) {
        StringBuilder line = new StringBuilder(label(name));
        for (int pod = 0; pod < PODS; pod++) {
            for (int i = 0; i < PER_POD; i++) {
                line.append(cells.of(pod, i));
            }
            line.append(' ');
        }
        screen.line(line.toString().stripTrailing());
    }

    private void links(String ofPod) {
        String line = ofPod.substring(0, POD_WIDTH).repeat(PODS).stripTrailing();
        screen.line(" ".repeat(LABEL) + screen.paint(Style.DIM, line));
    }

    private static String label(String name) {
        return Texts.left(" " + name, LABEL);
    }

    private String cell(String node) {
        return shade(step(drops.applyAsLong(node))) + " ";
    }

    /// 0 for none, then by quarters of the most.
    private int step(long count) {
        return count == 0 ? 0 : Math.clamp(Math.ceilDiv(count * 4, most), 1, 4);
    }

    private long bound(int step) {
        return most * step / 4;
    }

    private String shade(int step) {
        return screen.paint(STYLES[step], screen.glyph(SHADES[step], LETTERS[step]));
    }
}
