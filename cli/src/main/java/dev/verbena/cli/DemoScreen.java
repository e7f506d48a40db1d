package dev.verbena.cli;

import java.io.PrintWriter;

/// The text of `verbena demo`: 80 columns, paced, with colours where they are wanted.
final class DemoScreen {
    static final int WIDTH = 80;

    private static final long LINE_MS = 45;
    private static final long SCENE_MS = 1200;

    /// Colours of a terminal.
    enum Style {
        PLAIN(""),
        BOLD("1"),
        DIM("2"),
        GOOD("32"),
        BAD("1;31"),
        WARM("33"),
        COOL("36");

        private final String code;

        Style(String code) {
            this.code = code;
        }
    }

    private final PrintWriter out;
    private final boolean isColoured;
    private final boolean isUnicode;
    private final boolean isPaced;
    private int scenes;

    DemoScreen(PrintWriter out, boolean isColoured, boolean isUnicode, boolean isPaced) {
        this.out = out;
        this.isColoured = isColoured;
        this.isUnicode = isUnicode;
        this.isPaced = isPaced;
    }

    /// The first of two texts where the output can show it, else the second, of the same length.
    String glyph(String unicode, String ascii) {
        return isUnicode ? unicode : ascii;
    }

    String paint(Style style, String text) {
        return isColoured && style != Style.PLAIN
                ? "\u001b[" + style.code + "m" + text + "\u001b[0m"
                : text;
    }

    void title(String left, String right) {
        String gap = " ".repeat(WIDTH - 2 - left.length() - right.length());
        line(" " + paint(Style.BOLD, left) + gap + paint(Style.DIM, right));
        line(" " + paint(Style.DIM, glyph("─", "-").repeat(WIDTH - 2)));
    }

    /// Begins a scene, with a number.
    void scene(String heading) {
        rest();
        scenes++;
        blank();
        line(" " + paint(Style.COOL, scenes + "") + "  " + paint(Style.BOLD, heading));
    }

    /// A sentence, broken into lines where it is too long for one.
    void say(String text) {
        StringBuilder line = new StringBuilder("   ");
        for (String word : text.split(" ", -1)) {
            if (line.length() + 1 + word.length() > WIDTH - 2) {
                line(line.toString());
                line = new StringBuilder("   ");
            }
            line.append(' ').append(word);
        }
        line(line.toString());
    }

    /// A figure and its name.
    void figure(String name, Style style, String text) {
        line("      " + Texts.left(name, 26) + "  " + paint(style, text));
    }

    void blank() {
        line("");
    }

    void line(String text) {
        out.println(text);
        out.flush();
        sleep(LINE_MS);
    }

    /// Time to read what is there.
    void rest() {
        sleep(SCENE_MS);
    }

    private void sleep(long ms) {
        if (!isPaced) {
            return;
        }
        try {
            Thread.sleep(ms);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        }
    }
}
