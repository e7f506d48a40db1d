package dev.verbena.job.flow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Shares links out among the channels that send, max-min: the rate of a channel can grow only at
/// the cost of one that has no more.
///
/// A link whose channels could not fill it all together is no limit for any of them. After a change
/// only the channels are looked at that are joined to it by links that are a limit: in a network
/// without collisions, the changed channel alone.
///
/// With hundreds of channels that all share links with others, a change moves all rates a little.
/// Then changes are put off until one channel in [#PUT_OFF] has changed, or for one part in
/// [#PUT_OFF_TIME] of the time so far; meanwhile a new channel has what an equal division of its
/// links gives it.
final class Shares {
    /// With fewer channels than this every change counts at once.
    static final int EXACT = 256;

    static final int PUT_OFF = 32;
    static final int PUT_OFF_TIME = 256;

    private static final double PS_PER_SECOND = 1e12;
    private static final int HOP_BITS = 8;
    private static final double EQUAL = 1 + 1e-9;

    private final FlowRun run;

    /// By link: bits per second, those that its channels could send at most, and how many they are.
    private final long[] capacities;

    private final long[] wanted;
    private final int[] counts;

    /// By link, the channels that use it, each with the number of the link on its way.
    private final long[][] users;

    private final List<Channel> changed = new ArrayList<>();

    /// Links of channels that have stopped, where they were a limit.
    private int[] freed = new int[64];

    private int freedCount;
    private int pending;
    private int active;
    private int exact = EXACT;
    private boolean isPutOff;
    private long untilPs;
    private long solved;

    // Of one search: stamps of links, what was found, and what is left of links.
    private int stamp;
    private final int[] found;
    private int[] limits = new int[64];
    private int limitCount;
    private final double[] left;
    private final int[] open;
    private Channel[] reached = new Channel[64];
    private int reachedCount;
    private double[] rates = new double[64];

    Shares(FlowRun run, long[] capacities) {
        this.run = run;
        this.capacities = capacities;
        int links = capacities.length;
        wanted = new long[links];
        counts = new int[links];
        users = new long[links][];
        found = new int[links];
        left = new double[links];
        open = new int[links];
    }

    int links() {
        return capacities.length;
    }

    /// Bits per second.
    long capacity(int link) {
        return capacities[link];
    }

    /// Every change counts at once, however many channels there are.
    void neverPutOff() {
        exact = Integer.MAX_VALUE;
    }

    /// How often rates were shared out.
    long solved() {
        return solved;
    }

    void add(Channel channel) {
        int[] links = channel.way.links;
        for (int hop = 0; hop < links.length; hop++) {
            int link = links[hop];
            int at = counts[link]++;
            long[] here = users[link];
            if (here == null) {
                here = new long[2];
                users[link] = here;
            } else if (at == here.length) {
                here = Arrays.copyOf(here, 2 * at);
                users[link] = here;
            }
            here[at] = (long) channel.number << HOP_BITS | hop;
            channel.places[hop] = at;
            wanted[link] += channel.way.bitsPerSecond;
        }
        changed.add(channel);
        active++;
        pending++;
    }

    void remove(Channel channel) {
        int[] links = channel.way.links;
        for (int hop = 0; hop < links.length; hop++) {
            int link = links[hop];
            if (isLimit(link)) {
                if (freedCount == freed.length) {
                    freed = Arrays.copyOf(freed, 2 * freedCount);
                }
                freed[freedCount++] = link;
            }
            long[] here = users[link];
            int at = channel.places[hop];
            long last = here[--counts[link]];
            here[at] = last;
            Channel moved = run.channel((int) (last >>> HOP_BITS));
            moved.places[(int) last & ((1 << HOP_BITS) - 1)] = at;
            wanted[link] -= channel.way.bitsPerSecond;
        }
        active--;
        pending++;
    }

    private boolean isLimit(int link) {
        return wanted[link] > capacities[link];
    }

    /// Gives all channels their rates that changes since the last time concern.
    void settle(long nowPs) {
        if (changed.isEmpty() && freedCount == 0) {
            pending = 0;
            return;
        }
        if (mayPutOff(nowPs)) {
            return;
        }
        isPutOff = false;
        pending = 0;
        stamp++;
        reachedCount = 0;
        limitCount = 0;
        for (int i = 0; i < freedCount; i++) {
            reachAll(freed[i]);
        }
        freedCount = 0;
        for (Channel channel : changed) {
            if (channel.isActive()) {
                reach(channel);
            }
        }
        changed.clear();
        for (int i = 0; i < reachedCount; i++) {
            for (int link : reached[i].way.links) {
                if (isLimit(link)) {
                    reachAll(link);
                }
            }
        }
        share(nowPs);
    }

