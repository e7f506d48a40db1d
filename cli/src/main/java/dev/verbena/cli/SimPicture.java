package dev.verbena.cli;

import dev.verbena.fabric.CableFault;
import java.util.Comparator;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;

/// A picture of a simulation as SVG: the rate of each workload over time, how busy the busiest link
/// was, and when cables had faults.
final class SimPicture {
    private static final int WIDTH = 760;
    private static final int LEFT = 60;
    private static final int RIGHT = 20;
    private static final int LEGEND_TOP = 38;
    private static final int LEGEND_HEIGHT = 18;

    /// Workloads in one line of the legend.
    private static final int LEGEND_ROW = 5;

    /// Letters of a title that have room beside the word for faults.
    private static final int TITLE_MAX = 82;

    private static final double NARROWEST = 0.5;
    private static final int RATES_HEIGHT = 200;
    private static final int BUSY_HEIGHT = 80;
    private static final int LINES = 4;
    private static final int TICKS = 6;
    private static final int LEGEND_STEP = 130;
    private static final double PS_PER_US = 1e6;

    /// Told apart also by those who see no red or green.
    private static final List<String> COLOURS =
            List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9");

    private final SimHistory history;
    private final double endUs;
    private int ratesTop;
    private int busyTop;
    private final StringBuilder svg = new StringBuilder(1 << 14);
    private final Formatter out = new Formatter(svg, Locale.ROOT);

    SimPicture(SimHistory history) {
        this.history = history;
        long endPs = history.steps() == 0 ? 0 : history.endPs(history.steps() - 1);
        endUs = Math.max(1e-6, endPs / PS_PER_US);
    }

