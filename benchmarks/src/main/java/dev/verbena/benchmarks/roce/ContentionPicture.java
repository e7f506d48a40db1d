package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.ResultLog;
import java.util.List;
import java.util.OptionalDouble;

/// What each program keeps of its bandwidth beside other work: a group of bars for each
/// disturbance, as SVG that reads on light and dark pages.
final class ContentionPicture {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 300;
    private static final int LEFT = 48;
    private static final int RIGHT = 16;
    private static final int TOP = 48;
    private static final int BOTTOM = 44;
    private static final int LINES = 5;
    private static final double GROUP = 0.8;

    /// Told apart also by those who see no red or green.
    private static final List<String> COLOURS = List.of("#0072b2", "#56b4e9", "#e69f00", "#d55e00");

    private final ResultLog log;
    private final List<String> programs;
    private final List<Disturbance> disturbances = Disturbance.all();
    private final StringBuilder svg = new StringBuilder(4096);

    private ContentionPicture(ResultLog log) {
        this.log = log;
        programs = List.copyOf(log.programs(Contention.PLACE));
    }

    static String of(ResultLog log) {
        return new ContentionPicture(log).draw();
    }

    private String draw() {
        svg.append(
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" \
                font-family="sans-serif" font-size="12">
                <rect width="100%%" height="100%%" fill="#ffffff"/>
                <text x="8" y="16" fill="#444444">part of its bandwidth that a program keeps</text>
                """
                        .formatted(WIDTH, HEIGHT));
        for (int i = 0; i <= LINES; i++) {
            double part = (double) i / LINES;
            svg.append(
                    """
                    <path d="M%d %.1fH%d" stroke="#dddddd"/>
                    <text x="%d" y="%.1f" text-anchor="end" fill="#444444">%.1f</text>
                    """
                            .formatted(LEFT, y(part), WIDTH - RIGHT, LEFT - 8, y(part) + 4, part));
        }
        for (int i = 0; i < programs.size(); i++) {
            legend(i);
            for (int group = 0; group < disturbances.size(); group++) {
                bar(group, i);
            }
        }
        for (int group = 0; group < disturbances.size(); group++) {
            label(group);
        }
        return svg.append("</svg>\n").toString();
    }

    private void legend(int program) {
        double x = LEFT + program * (double) (WIDTH - LEFT - RIGHT) / programs.size();
        svg.append(
                """
                <rect x="%.1f" y="26" width="10" height="10" fill="%s"/>
                <text x="%.1f" y="35" fill="#444444">%s</text>
                """
                        .formatted(
                                x,
                                COLOURS.get(program % COLOURS.size()),
                                x + 15,
                                programs.get(program)));
    }

    private void bar(int group, int program) {
        OptionalDouble kept = Contention.kept(log, disturbances.get(group), programs.get(program));
        if (kept.isEmpty()) {
            return;
        }
        double part = Math.min(1, kept.getAsDouble());
        double width = groupWidth() * GROUP / programs.size();
        double x = LEFT + (group + (1 - GROUP) / 2) * groupWidth() + program * width;
        svg.append(
                """
                <rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>
                """
                        .formatted(
                                x,
                                y(part),
                                width - 2,
                                y(0) - y(part),
                                COLOURS.get(program % COLOURS.size())));
    }

    /// In two lines where it is long.
    private void label(int group) {
        String[] lines = disturbances.get(group).name().split(", ", 2);
        for (int i = 0; i < lines.length; i++) {
            svg.append(
                    """
                    <text x="%.1f" y="%d" text-anchor="middle" fill="#444444">%s</text>
                    """
                            .formatted(
                                    LEFT + (group + 0.5) * groupWidth(),
                                    HEIGHT - BOTTOM + 18 + 16 * i,
                                    lines[i]));
        }
    }

    private double groupWidth() {
        return (double) (WIDTH - LEFT - RIGHT) / disturbances.size();
    }

    private static double y(double part) {
        return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM);
    }
}
