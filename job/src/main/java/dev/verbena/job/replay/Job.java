package dev.verbena.job.replay;

import java.util.List;

/// The schedules of all ranks of a job.
///
/// @param name what results call it
/// @param groups ranks of each group of collective operations, in the order of their places
/// @param rules what carries nodes out
public record Job(String name, List<Schedule> ranks, List<List<Integer>> groups, Rules rules) {
    /// How a rank carries its nodes out.
    public enum Rules {
        /// A cpu carries one node out at a time: a calculation, or the handling of a message. A
        /// message under way keeps no cpu.
        CPUS,
        /// A unit carries one node out at a time, and a send or collective operation keeps it until
        /// it is over. A receive keeps none.
        UNITS
    }

    public Job {
        ranks = List.copyOf(ranks);
        groups = List.copyOf(groups);
    }

    /// Nodes of all ranks.
    public long nodes() {
        return ranks.stream().mapToLong(Schedule::nodes).sum();
    }
}
