package dev.verbena.ibverbs;

import dev.verbena.verbs.LimitExceededException;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The queues of requests that completions lead to, by token: a place in a table, and how often the
/// place was given away. A place that was given away as often as a token can tell is never used
/// again: no token returns.
final class Owners {
    private static final int INDEX_BITS = 22;
    private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;
    private static final int LAST_ROUND = (1 << (Requests.TOKEN_BITS - INDEX_BITS)) - 1;
    private static final int FIRST_SIZE = 64;

    /// Read by polling threads, without the device's lock; changed with it.
    private volatile @Nullable Requests[] table = new @Nullable Requests[FIRST_SIZE];

    private final ArrayDeque<Integer> free = new ArrayDeque<>();
    private int[] rounds = new int[FIRST_SIZE];
    private int next;

    /// Gives it a token.
    void add(Requests requests) {
        Integer reused = free.poll();
        if (reused == null && next > INDEX_MASK) {
            throw new LimitExceededException(
                    "the device",
                    "it has had " + (INDEX_MASK + 1) + " queues of requests",
                    "close queue pairs, or open the device again");
        }
        int index = reused == null ? next++ : reused;
        if (index == table.length) {
            rounds = Arrays.copyOf(rounds, index * 2);
            table = Arrays.copyOf(table, index * 2);
        }
        requests.token(token(index));
        set(index, requests);
    }

    /// Gives it a new token: requests posted before no longer belong to it.
    void renew(Requests requests) {
        int index = indexOf(requests.token());
        if (rounds[index] == LAST_ROUND) {
            set(index, null);
            add(requests);
        } else {
            rounds[index]++;
            requests.token(token(index));
        }
        // A thread that sees a request of later sees the new token as well.
        VarHandle.storeStoreFence();
    }

    void remove(Requests requests) {
        int index = indexOf(requests.token());
        set(index, null);
        if (rounds[index] < LAST_ROUND) {
            rounds[index]++;
            free.add(index);
        }
    }

    /// The owner of the request of a completion; null when it no longer exists.
    @Nullable Requests find(long number) {
        @Nullable Requests[] all = table;
        long token = Requests.tokenOf(number);
        int index = indexOf(token);
        Requests found = index < all.length ? all[index] : null;
        return found != null && found.token() == token ? found : null;
    }

    private long token(int index) {
        return ((long) rounds[index] << INDEX_BITS) | index;
    }

    private static int indexOf(long token) {
        return (int) token & INDEX_MASK;
    }

    private void set(int index, @Nullable Requests requests) {
        @Nullable Requests[] all = table;
        all[index] = requests;
        table = all; // publishes the element
    }
}
