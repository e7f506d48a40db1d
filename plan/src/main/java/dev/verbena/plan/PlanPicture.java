package dev.verbena.plan;

import java.util.Formatter;
import java.util.List;
import java.util.Locale;

/// A plan as SVG: tiers from top to bottom, rails by colour, and what would be too much to show
/// folded into "and so on" with its number.
public final class PlanPicture {
    static final int WIDTH = 1280;
    private static final int PANEL = 560;
    private static final int FOOT = 44;

    private PlanPicture() {}

    /// Draws all networks of a plan, one below the other.
    public static String draw(Plan plan) {
        StringBuilder svg = new StringBuilder(1 << 15);
        Formatter out = new Formatter(svg, Locale.ROOT);
        int height = plan.fabrics().size() * PANEL + FOOT;
        out.format(
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" \
                font-family="Helvetica, Arial, sans-serif" font-size="15" fill="#1f2d3d">
                <rect width="100%%" height="100%%" fill="#ffffff"/>
                """,
                WIDTH, height);
        List<FabricPlan> fabrics = plan.fabrics();
        for (int i = 0; i < fabrics.size(); i++) {
            out.format("<g transform=\"translate(0 %d)\">\n", i * PANEL);
            new PicturePanel(fabrics.get(i), out).draw();
            out.format("</g>\n");
        }
        out.format(
                "<text x=\"40\" y=\"%d\" font-size=\"12\" fill=\"#7a8794\">Planned by verbena plan:"
                        + " counts only, nothing was measured.</text>\n",
                height - 18);
        return svg.append("</svg>\n").toString();
    }
}
