package dev.verbena.cli;

import dev.verbena.cli.DemoPackets.Row;
import dev.verbena.cli.DemoScreen.Style;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/// The packets of a WRITE around its events: the start, the losses, the NAKs, what is sent again,
/// the end. Other packets are counted.
final class DemoPacketText {
    private static final int EVENTS_MAX = 6;

    /// Less than the timer of a queue pair, and more than a busy machine makes a process wait.
    private static final long SILENCE_NS = 50_000_000;

    private static final String INDENT = "    ";

    private final DemoScreen screen;
    private final List<Row> rows;
    private final BitSet shown;

    DemoPacketText(DemoScreen screen, List<Row> rows) {
        this.screen = screen;
        this.rows = rows;
        shown = choose();
    }

    private BitSet choose() {
        BitSet chosen = new BitSet(rows.size());
        around(chosen, 0, 0, 1);
        around(chosen, rows.size() - 1, 1, 0);
        int events = 0;
        for (int i = 1; i < rows.size() && events < EVENTS_MAX; i++) {
            Row row = rows.get(i);
            boolean beginsAgain = row.isAgain() && !rows.get(previousRequest(i)).isAgain();
            if (row.isLost()) {
                around(chosen, i, 1, 1);
                events++;
            } else if (row.isNak()) {
                around(chosen, i, 0, 0);
                events++;
            } else if (beginsAgain || isSilentBefore(i)) {
                around(chosen, i, 1, 1);
                events++;
            }
        }
        return chosen;
    }

    private int previousRequest(int index) {
        int i = index - 1;
        while (i > 0 && !rows.get(i).isRequest()) {
            i--;
        }
        return i;
    }

    private void around(BitSet chosen, int index, int before, int after) {
        chosen.set(Math.max(0, index - before), Math.min(rows.size(), index + after + 1));
    }

    private long sinceBeforeNs(int index) {
        return index == 0 ? 0 : rows.get(index).timeNs() - rows.get(index - 1).timeNs();
    }

    private boolean isSilentBefore(int index) {
        return rows.get(index).isAgain() && sinceBeforeNs(index) > SILENCE_NS;
    }

    void print() {
        screen.line(
                screen.paint(Style.DIM, INDENT + "    #        ms      packet                psn"));
        int hidden = 0;
        for (int i = 0; i < rows.size(); i++) {
            if (!shown.get(i)) {
                hidden++;
                continue;
            }
            gap(hidden, isSilentBefore(i) ? sinceBeforeNs(i) : 0);
            hidden = 0;
            screen.line(text(rows.get(i)));
        }
    }

    private void gap(int hidden, long silentNs) {
        String dots = INDENT + "    " + screen.glyph("⋮", ":");
        if (hidden > 0) {
            screen.line(screen.paint(Style.DIM, dots + "  " + Texts.plural(hidden, "more packet")));
        }
        if (silentNs > 0) {
            screen.line(
                    screen.paint(
                            Style.WARM,
                            dots
                                    + String.format(
                                            Locale.ROOT,
                                            "  %.1f ms without a packet, until the timer",
                                            silentNs / 1e6)));
        }
    }

    private String text(Row row) {
        String line =
                String.format(
                        Locale.ROOT,
                        "%s%5d %9.3f  %s  %-20s  %s",
                        INDENT,
                        row.number(),
                        (row.timeNs() - rows.getFirst().timeNs()) / 1e6,
                        row.isRequest() ? screen.glyph("─▶", "->") : screen.glyph("◀─", "<-"),
                        row.packet(),
                        Texts.hex24(row.psn()));
        String bytes = row.bytes() > 0 ? Texts.right(row.bytes() + " B", 8) : "        ";
        if (row.isLost()) {
            return screen.paint(Style.BAD, line + bytes + "  LOST");
        }
        if (row.isNak()) {
            return screen.paint(Style.BAD, line + "  " + row.answer());
        }
        if (row.isAgain()) {
            return screen.paint(Style.WARM, line + bytes + "  again");
        }
        return row.isRequest() ? line + bytes : screen.paint(Style.GOOD, line + "  ACK");
    }

    static void checksums(DemoScreen screen, DemoPackets packets) {
        screen.figure(
                "ICRC checksums",
                packets.checksumsWrong() == 0 ? Style.GOOD : Style.BAD,
                String.format(
                        Locale.ROOT,
                        "%d right, %d wrong",
                        packets.checksumsRight(),
                        packets.checksumsWrong()));
    }
}
