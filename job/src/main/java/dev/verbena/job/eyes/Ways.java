package dev.verbena.job.eyes;

import dev.verbena.collectives.trace.Message;
import dev.verbena.fabric.PacketWay;
import dev.verbena.fabric.PortCounts;
import dev.verbena.job.JobLayout;
import dev.verbena.job.RankRun;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The ports by which messages between ranks pass, as tracing the routes of their connections
/// shows.
final class Ways {
    private static final int[] NONE = {};

    private record Flow(int from, int to, int lane) {}

    private final RankRun run;
    private final JobLayout layout;
    private final PacketWay way;
    private final Map<Flow, int[]> known = new HashMap<>();

    Ways(RankRun run, JobLayout layout) {
        this.run = run;
        this.layout = layout;
        way = new PacketWay(run.fabric());
    }

    /// Numbers in [dev.verbena.fabric.Fabric#ports]; none within a host, or where packets of a
    /// connection take several ways.
    int[] of(Message message) {
        Flow flow = new Flow(message.from(), message.to(), message.lane());
        return known.computeIfAbsent(flow, this::find);
    }

    /// The way of the acknowledgements.
    int[] back(Message message) {
        Flow flow = new Flow(message.to(), message.from(), message.lane());
        return known.computeIfAbsent(flow, this::find);
    }

    private int[] find(Flow flow) {
        boolean isInside =
                layout.inner() != null && layout.hostOf(flow.from) == layout.hostOf(flow.to);
        int pair = run.ranks().get(flow.from).pairNumber(flow.to, flow.lane);
        int peer = run.ranks().get(flow.to).pairNumber(flow.from, flow.lane);
        boolean isKnown = !isInside && pair != 0 && peer != 0;
        return isKnown
                ? way.ports(layout.nicOf(flow.from), layout.nicOf(flow.to), pair, peer)
                : NONE;
    }

    /// A cable by its two ports.
    static String cable(List<PortCounts> ports, int number) {
        PortCounts one = ports.get(number & ~1);
        PortCounts other = ports.get(number | 1);
        return "%s port %d to %s port %d"
                .formatted(one.node(), one.port(), other.node(), other.port());
    }
}
