package dev.verbena.lint;

import java.util.List;

/// Looks at one subject. It reports a cause and not its consequences: of a priority without
/// headroom no rule asks whether its headroom is large enough.
@FunctionalInterface
interface Rule {

    /// All of them, in the order of their codes.
    List<Rule> ALL =
            List.of(
                    new ClassRule(),
                    new RoceClassRule(),
                    new HeadroomRule(),
                    new PoolRule(),
                    new MarkingRule(),
                    new WatchdogRule(),
                    new MtuRule(),
                    new LinkRule(),
                    new HostLinkRule(),
                    new HostRule(),
                    new RoutingRule(),
                    new LaneRule(),
                    new SubnetRule(),
                    new PartitionRule());

    void check(Scene scene, Findings findings);
}
