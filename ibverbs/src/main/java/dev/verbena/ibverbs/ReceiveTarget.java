package dev.verbena.ibverbs;

import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.spi.StateRules;

/// Where a batch of receive requests goes: a queue pair, or a shared queue.
interface ReceiveTarget {
    ObjectGuard guard();

    /// Refuses calls that the target's state does not allow.
    void check();

    /// Whether each message is a datagram, with its header.
    boolean takesDatagrams();

    int post(FastPath fast, long first, long bad);

    /// Called behind each batch, outside of the guard.
    default void posted() {}

    static ReceiveTarget of(IbvQueuePair pair) {
        return new ReceiveTarget() {
            @Override
            public ObjectGuard guard() {
                return pair.guard;
            }

            @Override
            public void check() {
                pair.requireOpen();
                StateRules.requireReceives(pair, pair.told());
            }

            @Override
            public boolean takesDatagrams() {
                return pair.type() == QueuePairType.UD;
            }

            @Override
            public int post(FastPath fast, long first, long bad) {
                return fast.postReceive(pair.structure(), first, bad);
            }

            @Override
            public void posted() {
                pair.nudge();
            }

            @Override
            public String toString() {
                return pair.toString();
            }
        };
    }

    static ReceiveTarget of(IbvSharedReceives queue) {
        return new ReceiveTarget() {
            @Override
            public ObjectGuard guard() {
                return queue.guard;
            }

            @Override
            public void check() {
                queue.requireOpen();
            }

            @Override
            public boolean takesDatagrams() {
                return false;
            }

            @Override
            public int post(FastPath fast, long first, long bad) {
                return fast.postShared(queue.structure(), first, bad);
            }

            @Override
            public String toString() {
                return queue.toString();
            }
        };
    }
}
