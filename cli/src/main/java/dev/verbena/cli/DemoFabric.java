package dev.verbena.cli;

import dev.verbena.cli.DemoScreen.Style;
import dev.verbena.fabric.FabricCounts;
import dev.verbena.fabric.PortCounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// The scenes of `verbena demo` on a simulated fabric that drops packets.
final class DemoFabric {
    private static final double PS_PER_US = 1e6;

    /// Shorter than a timer of a queue pair, and longer than any flow that needed none.
    private static final long LATE_PS = 10_000_000_000L;

    private static final int COUNTERS_MAX = 8;

    private final DemoScreen screen;
    private final long seed;

    DemoFabric(DemoScreen screen, long seed) {
        this.screen = screen;
        this.seed = seed;
    }

    /// Returns the number of flows that did not end.
    int run(Path file) throws IOException {
        DemoSimulation lossy = new DemoSimulation(seed, true);
        screen.scene("A fabric of %d hosts that drops packets".formatted(DemoSimulation.HOSTS));
        screen.say(
                "Now simulated, with the same transport in every host: each writes 256 KiB to"
                        + " another at once. Where flows meet, a buffer overflows.");
        screen.blank();
        lossy.run();
        new FabricDrawing(screen, lossy::drops, host -> cell(lossy.timePs(host))).print();
        screen.line(
                "   host's flow:   "
                        + cell(0)
                        + " done at once   "
                        + cell(LATE_PS)
                        + " waited for a timer   "
                        + cell(-1)
                        + " failed");
        figures(lossy);
        capture(lossy, file);
        counters(lossy);
        compare(lossy);
        return lossy.left();
    }

    private String cell(long timePs) {
        if (timePs < 0) {
            return screen.paint(Style.BAD, screen.glyph("✗", "x"));
        }
        return timePs >= LATE_PS
                ? screen.paint(Style.WARM, screen.glyph("◌", "o"))
                : screen.paint(Style.GOOD, screen.glyph("●", "*"));
    }

    private void figures(DemoSimulation run) {
        FabricCounts counts = run.fabric().counts();
        long[] times = run.timesPs();
        screen.blank();
        screen.figure(
                "packets",
                Style.BOLD,
                String.format(
                        Locale.ROOT, "%,d sent, %,d dropped", counts.injected(), counts.drops()));
        screen.figure(
                "flows that recovered",
                run.left() == 0 ? Style.GOOD : Style.BAD,
                String.format(
                        Locale.ROOT, "%d of %d are over", times.length, DemoSimulation.HOSTS));
        screen.figure(
                "time of a flow",
                Style.PLAIN,
                String.format(
                        Locale.ROOT,
                        "median %,.0f us, slowest %,.0f us",
                        times[times.length / 2] / PS_PER_US,
                        times[times.length - 1] / PS_PER_US));
    }

    /// Runs again, which gives the same run, with a capture at a host that was late.
    private void capture(DemoSimulation before, Path file) throws IOException {
        int host = before.hostBeyond(LATE_PS);
        DemoSimulation again = new DemoSimulation(seed, true);
        again.run(host, file);
        if (!Arrays.equals(before.timesPs(), again.timesPs())) {
            throw new IOException("seed %d gave two different runs: a bug".formatted(seed));
        }
        screen.scene("The same run again, with a capture");
        screen.say(
                String.format(
                        Locale.ROOT,
                        "The seed gives the same run, packet for packet, so we can look closer: at"
                                + " host %d, which writes to host %d. When the end of a message is"
                                + " lost, no later packet shows the gap, and only a timer helps.",
                        host,
                        before.receiver(host)));
        screen.blank();
        DemoPackets packets = new DemoPackets(file, address(host), Set.of());
        new DemoPacketText(screen, packets.rows()).print();
        screen.blank();
        screen.figure(
                "packets",
                Style.PLAIN,
                String.format(
                        Locale.ROOT,
                        "%d captured: %d sent again, %s",
                        packets.rows().size(),
                        packets.again(),
                        Texts.plural(packets.naks(), "NAK")));
        DemoPacketText.checksums(screen, packets);
    }

    /// As a fabric gives them out, by the number of the host.
    private static String address(int host) {
        return "10.0.%d.%d".formatted((host + 1) >> 8, (host + 1) & 0xFF);
    }

    private void counters(DemoSimulation run) {
        PortCounts worst =
                run.fabric().ports().stream()
                        .max(Comparator.comparingLong(DemoFabric::discards))
                        .orElseThrow();
        screen.scene("The port that dropped most");
        screen.say(
                String.format(
                        Locale.ROOT,
                        "%s, port %d, from %s:",
                        worst.node(),
                        worst.port(),
                        worst.neighbour()));
        screen.blank();
        List<Map.Entry<String, Long>> shown =
                worst.counts().entrySet().stream().limit(COUNTERS_MAX).toList();
        for (Map.Entry<String, Long> count : shown) {
            boolean isDrop = count.getKey().endsWith("_discards");
            screen.line(
                    screen.paint(
                            isDrop ? Style.BAD : Style.PLAIN,
                            "      "
                                    + Texts.left(count.getKey(), 34)
                                    + Texts.right(Texts.count(count.getValue()), 14)));
        }
    }

    private static long discards(PortCounts port) {
        return port.counts().entrySet().stream()
                .filter(it -> it.getKey().endsWith("_discards"))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private void compare(DemoSimulation lossy) throws IOException {
        DemoSimulation lossless = new DemoSimulation(seed, false);
        lossless.run();
        screen.scene("The same traffic, with pause frames");
        screen.say("The switches now stop their neighbours before a buffer overflows.");
        screen.blank();
        slowest("dropping", lossy);
        slowest("pausing", lossless);
        screen.blank();
        screen.say("Try it with other settings:");
        screen.line("    " + screen.paint(Style.COOL, lossless.command()));
    }

    private void slowest(String name, DemoSimulation run) {
        long[] times = run.timesPs();
        screen.figure(
                name,
                Style.BOLD,
                String.format(
                        Locale.ROOT,
                        "%,6d dropped, slowest flow %,9.0f us",
                        run.fabric().counts().drops(),
                        times[times.length - 1] / PS_PER_US));
    }
}
