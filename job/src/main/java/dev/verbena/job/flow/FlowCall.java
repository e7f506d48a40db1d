package dev.verbena.job.flow;

import dev.verbena.collectives.CommunicatorSettings;
import dev.verbena.collectives.link.LinkSettings;
import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.collectives.plan.Collective;
import dev.verbena.collectives.plan.NetworkCosts;
import dev.verbena.collectives.plan.Plan;
import dev.verbena.collectives.plan.Plans;
import dev.verbena.collectives.plan.Shape;
import dev.verbena.job.JobLayout;

/// A collective operation that all ranks call at once.
///
/// @param count elements, as in [Shape#count]
/// @param root the rank that sends or receives; 0 where the operation has none
/// @param pieceBytes longest message
public record FlowCall(
        Collective operation, long count, int elementBytes, int root, int pieceBytes) {
    /// Pieces are not made longer than this.
    private static final int PIECE_MAX = 1 << 26;

    /// With one, links would wait for each grant.
    private static final int GRANTS_LEAST = 2;

    /// Longer pieces are worth it only where they make fewer messages.
    private static final double FEWER = 0.9;

    /// What a communicator of these settings would carry out at a rank.
    public Plan plan(int rank, JobLayout layout, CommunicatorSettings settings) {
        Shape shape = shape(rank, layout, settings);
        return Plans.of(shape, choose(shape, settings));
    }

    /// The algorithm that communicators of these settings choose.
    public Algorithm algorithm(JobLayout layout, CommunicatorSettings settings) {
        return choose(shape(root, layout, settings), settings);
    }

    private Algorithm choose(Shape shape, CommunicatorSettings settings) {
        return settings.choice().of(shape, elementBytes, NetworkCosts.Source.NONE);
    }

    private Shape shape(int rank, JobLayout layout, CommunicatorSettings settings) {
        return new Shape(
                operation,
                rank,
                layout.ranks(),
                root,
                count,
                Math.max(1, pieceBytes / elementBytes),
                layout.ranksPerHost(),
                settings.lanes(),
                settings.window(),
                null,
                null);
    }

    public FlowCall withPieceBytes(int value) {
        return new FlowCall(operation, count, elementBytes, root, value);
    }

    /// The same with pieces so long that there are about so many messages in all, at most; where
    /// longer pieces do not help, or a tree lives on short ones, as these are. Carry it out with
    /// [#ahead].
    public FlowCall within(long messagesMax, JobLayout layout, CommunicatorSettings settings) {
        if (isPipeline(layout, settings)) {
            return this;
        }
        FlowCall best = this;
        long messages = best.messages(layout, settings);
        while (messages > messagesMax && best.pieceBytes <= PIECE_MAX / 2) {
            FlowCall longer = best.withPieceBytes(2 * best.pieceBytes);
            long fewer = longer.messages(layout, settings);
            if (fewer > FEWER * messages) {
                break;
            }
            best = longer;
            messages = fewer;
        }
        return best;
    }

    private boolean isPipeline(JobLayout layout, CommunicatorSettings settings) {
        return operation == Collective.BROADCAST
                || operation == Collective.REDUCE
                || algorithm(layout, settings) == Algorithm.DOUBLE_TREE;
    }

    /// Settings for pieces that are longer than usual: fewer of them are granted ahead, or a rank
    /// would send what is needed later beside what is needed now.
    public CommunicatorSettings ahead(CommunicatorSettings settings) {
        LinkSettings links = settings.links();
        long usual = (long) links.grants() * settings.pieceBytes();
        int grants = Math.clamp(usual / pieceBytes, GRANTS_LEAST, links.grants());
        return settings.withLinks(links.withGrants(grants));
    }

    /// About how many messages all ranks send: as many as the busier one of two sends, each.
    long messages(JobLayout layout, CommunicatorSettings settings) {
        int ranks = layout.ranks();
        long first = sends(plan(root, layout, settings));
        long other = sends(plan((root + ranks / 2) % ranks, layout, settings));
        return ranks * Math.max(first, other);
    }

    private static long sends(Plan plan) {
        long sum = 0;
        for (int lane = 0; lane < plan.lanes(); lane++) {
            sum += plan.sends(lane);
        }
        return sum;
    }
}