    /// @param title one line above the picture
    /// @param names of the workloads
    /// @param link name of the busiest link
    /// @param port its number
    String draw(String title, List<String> names, String link, int port, List<CableFault> faults) {
        int rows = Math.max(1, Math.ceilDiv(names.size(), LEGEND_ROW));
        ratesTop = LEGEND_TOP + 8 + LEGEND_HEIGHT * rows;
        busyTop = ratesTop + RATES_HEIGHT + 48;
        out.format(
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" \
                font-family="sans-serif" font-size="12">
                <rect width="100%%" height="100%%" fill="#ffffff"/>
                <text x="%d" y="22" font-size="14" fill="#222222">%s</text>
                """,
                WIDTH, busyTop + BUSY_HEIGHT + 48, LEFT, escaped(cut(title)));
        shade(faults);
        double most = most(names.size());
        grid(ratesTop, RATES_HEIGHT, most, "Gb/s");
        for (int i = 0; i < names.size(); i++) {
            int workload = i;
            legend(i, names.get(i));
            curve(stroke(i), ratesTop, RATES_HEIGHT, step -> history.gbits(workload, step) / most);
        }
        text(LEFT, busyTop - 10, "start", "busy: " + link);
        grid(busyTop, BUSY_HEIGHT, 100, "%");
        curve("stroke=\"#444444\"", busyTop, BUSY_HEIGHT, step -> history.busy(port, step));
        ticks();
        return svg.append("</svg>\n").toString();
    }

    private double most(int workloads) {
        double most = 0;
        for (int step = 0; step < history.steps(); step++) {
            for (int i = 0; i < workloads; i++) {
                most = Math.max(most, history.gbits(i, step));
            }
        }
        return rounded(Math.max(most, 1e-3), 1, 2, 3, 4, 6, 8);
    }

    /// The next number that is one of `steps` times a power of ten.
    private static double rounded(double value, double... steps) {
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        for (double step : steps) {
            if (value <= step * power) {
                return step * power;
            }
        }
        return 10 * power;
    }

    /// Faults of many cables at one time are one band, and so are those that no eye could tell
    /// apart: a cable that flaps for long has a million.
    private void shade(List<CableFault> faults) {
        List<CableFault> seen =
                faults.stream()
                        .filter(it -> it.fromPs() / PS_PER_US < endUs)
                        .sorted(Comparator.comparingLong(CableFault::fromPs))
                        .toList();
        double from = -1;
        double until = -1;
        for (CableFault fault : seen) {
            double left = x(fault.fromPs() / PS_PER_US);
            if (left > until + NARROWEST) {
                band(from, until);
                from = left;
            }
            double right = x(Math.min(endUs, fault.untilPs() / PS_PER_US));
            until = Math.max(until, Math.max(right, left + NARROWEST));
        }
        band(from, until);
        if (!seen.isEmpty()) {
            out.format(
                    """
                    <rect x="%d" y="14" width="12" height="12" fill="#f6d5d5"/>
                    """,
                    WIDTH - RIGHT - 100);
            text(WIDTH - RIGHT - 82, 24, "start", "cable at fault");
        }
    }

    private void band(double from, double until) {
        if (from >= 0) {
            out.format(
                    """
                    <rect x="%.1f" y="%d" width="%.1f" height="%d" fill="#f6d5d5"/>
                    """,
                    from, ratesTop, until - from, busyTop + BUSY_HEIGHT - ratesTop);
        }
    }

    private void grid(int top, int height, double most, String unit) {
        for (int i = 0; i <= LINES; i++) {
            double y = top + height - (double) height * i / LINES;
            out.format(
                    """
                    <path d="M%d %.1fH%d" stroke="#dddddd"/>
                    """,
                    LEFT, y, WIDTH - RIGHT);
            if (i % 2 == 0) {
                text(LEFT - 8, y + 4, "end", number(most * i / LINES));
            }
        }
        text(LEFT - 8, top - 10, "end", unit);
    }

    private void ticks() {
        double step = rounded(endUs / TICKS, 1, 2, 5);
        for (double at = 0; at <= endUs * 1.0001; at += step) {
            text(x(at), busyTop + BUSY_HEIGHT + 18, "middle", number(at));
        }
        text(WIDTH - RIGHT, busyTop + BUSY_HEIGHT + 38, "end", "simulated time, us");
    }

    private void legend(int index, String name) {
        int x = LEFT + LEGEND_STEP * (index % LEGEND_ROW);
        int y = LEGEND_TOP + LEGEND_HEIGHT * (index / LEGEND_ROW);
        out.format(
                """
                <path d="M%d %dh16" %s stroke-width="3"/>
                """,
                x, y, stroke(index));
        text(x + 22, y + 5, "start", name);
    }

    /// Lines are dashed when there are more of them than colours.
    private static String stroke(int index) {
        int round = index / COLOURS.size();
        String dashes = round == 0 ? "" : " stroke-dasharray=\"%d 2\"".formatted(4 * round);
        return "stroke=\"%s\"%s".formatted(COLOURS.get(index % COLOURS.size()), dashes);
    }

    private static String cut(String title) {
        return title.length() <= TITLE_MAX ? title : title.substring(0, TITLE_MAX - 1) + "…";
    }

    /// A line of steps: a rate is that of a whole step.
    private void curve(String stroke, int top, int height, IntToDoubleFunction shares) {
        out.format("<polyline fill=\"none\" stroke-width=\"1.8\" %s points=\"", stroke);
        for (int step = 0; step < history.steps(); step++) {
            double y = top + height * (1 - shares.applyAsDouble(step));
            double from = x(history.startPs(step) / PS_PER_US);
            out.format("%.1f,%.1f %.1f,%.1f ", from, y, x(history.endPs(step) / PS_PER_US), y);
        }
        svg.append("\"/>\n");
    }

    private void text(double x, double y, String anchor, String words) {
        out.format(
                """
                <text x="%.1f" y="%.1f" text-anchor="%s" fill="#444444">%s</text>
                """,
                x, y, anchor, escaped(words));
    }

    private static String number(double value) {
        String text = String.format(Locale.ROOT, "%.3f", value);
        return text.replaceAll("\\.?0+$", "");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private double x(double us) {
        return LEFT + us / endUs * (WIDTH - LEFT - RIGHT);
    }
}
