package dev.verbena.job.chakra;

import dev.verbena.job.replay.Budget;
import dev.verbena.job.replay.Job;
import dev.verbena.job.replay.Schedule;
import dev.verbena.job.replay.TraceException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/// Makes a job of Chakra execution traces, a file for each rank.
///
/// A node starts when all its data and control dependencies are over. A rank does one thing at a
/// time on its CPU, one calculation on its GPU, and one send or collective operation; a receive
/// waits beside them.
public final class ChakraTrace {
    private final String name;
    private final int ranks;
    private final ChakraGroups groups;
    private final Budget budget = new Budget();
    private final List<Schedule> schedules = new ArrayList<>();

    /// A job without its ranks yet.
    ///
    /// @param name what results call it
    public ChakraTrace(String name, int ranks, ChakraGroups groups) {
        if (ranks < 1 || ranks > Budget.RANKS_MAX) {
            throw new TraceException(
                    "%s: %,d ranks; use 1 to %,d".formatted(name, ranks, Budget.RANKS_MAX));
        }
        this.name = name;
        this.ranks = ranks;
        this.groups = groups;
    }

    /// Reads the trace of the next rank, from 0 on.
    ///
    /// @param file its name, for messages
    /// @param in may be compressed by gzip
    /// @throws TraceException for what is malformed
    public void add(String file, InputStream in) throws IOException {
        if (schedules.size() == ranks) {
            throw new TraceException("%s: the job has %,d ranks".formatted(file, ranks));
        }
        schedules.add(new ChakraRank(file, schedules.size(), ranks, groups, budget).read(in));
    }

    /// The job, when all ranks are added.
    public Job job() {
        if (schedules.size() < ranks) {
            throw new IllegalStateException(
                    "%d of %d ranks are added".formatted(schedules.size(), ranks));
        }
        return new Job(name, schedules, groups.groups(), Job.Rules.UNITS);
    }
}
