package dev.verbena.subnet;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/// The tier of each switch, and which of its links lead up.
///
/// A switch chooses among its uplinks by a digit of the destination's LID. The digit counts the
/// uplinks that switches of its tier have at most, and each tier has a digit of its own, so that
/// what one tier has chosen does not narrow the choice of the next. Each uplink has a place among
/// the digits that follows from its port number: when a link is lost, only the destinations with
/// its digit move.
final class Tiers {
    private static final int STRIDE_MAX = 1 << 20;
    private static final int NO_LINK = -1;

    private final int[] tier;
    private final boolean[] up;

    /// Uplinks that a switch of a tier has at most; 1 if there are none.
    private final int[] widths;

    private final int[] strides;

    /// By switch and digit: a link, or [#NO_LINK].
    private final int[] digits;

    private final int[] firstDigit;

    /// @param ordersTies whether of two switches in one tier the one with the higher number is
    ///   above
    Tiers(SwitchGraph graph, int[] tier, boolean ordersTies) {
        this.tier = tier;
        up = new boolean[graph.links()];
        widths = new int[Arrays.stream(tier).max().orElse(0) + 1];
        Arrays.fill(widths, 1);
        for (int i = 0; i < graph.count(); i++) {
            int uplinks = 0;
            for (int link = graph.firstLink(i); link < graph.endLink(i); link++) {
                int other = graph.to(link);
                up[link] =
                        tier[other] > tier[i]
                                || (ordersTies && tier[other] == tier[i] && other > i);
                uplinks += up[link] ? 1 : 0;
            }
            widths[tier[i]] = Math.max(widths[tier[i]], uplinks);
        }
        strides = new int[widths.length];
        int stride = 1;
        for (int i = 0; i < widths.length; i++) {
            strides[i] = stride;
            stride = stride * widths[i] <= STRIDE_MAX ? stride * widths[i] : stride;
        }
        firstDigit = new int[graph.count()];
        int size = 0;
        for (int i = 0; i < graph.count(); i++) {
            firstDigit[i] = size;
            size += widths[tier[i]];
        }
        digits = new int[size];
        Arrays.fill(digits, NO_LINK);
        for (int i = 0; i < graph.count(); i++) {
            placeUplinks(graph, i);
        }
    }

    private void placeUplinks(SwitchGraph graph, int index) {
        int width = widths[tier[index]];
        int first = firstDigit[index];
        for (int pass = 0; pass < 2; pass++) {
            int free = first;
            for (int link = graph.firstLink(index); link < graph.endLink(index); link++) {
                int digit = first + graph.port(link) % width;
                boolean isAtHome = digits[digit] == link;
                if (up[link] && pass == 0 && digits[digit] == NO_LINK) {
                    digits[digit] = link;
                } else if (up[link] && pass == 1 && !isAtHome) {
                    while (digits[free] != NO_LINK) {
                        free++;
                    }
                    digits[free] = link;
                }
            }
        }
    }

    /// The tier of each switch as its distance from the next one with hosts.
    static int[] fromHosts(SwitchGraph graph) {
        int[] leaves = IntStream.range(0, graph.count()).filter(graph::hasHosts).toArray();
        int[] distance = Preparation.distances(graph, leaves);
        Arrays.setAll(distance, i -> distance[i] == Integer.MAX_VALUE ? 0 : distance[i]);
        return distance;
    }

    boolean isUp(int link) {
        return up[link];
    }

    /// By link, whether it leads up; not to be written.
    boolean[] up() {
        return up;
    }

    int width(int index) {
        return widths[tier[index]];
    }

    int stride(int index) {
        return strides[tier[index]];
    }

    /// The uplink of a switch for the place of a LID; -1 if the link with its digit is missing.
    int uplink(int index, int place) {
        int digit = place / stride(index) % width(index);
        return digits[firstDigit[index] + digit];
    }

    /// Chooses among the uplinks that are there, for a LID whose link is missing.
    int other(int index, int place, int choices) {
        return place / stride(index) / width(index) % choices;
    }

    /// All switches, the topmost first; in a tier those with the higher numbers.
    int[] fromTheTop() {
        Comparator<Integer> order = Comparator.comparingInt(i -> -tier[i]);
        return IntStream.range(0, tier.length)
                .boxed()
                .sorted(order.thenComparing(Comparator.reverseOrder()))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    boolean hasSameShape(Tiers other) {
        return Arrays.equals(tier, other.tier) && Arrays.equals(widths, other.widths);
    }
}
