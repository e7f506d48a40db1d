package dev.verbena.cli;

import dev.verbena.job.HostWork.SlowRank;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads `--slow-rank RANK:HOW`.
///
/// @param factor by which its work takes longer, 1 where a time was given
/// @param moreNs 0 where a factor was given
record SlowRankText(String text, int rank, double factor, long moreNs) {
    private static final Pattern FORM =
            Pattern.compile(
                    "(\\d{1,6}):(?:(\\d{1,4}(?:\\.\\d{1,3})?)x"
                            + "|(\\d{1,6}(?:\\.\\d{1,3})?(?:ns|us|ms)))");

    static SlowRankText parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new UsageException(
                    "--slow-rank " + text + ": write it as 17:4x, 17:20us or 2:5ms");
        }
        int rank = Integer.parseInt(form.group(1));
        if (form.group(2) != null) {
            return new SlowRankText(text, rank, Double.parseDouble(form.group(2)), 0);
        }
        return new SlowRankText(text, rank, 1, new ShortTime().convert(form.group(3)));
    }

    void check(int ranks, boolean isSimulated) {
        if (rank >= ranks) {
            throw new UsageException(
                    "--slow-rank %s: there are %d ranks, from 0 on".formatted(text, ranks));
        }
        if (factor < 1 || (moreNs == 0 && factor == 1)) {
            throw new UsageException(
                    "--slow-rank %s: it would not be slow; use more than 1x, or a time"
                            .formatted(text));
        }
        if (!isSimulated && moreNs == 0) {
            throw new UsageException(
                    "--slow-rank %s: a live rank sleeps for a time, as 2:5ms".formatted(text));
        }
    }

    SlowRank simulated() {
        return new SlowRank(rank, factor, moreNs);
    }
}
