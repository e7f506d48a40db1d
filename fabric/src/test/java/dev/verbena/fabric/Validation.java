package dev.verbena.fabric;

import static dev.verbena.fabric.Anchor.A;
import static dev.verbena.fabric.Anchor.D;
import static dev.verbena.fabric.Anchor.P;

import dev.verbena.fabric.VlArbitration.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What is known of a fabric without simulating it, and what the simulation says; see [Anchor] for
/// the setting.
///
/// @param form how the expectation is worked out
/// @param tolerance how far off it may be, as a part of the expectation
/// @param rest what the expectation rests on
record Validation(
        String subject,
        String form,
        String unit,
        double expected,
        double simulated,
        double tolerance,
        String rest) {
    private static final String THEORY = "theory";
    private static final String BOTH = "theory; htsim gives the same";

    /// Six links and five switches.
    private static final long WAY = 11 * D;

    boolean isRight() {
        return Math.abs(error()) <= tolerance;
    }

    double error() {
        return simulated / expected - 1;
    }

    static List<Validation> all() {
        List<Validation> all = new ArrayList<>();
        singleFlows(all);
        incasts(all);
        for (int packets : new int[] {1, 2, 5, 9, 20}) {
            all.add(credits(packets));
        }
        all.add(knee());
        shares(all);
        all.add(headroom());
        shifts(all);
        RoutingValidation.validate(all);
        PathologyValidation.validate(all);
        DcqcnTheoryTest.validate(all);
        return all;
    }

    private static Validation exact(
            String subject, String form, long expectedPs, long simulatedPs, String rest) {
        return new Validation(subject, form, "us", expectedPs / 1e6, simulatedPs / 1e6, 0, rest);
    }

    private static void singleFlows(List<Validation> all) {
        List<Flow> flow = List.of(Anchor.packets(0, 127, 489));
        long expected = 489 * P + 5 * P + WAY + 6 * A + WAY;
        String form = "489 P + 5 P + 11 D + 6 A + 11 D";
        Fabric ethernet = new Fabric(Anchor.tree128(), Anchor.ethernet());
        long ended = Anchor.run(ethernet, flow).endPs(0);
        all.add(exact("one flow of 489 packets over 6 links, PFC", form, expected, ended, BOTH));
        Fabric infiniBand = new Fabric(Anchor.tree128(), Anchor.infiniBand());
        ended = Anchor.run(infiniBand, flow).endPs(0);
        all.add(exact("the same with credits", form, expected, ended, THEORY));

        FabricKind.InfiniBand kind =
                FabricKind.InfiniBand.DEFAULT
                        .withUpdateBlocks(Anchor.BLOCKS)
                        .withBufferBlocks(2048);
        Fabric through = new Fabric(Anchor.tree128(), Anchor.infiniBand(kind));
        expected = 489 * P + 5 * A + WAY + 6 * A + WAY;
        ended = Anchor.run(through, flow).endPs(0);
        form = "489 P + 5 A + 11 D + 6 A + 11 D";
        all.add(exact("the same, cutting through", form, expected, ended, THEORY));
    }

    private static void incasts(List<Validation> all) {
        for (int senders : new int[] {8, 32}) {
            // The nearest of 8 is five links before the last switch's port, of 32 it is three.
            int links = senders == 8 ? 5 : 3;
            long expected = links * (P + 2 * D) + senders * 245L * P + D + 6 * A + WAY;
            String form = "%d (P + 2 D) + %d * 245 P + D + 6 A + 11 D".formatted(links, senders);
            for (FabricSettings settings : List.of(Anchor.ethernet(), Anchor.infiniBand())) {
                Fabric fabric = new Fabric(Anchor.tree128(), settings);
                long[] times = Anchor.run(fabric, incastOf(senders)).timesPs();
                boolean isPfc = settings.kind() instanceof FabricKind.Ethernet;
                all.add(
                        exact(
                                "incast %d:1, %s".formatted(senders, isPfc ? "PFC" : "credits"),
                                form,
                                expected,
                                times[senders - 1],
                                isPfc ? BOTH : THEORY));
            }
        }
    }

    private static List<Flow> incastOf(int senders) {
        List<Flow> flows = new ArrayList<>();
        int step = 128 / senders;
        for (int i = 1; i < senders; i++) {
            flows.add(Anchor.packets(step * i, 0, 245));
        }
        flows.add(Anchor.packets(127, 0, 245));
        return flows;
    }

    private static FabricKind.InfiniBand lane(int blocks) {
        return FabricKind.InfiniBand.DEFAULT
                .withCutThrough(false)
                .withUpdateBlocks(1)
                .withBufferBlocks(blocks);
    }

    /// A packet is gone from the switch when it has come, crossed it, and left; the credits travel
    /// back.
    private static Validation credits(int inFlight) {
        // One block short of another packet.
        FabricKind.InfiniBand kind = lane((inFlight + 1) * Anchor.BLOCKS - 1);
        Fabric fabric = new Fabric(FatTree.single(2).topology(), Anchor.infiniBand(kind));
        int rounds = 40;
        long roundTrip = 2 * P + 3 * D;
        long starts = (rounds - 1) * roundTrip + (inFlight - 1) * P;
        long expected = starts + 2 * P + 3 * D + 2 * A + 3 * D;
        long ended = Anchor.run(fabric, List.of(Anchor.packets(0, 1, inFlight * rounds))).endPs(0);
        String form = "39 (2 P + 3 D) + %d P + 2 P + 3 D + 2 A + 3 D".formatted(inFlight - 1);
        return exact(
                "credits for %d packets a round trip".formatted(inFlight),
                form,
                expected,
                ended,
                THEORY);
    }

    /// 2 P + 3 D is 20.03 packets long: with 21 the link is never idle.
    private static Validation knee() {
        Fabric fabric =
                new Fabric(
                        FatTree.single(2).topology(), Anchor.infiniBand(lane(21 * Anchor.BLOCKS)));
        long expected = 1000 * P + P + 3 * D + 2 * A + 3 * D;
        long ended = Anchor.run(fabric, List.of(Anchor.packets(0, 1, 1000))).endPs(0);
        String form = "1000 P + P + 3 D + 2 A + 3 D";
        return exact("the knee: credits for 21 packets", form, expected, ended, THEORY);
    }

    private static void shares(List<Validation> all) {
        VlArbitration tables =
                new VlArbitration(
                        List.of(),
                        List.of(new Entry(0, 65), new Entry(1, 130), new Entry(2, 195)),
                        255);
        long[] sent = ArbitrationTest.shares(tables, 1200);
        for (int lane = 0; lane < 3; lane++) {
            all.add(
                    new Validation(
                            "share of a lane of weight %d of 6".formatted(lane + 1),
                            "%d / 6".formatted(lane + 1),
                            "",
                            (lane + 1) / 6.0,
                            sent[lane] / 1200.0,
                            0.005,
                            THEORY));
        }
    }

    private static Validation headroom() {
        return new Validation(
                "what comes after XOFF, at most",
                "rate (2 delay + frame) + 2 MTU",
                "bytes",
                HeadroomTest.formula(),
                HeadroomTest.highest(),
                64.0 / HeadroomTest.formula(),
                THEORY);
    }

    private static void shifts(List<Validation> all) {
        FabricKind.Ethernet kind = (FabricKind.Ethernet) Anchor.ethernet().kind();
        FabricSettings fixed = Anchor.ethernet().withKind(kind.withSpread(FabricKind.Spread.FIXED));
        // With parallel cables at each tier.
        FatTree two = FatTree.ofRadix(36, 2, 20, 1);
        FatTree three = FatTree.ofRadix(24, 3, 8, 1);
        for (FabricSettings settings : List.of(fixed, Anchor.infiniBand())) {
            all.add(shift(FatTree.ofRadix(100, 2, 64, 1), 50, 50, 40, settings));
            all.add(shift(two, 9, 27, 40, settings));
            all.add(shift(FatTree.threeTiers(4, 8), 64, 64, 64, settings));
            all.add(shift(three, 8, 16, 64, settings));
        }
    }

    /// The slowest flow of every shift by so many hosts takes as long as if it were alone.
    ///
    /// All flows go to the top of the tree, and have so few packets that the last one has left
    /// before the first acknowledgement comes back, which would delay it.
    private static Validation shift(
            FatTree tree, int from, int to, int packets, FabricSettings settings) {
        long slowest = 0;
        for (int by = from; by <= to; by++) {
            List<Flow> flows = Patterns.shift(tree.hosts(), by, (long) packets * Anchor.PAYLOAD);
            long[] times = Anchor.run(new Fabric(tree.topology(), settings), flows).timesPs();
            slowest = Math.max(slowest, times[times.length - 1]);
        }
        int links = tree.pods() > 1 ? 6 : 4;
        long oneWay = (2 * links - 1) * D;
        return exact(
                "%s, %d hosts, %s, fixed routes, %s"
                        .formatted(
                                tree,
                                tree.hosts(),
                                from == to
                                        ? "shift by " + from
                                        : "every shift by " + from + " to " + to,
                                settings.kind() instanceof FabricKind.Ethernet ? "PFC" : "credits"),
                "%1$d P + %2$d P + %3$d D + %4$d A + %3$d D"
                        .formatted(packets, links - 1, 2 * links - 1, links),
                (packets + links - 1) * P + oneWay + links * A + oneWay,
                slowest,
                THEORY);
    }

    String row() {
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %s | %s | %s | %s |%n",
                subject,
                form,
                number(expected),
                number(simulated),
                error() == 0 ? "0" : String.format(Locale.ROOT, "%+.2e", error()),
                isRight() ? "pass" : "FAIL",
                rest);
    }

    private String number(double value) {
        String digits =
                unit.equals("bytes")
                        ? String.format(Locale.ROOT, "%,.0f", value)
                        : String.format(Locale.ROOT, "%.6f", value);
        return unit.isEmpty() ? digits : digits + " " + unit;
    }
}