    private boolean mayPutOff(long nowPs) {
        if (active < exact || (long) pending * PUT_OFF >= active) {
            return false;
        }
        if (!isPutOff) {
            isPutOff = true;
            untilPs = nowPs + nowPs / PUT_OFF_TIME + 1;
            run.settleAt(untilPs);
        } else if (nowPs >= untilPs) {
            return false;
        }
        for (Channel channel : changed) {
            if (channel.isActive() && channel.rate() == 0) {
                channel.rate(equalDivision(channel), nowPs);
            }
        }
        return true;
    }

    private double equalDivision(Channel channel) {
        double least = channel.way.bitsPerSecond;
        for (int link : channel.way.links) {
            if (isLimit(link)) {
                least = Math.min(least, (double) capacities[link] / counts[link]);
            }
        }
        return least / PS_PER_SECOND;
    }

    private void reach(Channel channel) {
        if (channel.found == stamp) {
            return;
        }
        channel.found = stamp;
        if (reachedCount == reached.length) {
            reached = Arrays.copyOf(reached, 2 * reachedCount);
            rates = new double[reached.length];
        }
        reached[reachedCount++] = channel;
    }

    private void reachAll(int link) {
        if (found[link] == stamp) {
            return;
        }
        found[link] = stamp;
        if (isLimit(link)) {
            if (limitCount == limits.length) {
                limits = Arrays.copyOf(limits, 2 * limitCount);
            }
            limits[limitCount++] = link;
            left[link] = capacities[link];
            open[link] = counts[link];
        }
        for (int i = 0; i < counts[link]; i++) {
            reach(run.channel((int) (users[link][i] >>> HOP_BITS)));
        }
    }

    /// Fills links step by step: the one with the least for each of its channels fixes their rates.
    private void share(long nowPs) {
        solved += limitCount == 0 ? 0 : 1;
        Arrays.fill(rates, 0, reachedCount, 0);
        for (int i = 0; i < reachedCount; i++) {
            reached[i].index = i;
        }
        double own = leastOwn();
        while (limitCount > 0) {
            double least = Double.MAX_VALUE;
            int kept = 0;
            for (int i = 0; i < limitCount; i++) {
                int link = limits[i];
                if (open[link] > 0) {
                    limits[kept++] = link;
                    least = Math.min(least, left[link] / open[link]);
                }
            }
            limitCount = kept;
            if (own <= least) {
                fixOwn(own);
                own = leastOwn();
                continue;
            }
            for (int i = 0; i < limitCount; i++) {
                int link = limits[i];
                if (open[link] > 0 && left[link] / open[link] <= least * EQUAL) {
                    fixUsers(link, least);
                }
            }
        }
        for (int i = 0; i < reachedCount; i++) {
            double bits = rates[i] == 0 ? reached[i].way.bitsPerSecond : rates[i];
            double rate = bits / PS_PER_SECOND;
            if (rate != reached[i].rate()) {
                reached[i].rate(rate, nowPs);
            }
        }
    }

    /// The least that a channel without a rate could have by its slowest link.
    private double leastOwn() {
        double least = Double.MAX_VALUE;
        for (int i = 0; i < reachedCount; i++) {
            if (rates[i] == 0) {
                least = Math.min(least, (double) reached[i].way.bitsPerSecond);
            }
        }
        return least;
    }

    private void fixOwn(double own) {
        for (int i = 0; i < reachedCount; i++) {
            if (rates[i] == 0 && reached[i].way.bitsPerSecond <= own) {
                fix(i, own);
            }
        }
    }

    private void fixUsers(int link, double rate) {
        for (int i = 0; i < counts[link]; i++) {
            int index = run.channel((int) (users[link][i] >>> HOP_BITS)).index;
            if (rates[index] == 0) {
                fix(index, rate);
            }
        }
    }

    private void fix(int index, double rate) {
        rates[index] = rate;
        for (int link : reached[index].way.links) {
            if (found[link] == stamp && isLimit(link)) {
                left[link] = Math.max(0, left[link] - rate);
                open[link]--;
            }
        }
    }
}
