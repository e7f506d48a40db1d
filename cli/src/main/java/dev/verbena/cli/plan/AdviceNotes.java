package dev.verbena.cli.plan;

import dev.verbena.cli.plan.Section.Note;
import dev.verbena.plan.Advice;
import dev.verbena.plan.FabricPlan;
import dev.verbena.plan.Inputs;
import dev.verbena.plan.Network;
import dev.verbena.plan.Plan;
import java.util.ArrayList;
import java.util.List;

/// The recommendation of a report, with the inputs that it depends on.
final class AdviceNotes {
    private final Plan plan;

    AdviceNotes(Plan plan) {
        this.plan = plan;
    }

    List<Note> notes() {
        if (plan.inputs().networks().size() < 2) {
            return List.of();
        }
        List<Note> notes = new ArrayList<>();
        Advice advice = plan.advice();
        notes.add(new Note("", "verdict", "", verdict(advice)));
        for (Advice.Argument argument : advice.arguments()) {
            notes.add(
                    new Note(
                            argument.network().word(),
                            "argument",
                            "for " + argument.network().title(),
                            "%s (input: %s)".formatted(argument.text(), argument.input())));
        }
        for (Plan.Refusal refusal : plan.refusals()) {
            notes.add(
                    new Note(
                            refusal.network().word(),
                            "refusal",
                            "no " + refusal.network().title(),
                            refusal.reason()));
        }
        if (!plan.refusals().isEmpty()) {
            return notes;
        }
        if (plan.inputs().team() == Inputs.Team.UNKNOWN || plan.inputs().needs().isEmpty()) {
            notes.add(new Note("", "open", "", open()));
        }
        return notes;
    }

    private String verdict(Advice advice) {
        if (advice.network().isPresent()) {
            Network network = advice.network().get();
            long for1 = advice.arguments().stream().filter(it -> it.network() == network).count();
            long against = advice.arguments().size() - for1;
            return "%s, by what was given: %d for it, %d against."
                    .formatted(network.title(), for1, against);
        }
        if (!advice.arguments().isEmpty()) {
            return "Undecided: as much speaks for the one as for the other.";
        }
        FabricPlan first = plan.fabrics().getFirst();
        return "Size does not decide it: both have %,d GPUs in %d %s."
                .formatted(
                        plan.inputs().cluster().gpus(),
                        first.tiers(),
                        first.tiers() == 1 ? "tier" : "tiers");
    }

    private static String open() {
        return "These inputs decide more: --team ib or --needs fewest-settings,"
                + " in-network-reduction speak for InfiniBand; --team ethernet or --needs"
                + " many-vendors, one-network-for-all for RoCE; --needs lowest-latency compares"
                + " the figures.";
    }
}
