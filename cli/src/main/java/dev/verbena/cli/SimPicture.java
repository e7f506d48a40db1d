package dev.verbena.cli;

import dev.verbena.fabric.CableFault;
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
    private static final int RATES_TOP = 64;
    private static final int RATES_HEIGHT = 200;
    private static final int BUSY_TOP = 312;
    private static final int BUSY_HEIGHT = 80;
    private static final int HEIGHT = 440;
    private static final int LINES = 4;
    private static final int TICKS = 6;
    private static final int LEGEND_STEP = 116;
    private static final double PS_PER_US = 1e6;

    /// Told apart also by those who see no red or green.
    private static final List<String> COLOURS =
            List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9");

    private final SimHistory history;
    private final double endUs;
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
        out.format(
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" \
                font-family="sans-serif" font-size="12">
                <rect width="100%%" height="100%%" fill="#ffffff"/>
                <text x="%d" y="22" font-size="14" fill="#222222">%s</text>
                """,
                WIDTH, HEIGHT, LEFT, escaped(title));
        shade(faults);
        double most = most(names.size());
        grid(RATES_TOP, RATES_HEIGHT, most, "Gb/s");
        for (int i = 0; i < names.size(); i++) {
            int workload = i;
            legend(i, names.get(i));
            curve(
                    COLOURS.get(i % COLOURS.size()),
                    RATES_TOP,
                    RATES_HEIGHT,
                    step -> history.gbits(workload, step) / most);
        }
        text(LEFT, BUSY_TOP - 10, "start", "busy: " + link);
        grid(BUSY_TOP, BUSY_HEIGHT, 100, "%");
        curve("#444444", BUSY_TOP, BUSY_HEIGHT, step -> history.busy(port, step));
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

    private void shade(List<CableFault> faults) {
        boolean any = false;
        for (CableFault fault : faults) {
            double from = fault.fromPs() / PS_PER_US;
            if (from < endUs) {
                double until = Math.min(endUs, fault.untilPs() / PS_PER_US);
                any = true;
                out.format(
                        """
                        <rect x="%.1f" y="%d" width="%.1f" height="%d" fill="#f6d5d5"/>
                        """,
                        x(from),
                        RATES_TOP,
                        Math.max(0.5, x(until) - x(from)),
                        BUSY_TOP + BUSY_HEIGHT - RATES_TOP);
            }
        }
        if (any) {
            out.format(
                    """
                    <rect x="%d" y="32" width="12" height="12" fill="#f6d5d5"/>
                    """,
                    WIDTH - RIGHT - 90);
            text(WIDTH - RIGHT - 72, 43, "start", "cable at fault");
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
            text(x(at), BUSY_TOP + BUSY_HEIGHT + 18, "middle", number(at));
        }
        text(WIDTH - RIGHT, BUSY_TOP + BUSY_HEIGHT + 38, "end", "simulated time, us");
    }

    private void legend(int index, String name) {
        int x = LEFT + LEGEND_STEP * index;
        out.format(
                """
                <path d="M%d 38h16" stroke="%s" stroke-width="3"/>
                """,
                x, COLOURS.get(index % COLOURS.size()));
        text(x + 22, 43, "start", name);
    }

    /// A line of steps: a rate is that of a whole step.
    private void curve(String colour, int top, int height, IntToDoubleFunction shares) {
        out.format("<polyline fill=\"none\" stroke-width=\"1.8\" stroke=\"%s\" points=\"", colour);
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
