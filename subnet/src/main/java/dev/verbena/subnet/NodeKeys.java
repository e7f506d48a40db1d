package dev.verbena.subnet;

import dev.verbena.subnet.state.SubnetState.Term;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.LongStream;

/// The M_Keys of nodes (IBA 14.2.4): by which a node is reached, and whether it holds the key of
/// this manager's term.
///
/// Nodes are given protection level 1: a Get is answered without the key, and shows the key only to
/// a manager that has it. So the key of a node is found by questions with one key after the other,
/// none of which goes without an answer. Where managers share no state there is one key, which
/// needs no search.
final class NodeKeys {
    /// What the answer of a node shows.
    enum Sight {
        /// It holds the key of this term.
        HELD,
        /// It has a key by which this one can be set.
        OPEN,
        /// The key that was tried is not its own.
        HIDDEN,
        /// None of the keys that are known is its own.
        FOREIGN
    }

    static final int PROTECTION = 1;

    /// How often all keys are tried: an answer may have been to an earlier question.
    private static final int ROUNDS = 2;

    private static final int SETS_MAX = 3;

    private final long current;
    private final boolean isFencing;

    /// In the order in which keys are tried.
    private final long[] order;

    /// Where in it the key of this term is.
    private final int currentAt;

    private final BitSet held = new BitSet();
    private final BitSet foreign = new BitSet();

    /// By vertex: how many keys were tried, and how often the key was set.
    private int[] tries = new int[64];

    private int[] sets = new int[64];

    /// @param key that of a manager which has no terms
    /// @param isRepeat whether nodes were given the key of this term before: then it is tried
    ///   first. Else most nodes have that of the last term, and none has this one
    NodeKeys(List<Term> terms, long key, boolean isRepeat) {
        isFencing = !terms.isEmpty();
        current = isFencing ? terms.getFirst().key() : key;
        LongStream former = terms.stream().skip(1).mapToLong(Term::key);
        LongStream known = isFencing ? LongStream.concat(former, LongStream.of(key)) : former;
        LongStream own = LongStream.of(current);
        order =
                (isRepeat ? LongStream.concat(own, known) : LongStream.concat(known, own))
                        .toArray();
        currentAt = isRepeat ? 0 : order.length - 1;
    }

    /// Whether nodes are given the key of a term before anything else is written.
    boolean isFencing() {
        return isFencing;
    }

    long current() {
        return current;
    }

    /// The key that a request to a node carries.
    long of(int vertex) {
        return vertex == SubnetGraph.NONE || held.get(vertex) || !isFencing
                ? current
                : order[at(tries, vertex) % order.length];
    }

    private static int at(int[] counts, int vertex) {
        return vertex < counts.length ? counts[vertex] : 0;
    }

    /// Whether a node may be changed.
    boolean mayWrite(int vertex) {
        return !isFencing || held.get(vertex);
    }

    /// Nodes that were foreign, or did not take the key, are tried again.
    void begin() {
        foreign.clear();
        Arrays.fill(tries, 0);
        Arrays.fill(sets, 0);
    }

    /// A node has answered with PortInfo.
    ///
    /// @param shown the M_Key in it
    Sight seen(int vertex, long shown, int protection) {
        if (!isFencing) {
            return Sight.HELD;
        }
        if (shown == current) {
            return Sight.HELD;
        }
        held.clear(vertex);
        tries = room(tries, vertex);
        boolean isOpen = protection == 0 || shown != 0;
        if (isOpen && sets[vertex] < SETS_MAX && find(vertex, shown)) {
            return Sight.OPEN;
        }
        tries[vertex]++;
        if (isOpen || tries[vertex] >= ROUNDS * order.length) {
            foreign.set(vertex);
            return Sight.FOREIGN;
        }
        return Sight.HIDDEN;
    }

    private int[] room(int[] counts, int vertex) {
        int least = Math.max(counts.length, 2 * vertex + 1);
        sets = Arrays.copyOf(sets, least);
        return Arrays.copyOf(counts, least);
    }

    /// Finds the key that a node shows among those that are known; a node without a key takes any.
    private boolean find(int vertex, long shown) {
        for (int i = 0; i < order.length; i++) {
            if (order[i] == shown || shown == 0) {
                tries[vertex] = i;
                return true;
            }
        }
        return false;
    }

    /// A node has answered that it took the key: from now on it is asked with it.
    void taken(int vertex) {
        tries = room(tries, vertex);
        sets[vertex]++;
        tries[vertex] = currentAt;
    }

    /// A node holds the key.
    ///
    /// @return whether it did not before
    boolean hold(int vertex) {
        boolean isNew = isFencing && !held.get(vertex);
        held.set(vertex);
        return isNew;
    }
}
