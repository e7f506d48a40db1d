package dev.verbena.benchmarks.congestion;

import java.util.List;

/// A picture of rates over time, as SVG that reads on light and dark pages.
final class Chart {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 260;
    private static final int LEFT = 56;
    private static final int RIGHT = 16;
    private static final int TOP = 28;
    private static final int BOTTOM = 36;
    private static final double STEP_SECONDS = 0.2;
    private static final int LINES = 5;

    /// Told apart also by those who see no red or green.
    private static final List<String> COLOURS = List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7");

    private final FlowRecord record;
    private final double most;
    private final StringBuilder svg = new StringBuilder(8192);

    private Chart(FlowRecord record, double most) {
        this.record = record;
        this.most = most;
    }

    /// @param most the rate at the upper edge, in Mb/s
    static String of(FlowRecord record, double most) {
        return new Chart(record, most).draw();
    }

    private String draw() {
        svg.append(
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" \
                font-family="sans-serif" font-size="12">
                <rect width="100%%" height="100%%" fill="#ffffff"/>
                """
                        .formatted(WIDTH, HEIGHT));
        grid();
        for (int flow = 0; flow < record.flows(); flow++) {
            curve(flow);
        }
        return svg.append("</svg>\n").toString();
    }

    private void grid() {
        for (int i = 0; i <= LINES; i++) {
            double rate = most * i / LINES;
            svg.append(
                    """
                    <path d="M%d %.1fH%d" stroke="#dddddd"/>
                    <text x="%d" y="%.1f" text-anchor="end" fill="#444444">%.0f</text>
                    """
                            .formatted(LEFT, y(rate), WIDTH - RIGHT, LEFT - 8, y(rate) + 4, rate));
        }
        for (int second = 0; second <= record.seconds(); second += 2) {
            svg.append(
                    """
                    <text x="%.1f" y="%d" text-anchor="middle" fill="#444444">%d s</text>
                    """
                            .formatted(x(second), HEIGHT - BOTTOM + 20, second));
        }
        svg.append("<text x=\"8\" y=\"16\" fill=\"#444444\">Mb/s</text>\n");
    }

    private void curve(int flow) {
        String colour = COLOURS.get(flow % COLOURS.size());
        svg.append("<polyline fill=\"none\" stroke-width=\"2\" stroke=\"");
        svg.append(colour).append("\" points=\"");
        for (double at = 0; at + STEP_SECONDS <= record.seconds(); at += STEP_SECONDS) {
            double rate = Math.min(most, record.rate(flow, at, at + STEP_SECONDS));
            svg.append("%.1f,%.1f ".formatted(x(at + STEP_SECONDS / 2), y(rate)));
        }
        svg.append(
                """
                "/>
                <text x="%d" y="16" fill="%s">flow %d</text>
                """
                        .formatted(LEFT + 60 * flow, colour, flow + 1));
    }

    private double x(double seconds) {
        return LEFT + seconds / record.seconds() * (WIDTH - LEFT - RIGHT);
    }

    private double y(double rate) {
        return HEIGHT - BOTTOM - rate / most * (HEIGHT - TOP - BOTTOM);
    }
}
