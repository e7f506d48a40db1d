package dev.verbena.fabric;

import java.util.List;

/// What is known of routing; see [Validation].
final class RoutingValidation {
    private RoutingValidation() {}

    static void validate(List<Validation> all) {
        for (int flows : new int[] {4, 8, 16}) {
            EcmpTest.Share seen = EcmpTest.share(flows);
            double expected = EcmpTest.Share.expected(flows);
            all.add(
                    new Validation(
                            "ECMP, %1$d flows on %1$d uplinks, 1,000 seeds".formatted(flows),
                            "1 - (1 - 1/%1$d)^%1$d".formatted(flows),
                            "",
                            expected,
                            seen.mean(),
                            3 * seen.error() / expected,
                            "theory: balls in bins; within 3 sigma"));
        }
        all.add(
                new Validation(
                        "second tier in use with one hash in all switches",
                        "1 / 4",
                        "",
                        0.25,
                        EcmpTest.secondTier(true),
                        0,
                        "theory"));
        long wayBack = 6 * Anchor.A + 11 * Anchor.D;
        long last =
                AdaptiveRoutingTest.permutation(
                        AdaptiveRoutingTest.roce(AdaptiveRoutingTest.adaptive()), 1);
        all.add(
                new Validation(
                        "permutation of 128 hosts, adaptive routing",
                        "measured elsewhere",
                        "us",
                        56.4,
                        (last + wayBack) / 1e6,
                        0.03,
                        "htsim, which has UEC's transport; here last packet + 6 A + 11 D"));
        double hashed = AdaptiveRoutingTest.writes(Routing.ECMP);
        Routing flowlets = Routing.of(FabricKind.Spread.FLOWLET).withFlowletGapPs(10_000_000);
        all.add(
                new Validation(
                        "permutation of writes, flowlets of 10 us",
                        "as with ECMP",
                        "us",
                        hashed,
                        AdaptiveRoutingTest.writes(flowlets),
                        0.05,
                        "theory; htsim's differ by 0.5 %"));
    }
}
